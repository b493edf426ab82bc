// Cards of products in rows and grids, from lists and from recommendations.

import type { Product, WebOffer } from '../../sdk/index.ts'
import { html, type Html } from '../../http/html.ts'
import { productIdPath, productPath, productSlugOf } from './path.ts'
import { fill } from './texts/index.ts'
import type { Visit } from './visit.ts'

/** The title of a promotion in the visitor's language; Russian where the shop gave no other. */
export function promotionTitle(
  visit: Pick<Visit, 'language' | 'say'>,
  promotion: Product['events'][number],
): string {
  const { title, title_uz: uzbek, title_en: english } = promotion
  if (visit.language === 'en') return english || title
  return visit.language === 'ru' ? title : visit.say(uzbek || title)
}

export interface Card {
  productId: string
  offerId: string | null
  moderatedOfferId?: string
  name: string
  /** Null if only the id is known. */
  slug: string | null
  image: string
  /** In tiyin. */
  price: number | null
  oldPrice: number | null
  discount: number | null
  rating: number | null
  partner?: string
  monthly?: { amount: number; months: number }
  inStock: boolean
  /** The list it was recommended in. */
  listId?: string
  /** The search that found it. */
  searchId?: string
}

const pictureOf = (images: readonly { md_path: string }[]): string => images[0]?.md_path ?? ''

export const productCard = (it: Product): Card => ({
  productId: it.id,
  offerId: it.best_offer_id,
  name: it.name,
  slug: it.slug,
  image: pictureOf(it.images),
  price: it.price?.amount ?? null,
  oldPrice: it.old_price?.amount ?? null,
  discount: it.discount,
  rating: it.rating,
  inStock: it.in_stock,
})

/** With the id under which clicks and additions are reported, from which search learns. */
export const foundCards = (products: readonly Product[], searchId: string | null): Card[] =>
  products.map((it) => ({ ...productCard(it), ...(searchId !== null && { searchId }) }))

/** Recommendations give the large picture; cards need the middle one. */
const middlePicture = (path: string): string => path.replace(/\/lg\.svg$/, '/md.svg')

export const offerCards = (offers: readonly WebOffer[], listId: string | undefined): Card[] =>
  offers
    .filter((it) => it.product_id !== null)
    .map((it) => ({
      productId: String(it.product_id),
      offerId: it.offer_id === null ? null : String(it.offer_id),
      ...(it.moderated_offer_id !== null && { moderatedOfferId: it.moderated_offer_id }),
      name: it.name,
      slug: productSlugOf(it.slug, it.offer_id),
      image: middlePicture(it.image_path),
      price: it.price,
      oldPrice: it.raw_old_price,
      discount: it.discount,
      rating: it.rating,
      partner: it.partner.name,
      ...(it.condition &&
        it.monthly_loan_repayment !== undefined && {
          monthly: { amount: it.monthly_loan_repayment, months: it.condition.duration },
        }),
      inStock: it.quantity > 0,
      ...(listId !== undefined && { listId }),
    }))

export const cardPath = ({ slug, productId }: Pick<Card, 'slug' | 'productId'>): string =>
  slug === null ? productIdPath(productId) : productPath(slug)

export function card(visit: Visit, it: Card): Html {
  const { texts, format } = visit
  const name = visit.nameOf(it.name)
  return html`<article
    class="card"
    ${it.offerId !== null && html`data-offer="${it.offerId}"`}
    ${it.listId !== undefined && html`data-list="${it.listId}"`}
    ${it.searchId !== undefined && html`data-search="${it.searchId}"`}
  >
    <div class="card-picture">
      <img src="${visit.picture(it.image)}" alt="" width="240" height="240" loading="lazy" />
      ${it.discount !== null && html`<b class="off">−${Math.abs(it.discount)}%</b>`}
    </div>
    <p class="card-price">
      ${
        it.price === null
          ? html`<span class="muted">${texts.soldOut}</span>`
          : html`<b ${it.oldPrice !== null && html`class="deal"`}>${format.money({ amount: it.price })}</b>`
      }
      ${it.oldPrice !== null && html`<s>${format.money({ amount: it.oldPrice })}</s>`}
    </p>
    ${
      it.monthly &&
      html`<p class="monthly">
        ${fill(texts.perMonth, { amount: format.about(it.monthly) })} ×&nbsp;${it.monthly.months}
      </p>`
    }
    <h3><a class="card-link" href="${visit.at(cardPath(it))}">${name}</a></h3>
    <p class="card-foot">
      ${it.rating !== null && html`<span class="stars">★ ${it.rating.toFixed(1)}</span>`}
      ${it.partner !== undefined && html`<span class="muted">${it.partner}</span>`}
    </p>
    ${it.offerId !== null && cardButtons(visit, it.offerId, { ...it, name })}
  </article>`
}

/** The cards of a page share one form: a form with hidden fields in each card would be a quarter of all elements. */
const cardFormId = 'cards'

export const cardForm = (visit: Visit): Html =>
  html`<form id="${cardFormId}" method="post" action="${visit.at('/cart/add')}" data-quiet></form>`

function cardButtons(visit: Visit, offerId: string, it: Card): Html {
  const origin = it.listId ? `list=${it.listId}` : it.searchId ? `search=${it.searchId}` : undefined
  return html`${
      it.inStock &&
      html`<button
        class="button soft"
        form="${cardFormId}"
        name="offer"
        value="${offerId}"
        ${origin !== undefined && html`formaction="${visit.at('/cart/add')}?${origin}"`}
        aria-label="${fill(visit.texts.addNamed, { name: it.name })}"
      >
        ${visit.texts.addToCart}
      </button>`
    }
    ${!it.inStock && it.price !== null && html`<p class="card-sold">${visit.texts.soldOut}</p>`}
    <button
      class="round heart"
      form="${cardFormId}"
      name="offer"
      value="${offerId}"
      formaction="${visit.at('/wishlist/add')}"
      aria-label="${fill(visit.texts.saveNamed, { name: it.name })}"
    ></button>`
}

export const grid = (visit: Visit, cards: readonly Card[]): Html =>
  html`<div class="grid">${cards.map((it) => card(visit, it))}</div>`

/** A row that scrolls sideways. */
export const row = (
  visit: Visit,
  it: { title: string; cards: readonly Card[]; all?: string },
): Html | false =>
  it.cards.length > 0 &&
  html`<section class="row">
    <div class="row-head">
      <h2>${it.title}</h2>
      ${it.all !== undefined && html`<a href="${it.all}">${visit.texts.showAll}</a>`}
    </div>
    <div class="strip-scroll" tabindex="0" role="group" aria-label="${it.title}">
      ${it.cards.map((card_) => card(visit, card_))}
    </div>
  </section>`
