// The home page: promotions, categories and recommendations.

import type { Category, Product } from '../../../sdk/index.ts'
import { type Card, cardPath, grid, productCard, promotionTitle, row } from '../cards.ts'
import { childrenOf, loadShowcase } from '../frame.ts'
import { html, type Html } from '../../../http/html.ts'
import { jsonLd } from '../structured.ts'
import { page } from '../layout.ts'
import { categoryPath } from '../path.ts'
import { recommended } from '../recommend.ts'
import { recentlyViewed } from '../seen.ts'
import type { Reply } from '../storefront.ts'
import type { Frame, Visit } from '../visit.ts'

const rowLength = 12
const maxPromotions = 4
const minPromoted = 4

export async function homePage(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const [forYou, shared, seen] = await Promise.all([
    recommended(visit, 'main_page'),
    visit.keep('home', () => sharedParts(visit)),
    recentlyViewed(visit),
  ])
  const content = html`<div class="wrap">
    <h1 class="hidden-title">${texts.shopName}: ${texts.slogan}</h1>
    ${shared.above} ${row(visit, { title: texts.recentlyViewed, cards: seen })}
    ${
      forYou.length > 0 &&
      html`<section class="row picks">
        <div class="row-head"><h2>${texts.forYou}</h2></div>
        ${grid(visit, forYou.slice(0, 18))}
      </section>`
    }
    ${shared.below}
  </div>`
  return page(visit, {
    title: texts.slogan,
    canonical: '',
    content,
    structured: jsonLd({
      '@type': 'WebSite',
      name: texts.shopName,
      url: `${visit.origin}${visit.at('')}`,
      potentialAction: {
        '@type': 'SearchAction',
        target: `${visit.origin}${visit.at('/search')}?q={query}`,
        'query-input': 'required name=query',
      },
    }),
  })
}

/** What all visitors see alike, above and below what is chosen for one of them. */
async function sharedParts(visit: Visit): Promise<{ above: Html; below: Html }> {
  const [frame, { deals, discounts, popular }] = await Promise.all([visit.frame(), loadShowcase(visit)])
  const promotions = promotionsIn([...deals, ...discounts, ...popular])
  return {
    above: html`${heroes(visit, promotions)} ${categoryTiles(visit, frame)}`,
    below: html`${promotions.map(({ promotion, products }) =>
      row(visit, {
        title: promotionTitle(visit, promotion),
        cards: products.slice(0, rowLength).map(productCard),
        all: visit.at('/deals'),
      }),
    )}
    ${row(visit, {
      title: visit.texts.popular,
      cards: popular.slice(0, rowLength).map(productCard),
      all: visit.at('/search?sort=-popularity'),
    })}`,
  }
}

interface PromotionRow {
  promotion: Product['events'][number]
  products: Product[]
}

/** The running promotions with the most popular of their products. */
function promotionsIn(products: readonly Product[]): PromotionRow[] {
  const rows = new Map<string, PromotionRow>()
  const seen = new Set<string>()
  for (const product of products) {
    if (seen.has(product.id)) continue
    seen.add(product.id)
    for (const promotion of product.events) {
      const found = rows.get(promotion.slug) ?? { promotion, products: [] }
      found.products.push(product)
      rows.set(promotion.slug, found)
    }
  }
  return [...rows.values()]
    .filter((it) => it.products.length >= minPromoted)
    .toSorted((a, b) => dearest(b.products) - dearest(a.products))
    .slice(0, maxPromotions)
}

const dearest = (products: readonly Product[]): number =>
  Math.max(...products.map((it) => it.price?.amount ?? 0))

/** One panel per promotion with three of its products. */
const heroes = (visit: Visit, promotions: PromotionRow[]): Html | false =>
  promotions.length > 0 &&
  html`<div class="heroes" tabindex="0" role="group" aria-label="${visit.texts.deals}">
    ${promotions.map(
      ({ promotion, products }, at) =>
        html`<section class="hero hero-${at % 4}">
          <div class="hero-text">
            <h2>${promotionTitle(visit, promotion)}</h2>
            <a class="button light" href="${visit.at('/deals')}">${visit.texts.showAll}</a>
          </div>
          <div class="hero-pictures">
            ${products.slice(0, 3).map((it, place) => heroPicture(visit, productCard(it), at === 0 && place < 2))}
          </div>
        </section>`,
    )}
  </div>`

/** Phones show two pictures of the first panel; the others are loaded when they come near. */
const heroPicture = (visit: Visit, it: Card, isFirst: boolean): Html =>
  html`<a href="${visit.at(cardPath(it))}">
    <img
      src="${visit.picture(it.image)}"
      alt="${visit.nameOf(it.name)}"
      width="150"
      height="150"
      ${isFirst ? html`fetchpriority="high"` : html`loading="lazy"`}
    />
    ${it.price !== null && html`<b>${visit.format.money({ amount: it.price })}</b>`}
  </a>`

/** The categories below one, or those at the top. */
const categoryTiles = (visit: Visit, { categories }: Frame, parent?: Category): Html =>
  html`<nav class="tiles" aria-label="${parent ? visit.say(parent.name) : visit.texts.categories}">
    ${childrenOf(categories, parent?.id ?? null).map(
      (it) =>
        html`<a class="tile" href="${visit.at(categoryPath(it))}">
          <img src="${visit.picture(it.image_url)}" alt="" width="120" height="90" loading="lazy" />
          <span>${visit.say(it.name)}</span>
        </a>`,
    )}
  </nav>`

/** All categories on one page, for phones and for search engines. */
export async function catalogPage(visit: Visit): Promise<Reply> {
  const frame = await visit.frame()
  const content = html`<div class="wrap">
    <h1>${visit.texts.catalog}</h1>
    <div class="catalog">
      ${childrenOf(frame.categories, null).map(
        (top) =>
          html`<section>
            <div class="row-head">
              <h2><a href="${visit.at(categoryPath(top))}">${visit.say(top.name)}</a></h2>
            </div>
            ${categoryTiles(visit, frame, top)}
          </section>`,
      )}
    </div>
  </div>`
  return page(visit, { title: visit.texts.catalog, canonical: '/catalog', content })
}
