// A cart that several people fill: one creates it and sends the link, each adds their own, one takes everything.

import { html, type Html } from '../../../http/html.ts'
import {
  BozorError,
  type SharedCart,
  type SharedCartItem,
  type SharedModeratedItem,
} from '../../../sdk/index.ts'
import { icon } from '../icons.ts'
import { namedOffer, type Offered } from './cart.ts'
import { page } from '../layout.ts'
import { violationsOf } from '../remedies.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

type Line = SharedCartItem | SharedModeratedItem

const linesOf = ({ Items, ModeratedItems }: SharedCart): Line[] => [...Items, ...ModeratedItems]

export function sharePage(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const content = html`<div class="wrap narrow">
    <section class="panel">
      <h1>${texts.sharedCart}</h1>
      <p class="lead">${texts.shareHint}</p>
      <form method="post" action="${visit.at('/shared/create')}">
        <button class="button brand wide">${icon('people')}<span>${texts.shareCreate}</span></button>
      </form>
    </section>
  </div>`
  return page(visit, { title: texts.sharedCart, isPrivate: true, content })
}

export async function createShared(visit: Visit): Promise<Reply> {
  const { Id } = await visit.bozor.sharedCarts.create({ ...visit.buyer })
  return { kind: 'redirect', status: 303, to: visit.at(`/shared/${Id}`) }
}

const idOf = ({ params }: Visit): string => params['id'] ?? ''

/** Members see the cart; others who have the link are asked to join. */
export async function sharedPage(visit: Visit, refused?: BozorError): Promise<Reply> {
  const token = visit.query.get('token') ?? undefined
  try {
    const shared = await visit.bozor.sharedCarts.get({ id: idOf(visit), ...visit.buyer })
    return await memberPage(visit, shared, refused)
  } catch (error) {
    if (!(error instanceof BozorError) || error.status !== 404) throw error
    return token ? joinPage(visit, token) : gonePage(visit)
  }
}

/** An unknown, expired or foreign shared cart, or a token that is wrong: the API tells none of them apart. */
function gonePage(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const content = html`<div class="wrap">
    <section class="empty">
      ${icon('people')}
      <h1>${texts.shareGone}</h1>
      <p>${texts.shareGoneHint}</p>
      <a class="button brand" href="${visit.at('')}">${texts.toCatalog}</a>
    </section>
  </div>`
  return page(visit, { title: texts.shareGone, isPrivate: true, status: 404, content })
}

function joinPage(visit: Visit, token: string): Promise<Reply> {
  const { texts } = visit
  const content = html`<div class="wrap narrow">
    <section class="panel">
      <h1>${texts.sharedCart}</h1>
      <p class="lead">${texts.shareJoinHint}</p>
      <form method="post" action="${visit.at(`/shared/${idOf(visit)}/join`)}">
        <input type="hidden" name="token" value="${token}" />
        <button class="button brand wide">${texts.shareJoin}</button>
      </form>
    </section>
  </div>`
  return page(visit, { title: texts.sharedCart, isPrivate: true, content })
}

async function memberPage(visit: Visit, shared: SharedCart, refused: BozorError | undefined): Promise<Reply> {
  const { texts, format } = visit
  const link = `${visit.origin}${visit.at(`/shared/${shared.Id}`)}?token=${shared.JoinToken}`
  const at = (step: string) => visit.at(`/shared/${shared.Id}/${step}`)
  const content = html`<div class="wrap">
    <h1>${shared.Title ?? texts.sharedCart}</h1>
    <p class="lead">
      ${
        shared.IsOpen
          ? fill(texts.shareUntil, { time: format.dateTime(shared.ExpiresAt) })
          : shared.TakenBy === null
            ? texts.shareClosed
            : texts.shareTaken
      }
    </p>
    ${refused && violationsOf(visit, refused)}
    ${
      shared.JoinToken !== null &&
      html`<div class="panel share-link">
        <label class="field" for="link">${texts.shareLink}</label>
        <input type="text" id="link" readonly value="${link}" />
        <button class="button soft" type="button" data-copy="${link}" data-done="${texts.copied}">
          ${texts.copy}
        </button>
      </div>`
    }
    <div class="cart">
      <section class="cart-lines">
        ${linesOf(shared).length === 0 && html`<p class="empty">${texts.shareEmpty}</p>`}
        ${linesOf(shared).map((it) => sharedLine(visit, shared, it))}
      </section>
      <aside class="panel summary">
        <dl>
          <div class="total">
            <dt>${texts.total}</dt>
            <dd>${format.sums(shared.TotalAmount)}</dd>
          </div>
        </dl>
        ${
          shared.IsOpen &&
          html`<form method="post" action="${at('add')}">
              <button class="button soft wide">${texts.shareAddMine}</button>
            </form>
            <form method="post" action="${at('take')}">
              <button class="button brand wide">${texts.shareTake}</button>
            </form>`
        }
      </aside>
    </div>
  </div>`
  return page(visit, {
    title: texts.sharedCart,
    isPrivate: true,
    content,
    ...(refused && { status: refused.status }),
  })
}

