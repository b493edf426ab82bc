// A product: variants, the offers of all partners, instalments, and what belongs to it.

import type { DeliveryMethod, Offer, ProductDetail, Variant } from '../../../sdk/index.ts'
import { cardPath, promotionTitle, row } from '../cards.ts'
import { ancestry } from '../frame.ts'
import { html, type Html } from '../../../http/html.ts'
import { jsonLd } from '../structured.ts'
import { icon } from '../icons.ts'
import { page } from '../layout.ts'
import { productPath, productSlugOf } from '../path.ts'
import { recommended } from '../recommend.ts'
import { recentlyViewed } from '../seen.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { breadcrumbs } from './listing.ts'
import { loadReviews, type Reviews, reviewsSection, writeReview } from './reviews.ts'
import { monthlyOf } from '../instalment-plan.ts'
import { instalments, offerPlan, offerTerms } from './instalments.ts'
import { deliveryMethods, gallery, loadDeliveryMethods, specifications } from './product-details.ts'

const fewUnits = 5

export async function productPage(visit: Visit): Promise<Reply> {
  const { product } = await visit.bozor.products.getBySlug({ slug: visit.params['slug'] ?? '' })
  return visit.path === productPath(product.slug) ? shown(visit, product) : movedTo(visit, product)
}

/** Addresses with an id, and those from before a renaming, redirect to the current slug. */
export const productById = async (visit: Visit): Promise<Reply> => movedTo(visit, await byId(visit))

const byId = async ({ bozor, params }: Visit): Promise<ProductDetail> =>
  (await bozor.products.get({ product_id: params['id'] ?? '' })).product

function movedTo(visit: Visit, { slug }: ProductDetail): Reply {
  const query = visit.query.size > 0 ? `?${visit.query}` : ''
  return { kind: 'redirect', status: 301, to: visit.at(productPath(slug)) + query }
}

async function shown(visit: Visit, product: ProductDetail, problem?: string): Promise<Reply> {
  const canonical = productPath(product.slug)
  const chosen = chosenOffer(visit, product)
  const offerIds = chosen ? [chosen.id] : []
  const [frame, related, together, seen, reviews, delivery] = await Promise.all([
    visit.frame(),
    recommended(visit, 'offer_page', offerIds),
    recommended(visit, 'cart_page', offerIds),
    recentlyViewed(visit, product.id),
    loadReviews(visit, product.id),
    loadDeliveryMethods(visit, chosen),
  ])
  const isShown = new Set(related.slice(0, 12).map((it) => it.productId))
  const name = visit.nameOf(product.name)
  const content = html`<div class="wrap" ${chosen && html`data-view="${chosen.id}"`}>
    ${breadcrumbs(visit, ancestry(frame.categories, product.category_id))}
    <div class="product">
      ${gallery(visit, product, chosen)}
      <div class="product-head">
        <h1>${name}</h1>
        ${productLine(visit, product)} ${variantChoice(visit, product, chosen)}
      </div>
      <aside class="buy-box">${buyBox(visit, { offer: chosen, name, delivery })}</aside>
      <div class="product-about">
        <section class="about">
          <h2>${visit.texts.about}</h2>
          <p>${visit.describe(product.description, product.name)}</p>
        </section>
        ${specifications(visit, product)}
      </div>
    </div>
    ${offersOf(visit, product, chosen)}
    ${row(visit, { title: visit.texts.similar, cards: related.slice(0, 12) })}
    ${row(visit, {
      title: visit.texts.boughtTogether,
      cards: together.filter((it) => !isShown.has(it.productId)).slice(0, 12),
    })}
    ${reviewsSection(visit, { productId: product.id, ...reviews }, problem)}
    ${row(visit, { title: visit.texts.recentlyViewed, cards: seen })}
    ${chosen?.in_stock && buyBar(visit, chosen)}
  </div>`
  const structured = productData(visit, product, reviews)
  return page(visit, {
    title: name,
    description: visit.describe(product.description, product.name),
    canonical,
    content,
    structured,
    ...(problem !== undefined && { status: 422 }),
  })
}

export const reviewProduct = (visit: Visit): Promise<Reply> =>
  writeReview(visit, async (_, problem) => shown(visit, await byId(visit), problem))

