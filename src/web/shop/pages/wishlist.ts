// The wishlist, with what became cheaper since it was saved.

import { html, type Html } from '../../../http/html.ts'
import type { WishedModeratedOffer, WishedOffer } from '../../../sdk/index.ts'
import { row } from '../cards.ts'
import { icon } from '../icons.ts'
import { page } from '../layout.ts'
import { recommended } from '../recommend.ts'
import { namedOffer } from './cart.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

export async function wishlistPage(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const [{ Offers, ModeratedOffers }, forYou] = await Promise.all([
    visit.bozor.wishlist.get(visit.buyer),
    recommended(visit, 'main_page'),
  ])
  const offers = [...Offers, ...ModeratedOffers]
  const content = html`<div class="wrap">
    <h1>${texts.wishlist}</h1>
    ${
      offers.length === 0
        ? html`<section class="empty">
            ${icon('heart')}
            <h2>${texts.wishlistEmpty}</h2>
            <p>${texts.wishlistHint}</p>
            <a class="button brand" href="${visit.at('')}">${texts.toCatalog}</a>
          </section>`
        : html`<div class="cart-lines saved">${offers.map((it) => savedLine(visit, it))}</div>`
    }
    ${row(visit, { title: texts.forYou, cards: forYou.slice(0, 12) })}
  </div>`
  return page(visit, { title: texts.wishlist, isPrivate: true, content })
}

/** Changes that are shown with the amount instead. */
const priceCodes = ['price_lowered', 'price_raised']

function savedLine(visit: Visit, it: WishedOffer | WishedModeratedOffer): Html {
  const { texts, format } = visit
  const name = visit.nameOf(it.Title)
  const change = it.Price - it.PriceAtAdd
  const isModerated = 'ModeratedOfferId' in it
  return html`<article class="line ${!it.IsAvailable && 'away'}">
    <img src="${visit.picture(it.Images[0]?.SmPath ?? '')}" alt="" width="112" height="112" />
    <div class="line-main">
      <h2 class="line-name">
        ${isModerated ? name : html`<a href="${visit.at(`/o/${it.OfferId}`)}">${name}</a>`}
      </h2>
      ${isModerated && html`<span class="tag">${texts.moderated}</span>`}
      ${change < 0 && html`<p class="tag">${fill(texts.cheaperBy, { amount: format.sums(-change) })}</p>`}
      ${change > 0 && html`<p class="muted">${fill(texts.dearerBy, { amount: format.sums(change) })}</p>`}
      ${it.PurchaseRestrictions.Messages.filter((message) => !priceCodes.includes(message.Code)).map(
        (message) => html`<p class="message ${message.Severity}">${visit.say(message.Message)}</p>`,
      )}
    </div>
    <div class="line-side">
      <p class="line-price">
        <b>${format.sums(it.Price)}</b> ${it.OldPrice !== null && html`<s>${format.sums(it.OldPrice)}</s>`}
      </p>
      <form class="stepper" method="post" action="${visit.at('/cart/add')}" data-quiet>
        ${namedOffer(it)}
        ${
          it.IsAvailable &&
          html`<button class="button brand" aria-label="${fill(texts.addNamed, { name })}">
            ${icon('cart')}<span>${texts.addToCart}</span>
          </button>`
        }
      </form>
      <form method="post" action="${visit.at('/wishlist/remove')}" data-swap>
        ${namedOffer(it)}
        <button class="quiet-link" aria-label="${fill(texts.removeNamed, { name })}">${texts.remove}</button>
      </form>
    </div>
  </article>`
}