/** A guest is called by their number, and the visitor is called "you". */
function memberName({ texts }: Visit, shared: SharedCart, who: number | string): string {
  if (String(who) === String(shared.RequesterId)) return texts.you
  const members = [shared.CreatorId, ...shared.ParticipantIds].map(String)
  return fill(texts.participant, { n: members.indexOf(String(who)) + 1 })
}

function sharedLine(visit: Visit, shared: SharedCart, it: Line): Html {
  const { texts, format } = visit
  const name = visit.nameOf(it.Title)
  const isOwn = String(it.AddedBy) === String(shared.RequesterId)
  return html`<article class="line ${!it.PurchaseRestrictions.IsAvailable && 'away'}">
    <img src="${visit.picture(it.Images[0]?.SmPath ?? '')}" alt="" width="112" height="112" />
    <div class="line-main">
      <h2 class="line-name">
        ${'OfferId' in it ? html`<a href="${visit.at(`/o/${it.OfferId}`)}">${name}</a>` : name}
      </h2>
      ${'ModeratedOfferId' in it && html`<span class="tag">${texts.moderated}</span>`}
      <p class="muted">${fill(texts.addedBy, { who: memberName(visit, shared, it.AddedBy) })}</p>
      ${it.PurchaseRestrictions.Messages.map(
        (message) => html`<p class="message ${message.Severity}">${visit.say(message.Message)}</p>`,
      )}
    </div>
    <div class="line-side">
      <p class="line-price"><b>${format.sums(it.Price * it.Quantity)}</b></p>
      ${isOwn && shared.IsOpen ? lineForm(visit, shared, { it, name }) : html`<p>× ${it.Quantity}</p>`}
    </div>
  </article>`
}

function lineForm(visit: Visit, shared: SharedCart, { it, name }: { it: Line; name: string }): Html {
  const { texts } = visit
  const at = (step: string) => visit.at(`/shared/${shared.Id}/${step}`)
  return html`<form class="stepper" method="post" action="${at('quantity')}" data-swap="change">
    ${namedOffer(it)}
    <input
      type="number"
      name="quantity"
      value="${it.Quantity}"
      min="1"
      max="9999"
      aria-label="${texts.quantity}: ${name}"
    />
    <button class="round" formaction="${at('remove')}" aria-label="${fill(texts.removeNamed, { name })}">
      ${icon('trash')}
    </button>
  </form>`
}

/** A refused change shows the shared cart with the reason. */
async function change(
  visit: Visit,
  run: (id: string) => Promise<unknown>,
  to = `/shared/${idOf(visit)}`,
): Promise<Reply> {
  try {
    await run(idOf(visit))
    return { kind: 'redirect', status: 303, to: visit.at(to) }
  } catch (error) {
    if (!(error instanceof BozorError) || error.status === 401) throw error
    // Another member may have removed the line: show what there is.
    return error.status === 404 ? sharedPage(visit) : sharedPage(visit, error)
  }
}

export const joinShared = (visit: Visit): Promise<Reply> =>
  change(visit, (id) =>
    visit.bozor.sharedCarts.join({ id, ...visit.buyer, Token: visit.form['token'] ?? '' }),
  )

/** Adds what is in the visitor's own cart and not yet here: sent twice, it adds nothing. */
export const addToShared = (visit: Visit): Promise<Reply> =>
  change(visit, async (id) => {
    const [own, shared] = await Promise.all([
      visit.bozor.cart.get(visit.buyer),
      visit.bozor.sharedCarts.get({ id, ...visit.buyer }),
    ])
    const here = linesOf(shared).filter((it) => String(it.AddedBy) === String(shared.RequesterId))
    for (const line of [...own.Items, ...own.ModeratedItems]) {
      const Quantity = line.Quantity - (here.find((it) => isSameOffer(it, line))?.Quantity ?? 0)
      if (Quantity > 0)
        await visit.bozor.sharedCarts.addItem({ id, ...visit.buyer, ...offerIn(line), Quantity })
    }
  })

const offerIn = (it: Offered): Offered =>
  'OfferId' in it ? { OfferId: it.OfferId } : { ModeratedOfferId: it.ModeratedOfferId }

const isSameOffer = (one: Offered, other: Offered): boolean =>
  JSON.stringify(offerIn(one)) === JSON.stringify(offerIn(other))

/** The offer that a form names. */
const offerOf = ({ form }: Visit): Offered =>
  form['moderated'] === 'true'
    ? { ModeratedOfferId: Number(form['offer']) || 0 }
    : { OfferId: Number(form['offer']) || 0 }

export const changeShared = (visit: Visit): Promise<Reply> =>
  change(visit, (id) =>
    visit.bozor.sharedCarts.setQuantity({
      id,
      ...visit.buyer,
      ...offerOf(visit),
      NewQuantity: Math.max(1, Number(visit.form['quantity']) || 1),
    }),
  )

export const removeShared = (visit: Visit): Promise<Reply> =>
  change(visit, (id) => visit.bozor.sharedCarts.removeAnyItem({ id, ...visit.buyer, ...offerOf(visit) }))

export const takeShared = (visit: Visit): Promise<Reply> =>
  change(visit, (id) => visit.bozor.sharedCarts.copyToCart({ id, ...visit.buyer }), '/cart')