/** The offer named in the address, else the best one of the chosen variant, else the best one. */
function chosenOffer({ query }: Visit, { offers, best_offer: best }: ProductDetail): Offer | undefined {
  const named = offers.find((it) => it.id === query.get('offer'))
  if (named) return named
  const variant = query.get('variant')
  const ofVariant = offers.filter((it) => it.variant_id === variant && it.in_stock)
  return variant === null ? (best ?? offers[0]) : (cheapest(ofVariant) ?? best ?? offers[0])
}

const cheapest = (offers: readonly Offer[]): Offer | undefined =>
  offers.toSorted((a, b) => a.price.amount - b.price.amount)[0]

const productLine = (visit: Visit, { rating, brand, offers_count: count, events }: ProductDetail): Html =>
  html`<p class="product-line">
    ${rating !== null && html`<span class="stars">★ ${rating.toFixed(1)}</span>`}
    ${
      brand &&
      html`<a href="${visit.at('/search')}?${new URLSearchParams({ brand: brand.slug }).toString()}"
        >${brand.name}</a
      >`
    }
    <span class="muted">${fill(visit.texts.offersCount, { n: count })}</span>
    ${events.map((it) => html`<span class="tag">${promotionTitle(visit, it)}</span>`)}
  </p>`

/** Variants as links; one without an offer in stock is marked. */
function variantChoice(visit: Visit, product: ProductDetail, chosen: Offer | undefined): Html | false {
  const { variants, offers } = product
  if (variants.length === 0) return false
  const isSold = ({ id }: Variant) => !offers.some((it) => it.variant_id === id && it.in_stock)
  const to = visit.at(productPath(product.slug))
  return html`<nav class="variants" aria-label="${visit.texts.chooseVariant}">
    ${variants.map(
      (it) =>
        html`<a
          class="chip ${isSold(it) && 'sold'}"
          href="${to}?variant=${it.id}"
          data-swap-link
          ${it.id === chosen?.variant_id && html`aria-current="true"`}
          >${visit.say(it.name)}</a
        >`,
    )}
  </nav>`
}

function buyBox(
  visit: Visit,
  { offer, name, delivery }: { offer: Offer | undefined; name: string; delivery: DeliveryMethod[] },
): Html {
  const { texts, format } = visit
  if (!offer) return html`<p class="price">${texts.soldOut}</p>`
  return html`<div class="price-row">
      <p class="price ${offer.old_price && 'deal'}">${format.money(offer.price)}</p>
      ${offer.discount !== null && html`<b class="off-tag">−${Math.abs(offer.discount)}%</b>`}
      ${offer.old_price && html`<p><s>${format.money(offer.old_price)}</s></p>`}
    </div>
    ${monthlyLine(visit, offer)} ${stockLine(visit, offer)}
    <form class="buy" id="buy" method="post" action="${visit.at('/cart/add')}" data-quiet>
      <input type="hidden" name="offer" value="${offer.id}" />
      ${offer.loan_conditions.length > 0 && conditionField(visit, offer)}
      ${
        offer.in_stock &&
        html`<div class="buy-row">
          <label class="units"
            ><span>${texts.quantity}</span>
            <input type="number" name="quantity" value="1" min="1" max="${Math.min(offer.quantity, 9999)}" />
          </label>
          <button class="button brand wide">${icon('cart')}<span>${texts.addToCart}</span></button>
        </div>`
      }
      <button
        class="button soft wide"
        formaction="${visit.at('/wishlist/add')}"
        aria-label="${fill(texts.saveNamed, { name })}"
      >
        ${icon('heart')}<span>${texts.toWishlist}</span>
      </button>
    </form>
    ${partnerLine(visit, offer)} ${instalments(visit, offer)} ${deliveryMethods(visit, delivery)}
    <p class="promise">${icon('back')}<span>${texts.returnsHint}</span></p>`
}

/** On a phone price and button are always in reach. */
const buyBar = ({ texts, format }: Visit, { price, old_price: before }: Offer): Html =>
  html`<div class="cart-bar">
    <p><b>${format.money(price)}</b>${before && html`<s>${format.money(before)}</s>`}</p>
    <button class="button brand" form="buy">${icon('cart')}<span>${texts.addToCart}</span></button>
  </div>`

/** The smallest monthly payment, as a badge beside the price. */
function monthlyLine({ texts, format }: Visit, offer: Offer): Html | false {
  const longest = offerTerms(offer).at(-1)
  return (
    longest !== undefined &&
    html`<p class="monthly large">
      ${fill(texts.perMonth, { amount: format.about(monthlyOf(offerPlan(offer, longest))) })} ×
      ${longest.duration}
    </p>`
  )
}

