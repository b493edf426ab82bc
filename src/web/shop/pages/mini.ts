// The mini-app: a narrow page inside another application, on the mini-app calls (SPEC-2 4.2, R8) with moderated offers.

import { html, type Html } from '../../../http/html.ts'
import { BozorError, type MiniAppCart, type MiniAppOffer } from '../../../sdk/index.ts'
import { couponForm } from './coupon.ts'
import { report } from './report.ts'
import { icon, iconSprite } from '../icons.ts'
import { languageTags } from '../language.ts'
import { badge, head, notes, themeOf } from '../layout.ts'
import { violationsOf } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

export async function miniPage(visit: Visit, refused?: BozorError): Promise<Reply> {
  const { texts } = visit
  let list: string | undefined
  const [{ offers }, cart] = await Promise.all([
    visit.bozor.recommendations.forMiniApp(
      { user_id: visit.visitorId, from_layer: 'main_page' },
      { onHeaders: (headers) => (list = headers.get('X-Recommendation-Id') ?? undefined) },
    ),
    visit.bozor.miniAppCart.get(visit.buyer),
  ])
  const content = html`<!doctype html>
    <html lang="${languageTags[visit.language]}" ${themeOf(visit)}>
      <head>
        ${head(visit, { title: texts.mini, isPrivate: true, content: html`` })}
      </head>
      <body class="mini">
        ${iconSprite}
        <header class="mini-top">
          <h1>${texts.mini}</h1>
          <a href="${visit.at('/cart')}"
            >${icon('cart')}<span>${texts.cart}</span>${badge(cart.TotalItemsCount)}</a
          >
        </header>
        ${notes(visit)}
        <main id="main" tabindex="-1">
          <p class="lead">${texts.miniHint}</p>
          ${refused && violationsOf(visit, refused, '/mini')}
          <ul class="mini-list">
            ${offers.map((it) => miniOffer(visit, it, list))}
          </ul>
          ${miniCart(visit, cart)}
        </main>
      </body>
    </html>`
  return { kind: 'html', content, ...(refused && { status: refused.status }) }
}

function miniOffer(visit: Visit, it: MiniAppOffer, list: string | undefined): Html {
  const { texts, format } = visit
  const name = visit.nameOf(it.name)
  const field = it.moderated_offer_id === null ? 'offer' : 'moderated'
  return html`<li>
    <img
      src="${visit.picture(it.image_path).replace('/lg.svg', '/sm.svg')}"
      alt=""
      width="84"
      height="84"
      loading="lazy"
    />
    <div>
      <b>${format.money({ amount: it.price })}</b>
      ${it.monthly_loan_repayment !== undefined && it.condition && html`<span class="monthly">${fill(texts.perMonth, { amount: format.about({ amount: it.monthly_loan_repayment }) })}</span>`}
      <p>${name}</p>
      <small>${it.partner.name}${it.moderated_offer_id !== null && ` · ${texts.moderated}`}</small>
    </div>
    <form method="post" action="${visit.at('/mini/add')}" data-swap>
      ${list !== undefined && html`<input type="hidden" name="list" value="${list}" />`}
      <input type="hidden" name="${field}" value="${it.moderated_offer_id ?? it.offer_id}" />
      <button class="round add" aria-label="${fill(texts.addNamed, { name })}">+</button>
    </form>
  </li>`
}

const miniCart = (visit: Visit, cart: MiniAppCart): Html | false =>
  cart.TotalItemsCount > 0 &&
  html`<section class="mini-cart" aria-label="${visit.texts.cart}">
    ${cart.Items.map((it) => miniLine(visit, { field: 'offer', id: it.OfferId, ...it }))}
    ${cart.ModeratedItems.map((it) => miniLine(visit, { field: 'moderated', id: it.ModeratedOfferId, ...it }))}
    ${couponForm(visit, { coupon: cart.Coupon, action: '/mini/coupon' })}
    ${
      cart.DiscountAmount > 0 &&
      html`<p class="deal mini-discount">
        <span>${visit.texts.couponDiscount}</span><b>−${visit.format.sums(cart.DiscountAmount)}</b>
      </p>`
    }
    <a class="button brand wide" href="${visit.at('/cart')}"
      >${visit.texts.cart}: ${visit.format.sums(cart.TotalAmount)}</a
    >
  </section>`

function miniLine(
  visit: Visit,
  it: { field: 'offer' | 'moderated'; id: number; Title: string; Quantity: number },
): Html {
  const name = visit.nameOf(it.Title)
  return html`<form method="post" action="${visit.at('/mini/remove')}" data-swap>
    <input type="hidden" name="${it.field}" value="${it.id}" />
    <span>${name} × ${it.Quantity}</span>
    <button class="round" aria-label="${fill(visit.texts.removeNamed, { name })}">${icon('trash')}</button>
  </form>`
}

async function change(visit: Visit, run: () => Promise<unknown>): Promise<Reply> {
  try {
    await run()
    return { kind: 'redirect', status: 303, to: visit.at('/mini') }
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    return miniPage(visit, error)
  }
}

export const addToMini = (visit: Visit): Promise<Reply> =>
  change(visit, async () => {
    const { offer, moderated, list } = visit.form
    if (moderated) {
      await visit.bozor.cart.addModeratedItem({ ...visit.buyer, ModeratedOfferId: moderated, Quantity: 1 })
      return
    }
    await visit.bozor.miniAppCart.addItem({ ...visit.buyer, OfferId: Number(offer) || 0, Quantity: 1 })
    await report(visit, 'cart', { offer, list, search: undefined })
  })

export const removeFromMini = (visit: Visit): Promise<Reply> =>
  change(visit, () => {
    const { offer, moderated } = visit.form
    return moderated
      ? visit.bozor.cart.removeModeratedItem({ moderatedOfferId: Number(moderated) || 0, ...visit.buyer })
      : visit.bozor.miniAppCart.removeItem({ offerId: Number(offer) || 0, ...visit.buyer })
  })

export const applyMiniCoupon = (visit: Visit): Promise<Reply> =>
  change(visit, () => visit.bozor.miniAppCart.applyCoupon({ ...visit.buyer, Code: visit.form['code'] ?? '' }))

export const removeMiniCoupon = (visit: Visit): Promise<Reply> =>
  change(visit, () => visit.bozor.miniAppCart.removeCoupon({ ...visit.buyer }))