const stockLine = ({ texts }: Visit, { in_stock: isInStock, quantity }: Offer): Html =>
  isInStock
    ? html`<p class="stock ${quantity <= fewUnits && 'few'}">
        ${fill(quantity <= fewUnits ? texts.lastUnits : texts.inStock, { n: quantity })}
      </p>`
    : html`<p class="stock none">${texts.soldOut}</p>`

const conditionField = ({ texts, format }: Visit, offer: Offer): Html =>
  html`<label class="field"
    ><span>${texts.paidBy}</span>
    <select name="condition">
      <option value="">${texts.payAtOnce}</option>
      ${offerTerms(offer).map(
        (it) =>
          html`<option value="${it.id}">
            ${fill(texts.months, { n: it.duration })}:
            ${fill(texts.perMonth, { amount: format.about(monthlyOf(offerPlan(offer, it))) })}
          </option>`,
      )}
    </select></label
  >`

const partnerLine = (visit: Visit, { partner }: Offer): Html =>
  html`<p class="partner">
    <img src="${visit.picture(partner.logo_path)}" alt="" width="40" height="40" loading="lazy" />
    <span
      ><a href="${visit.at('/search')}?${new URLSearchParams({ partner: partner.slug }).toString()}"
        >${partner.name}</a
      >
      <small
        >★ ${partner.rating.toFixed(1)}${partner.is_recommended && ` · ${visit.texts.verified}`}</small
      ></span
    >
  </p>`

/** The same product from other partners, the cheapest first. */
function offersOf(visit: Visit, product: ProductDetail, chosen: Offer | undefined): Html | false {
  const variantId = chosen?.variant_id ?? null
  const offers = product.offers
    .filter((it) => it.variant_id === variantId && it.in_stock)
    .toSorted((a, b) => a.price.amount - b.price.amount)
  return (
    offers.length > 1 &&
    html`<section class="row offers">
      <h2>${visit.texts.otherOffers}</h2>
      <ul>
        ${offers.map((it, at) => offerLine(visit, it, at === 0))}
      </ul>
    </section>`
  )
}

const offerLine = (visit: Visit, it: Offer, isBest: boolean): Html =>
  html`<li>
    ${partnerLine(visit, it)}
    <p class="card-price">
      <b>${visit.format.money(it.price)}</b>
      ${it.old_price && html`<s>${visit.format.money(it.old_price)}</s>`}
      ${isBest && html`<span class="tag">${visit.texts.bestOffer}</span>`}
    </p>
    ${stockLine(visit, it)}
    <form method="post" action="${visit.at('/cart/add')}" data-quiet>
      <input type="hidden" name="offer" value="${it.id}" />
      <button class="button soft" aria-label="${fill(visit.texts.addNamed, { name: it.partner.name })}">
        ${visit.texts.addToCart}
      </button>
    </form>
  </li>`

function productData(visit: Visit, product: ProductDetail, { rating }: Reviews): Html {
  const url = `${visit.origin}${visit.at(productPath(product.slug))}`
  const prices = product.offers.map((it) => it.price.amount / 100)
  return jsonLd({
    '@type': 'Product',
    name: visit.nameOf(product.name),
    description: visit.describe(product.description, product.name),
    sku: product.id,
    url,
    image: product.images.map((it) => it.lg_path),
    ...(product.brand && { brand: { '@type': 'Brand', name: product.brand.name } }),
    ...(rating.average !== null && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: rating.average,
        reviewCount: rating.count,
      },
    }),
    ...(prices.length > 0 && {
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: product.offers[0]!.price.currency,
        lowPrice: Math.min(...prices),
        highPrice: Math.max(...prices),
        offerCount: prices.length,
        availability: `https://schema.org/${product.in_stock ? 'InStock' : 'OutOfStock'}`,
      },
    }),
  })
}

/** Carts and orders refer to offers; the page of an offer is that of its product. */
export async function offerPage(visit: Visit): Promise<Reply> {
  const { offer } = await visit.bozor.offers.get({ offer_id: visit.params['id'] ?? '' })
  const to = cardPath({ productId: offer.product_id, slug: productSlugOf(offer.slug, offer.id) })
  return { kind: 'redirect', to: visit.at(`${to}?offer=${offer.id}`) }
}
