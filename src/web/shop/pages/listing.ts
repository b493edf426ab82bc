// Categories, search and deals: one list with filters, sorting and pages.

import type { Category, Operations } from '../../../sdk/index.ts'
import { foundCards, grid, row } from '../cards.ts'
import { ancestry, childrenOf } from '../frame.ts'
import { html, type Html } from '../../../http/html.ts'
import { jsonLd } from '../structured.ts'
import { icon } from '../icons.ts'
import { page } from '../layout.ts'
import { categoryPath } from '../path.ts'
import { recommended } from '../recommend.ts'
import type { Reply } from '../storefront.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { chosenFilters, chosenChips } from './chosen-filters.ts'
import { attributesOf, filterForm, sortForm } from './filters.ts'

type SearchReply = Operations['products.search']['reply']
type SearchInput = Operations['products.search']['input']

const perPage = 24
const maxPage = 400

/** What the address asks for; values that the API would refuse are left out. */
function inputOf({ query }: Visit): SearchInput {
  const text = (name: string) => query.get(name)?.trim().slice(0, 200) || undefined
  const number = (name: string, most: number) => {
    const value = Number(query.get(name))
    return Number.isFinite(value) && value > 0 && value <= most ? value : undefined
  }
  const several = (name: string) => query.getAll(name).filter(Boolean).join(',').slice(0, 900) || undefined
  const sums = (name: string) => {
    const value = number(name, 1e12)
    return value === undefined ? undefined : Math.round(value) * 100
  }
  const sort = text('sort')
  const input = {
    q: text('q'),
    exact: query.get('exact') === 'true' || undefined,
    brand: several('brand'),
    partner: several('partner'),
    price_min: sums('price_min'),
    price_max: sums('price_max'),
    rating_min: number('rating_min', 5),
    in_stock: query.get('in_stock') === 'true' || undefined,
    discounted: query.get('discounted') === 'true' || undefined,
    page: Math.floor(number('page', maxPage) ?? 1),
    attributes: attributesOf(query),
    sort: sorts.includes(sort as (typeof sorts)[number]) ? sort : undefined,
  }
  return Object.fromEntries(Object.entries(input).filter(([, it]) => it !== undefined)) as SearchInput
}

export const sorts = [
  'relevance',
  '-popularity',
  'price',
  '-price',
  '-rating',
  '-discount',
  '-created_at',
] as const

async function find(visit: Visit, more: SearchInput): Promise<SearchReply> {
  const input: SearchInput = { per_page: perPage, ...inputOf(visit), ...more }
  return (await visit.bozor.products.search(input)).data
}

/** Addresses with an id, and those from before a renaming, redirect to the current slug. */
export async function categoryById(visit: Visit): Promise<Reply> {
  const { category } = await visit.bozor.categories.get({ category_id: visit.params['id'] ?? '' })
  return movedTo(visit, category)
}

const movedTo = (visit: Visit, category: Category): Reply => ({
  kind: 'redirect',
  status: 301,
  to: visit.at(categoryPath(category)) + (visit.query.size > 0 ? `?${visit.query}` : ''),
})

export async function categoryPage(visit: Visit): Promise<Reply> {
  const { category } = await visit.bozor.categories.getBySlug({ slug: visit.params['slug'] ?? '' })
  const canonical = categoryPath(category)
  if (visit.path !== canonical) return movedTo(visit, category)
  const { id } = category
  const [frame, found] = await Promise.all([
    visit.frame(),
    find(visit, { category_id: id, sort: '-popularity', ...sortOf(visit) }),
  ])
  const path = ancestry(frame.categories, id)
  const below = childrenOf(frame.categories, id)
  const name = visit.say(category.name)
  const content = html`<div class="wrap">
    ${breadcrumbs(visit, path.slice(0, -1))}
    <h1>${name}</h1>
    ${category.description && html`<p class="lead">${visit.say(category.description)}</p>`}
    ${
      below.length > 0 &&
      html`<nav class="chips" aria-label="${visit.texts.categories}">
        ${below.map((it) => html`<a class="chip" href="${visit.at(categoryPath(it))}">${visit.say(it.name)}</a>`)}
      </nav>`
    }
    ${await results(visit, found)}
  </div>`
  return page(visit, {
    title: name,
    description: visit.say(category.description),
    canonical,
    content,
    structured: breadcrumbList(visit, path),
  })
}

const sortOf = (visit: Visit): SearchInput => {
  const { sort } = inputOf(visit)
  return sort === undefined ? {} : { sort }
}

export async function searchPage(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const q = (visit.query.get('q') ?? '').trim()
  const found = await find(visit, {})
  const title = q === '' ? texts.catalog : fill(texts.resultsFor, { q: found.corrected ?? q })
  const content = html`<div class="wrap">
    ${
      found.products.length === 0 && q !== ''
        ? await nothing(visit, q, found)
        : html`<h1>${title}</h1>
            ${searchedInstead(visit, q, found)} ${await results(visit, found)}`
    }
  </div>`
  return page(visit, { title, isPrivate: true, content })
}

/** Says what was searched if it is not what was typed, and how to search exactly that. */
function searchedInstead(visit: Visit, q: string, { corrected, left_out: leftOut }: SearchReply): Html {
  const { texts } = visit
  const typed = `${visit.at(visit.path)}?${new URLSearchParams({ q, exact: 'true' })}`
  return html`${
    corrected !== null &&
    html`<p class="searched">
      ${texts.corrected}
      <a class="quiet-link" href="${typed}">${fill(texts.searchTyped, { q })}</a>
    </p>`
  }
  ${leftOut.length > 0 && html`<p class="searched">${fill(texts.leftOut, { words: leftOut.join(', ') })}</p>`}`
}

export async function dealsPage(visit: Visit): Promise<Reply> {
  const found = await find(visit, { discounted: true, sort: '-popularity', ...sortOf(visit) })
  const content = html`<div class="wrap">
    <h1>${visit.texts.deals}</h1>
    ${await results(visit, found)}
  </div>`
  return page(visit, { title: visit.texts.deals, canonical: '/deals', content })
}

async function results(visit: Visit, found: SearchReply): Promise<Html> {
  const { texts } = visit
  const total = found.pagination.total ?? found.pagination.total_at_least ?? 0
  const chosen = chosenFilters(visit, found.facets)
  if (found.products.length === 0)
    return html`<section class="empty">
        ${icon('search')}
        <h2>${texts.nothingHere}</h2>
        <p>${texts.nothingHint}</p>
        ${chosenChips(visit, chosen)}
        ${chosen.length > 0 && html`<a class="button brand" href="${withoutFilters(visit)}">${texts.withoutFilters}</a>`}
      </section>
      ${await alternatives(visit)}`
  return html`<div class="listing">
    ${filterForm(visit, found.facets, { chosen: chosen.length, total })}
    <section class="found">
      <div class="found-head">
        <h2 class="found-count">${fill(texts.productsFound, { n: total })}</h2>
        ${sortForm(visit)}
      </div>
      ${chosenChips(visit, chosen)} ${grid(visit, foundCards(found.products, found.search_id))}
      ${pager(visit, found.pagination.pages ?? 1)}
    </section>
  </div>`
}

async function nothing(visit: Visit, q: string, found: SearchReply): Promise<Html> {
  const chosen = chosenFilters(visit, found.facets)
  return html`<section class="empty">
      ${icon('search')}
      <h1>${fill(visit.texts.nothingFound, { q })}</h1>
      <p>${chosen.length > 0 ? visit.texts.nothingHint : visit.texts.nothingTyped}</p>
      ${chosenChips(visit, chosen)}
      ${
        chosen.length > 0 &&
        html`<a class="button brand" href="${withoutFilters(visit)}">${visit.texts.withoutFilters}</a>`
      }
    </section>
    ${categoryChips(visit, found.alternatives?.categories ?? [])} ${await alternatives(visit)}`
}

const categoryChips = (visit: Visit, categories: { name: string; slug: string }[]): Html | false =>
  categories.length > 0 &&
  html`<h2>${visit.texts.tryCategories}</h2>
    <nav class="chips" aria-label="${visit.texts.tryCategories}">
      ${categories.map((it) => html`<a class="chip" href="${visit.at(categoryPath(it))}">${visit.say(it.name)}</a>`)}
    </nav>`

const alternatives = async (visit: Visit): Promise<Html | false> =>
  row(visit, { title: visit.texts.forYou, cards: await recommended(visit, 'main_page') })

function withoutFilters(visit: Visit): string {
  const q = visit.query.get('q')
  return visit.at(visit.path) + (q ? `?${new URLSearchParams({ q })}` : '')
}

export const pageOf = ({ query }: Visit): number => Math.max(1, Math.floor(Number(query.get('page')) || 1))

/** Numbered pages around the current one. */
export function pager(visit: Visit, pages: number): Html | false {
  const current = pageOf(visit)
  const last = Math.min(pages, maxPage)
  if (last <= 1) return false
  const to = (number: number) => {
    const query = new URLSearchParams(visit.query)
    query.set('page', String(number))
    return `${visit.at(visit.path)}?${query}`
  }
  const numbers = [...new Set([1, current - 1, current, current + 1, last])].filter(
    (it) => it >= 1 && it <= last,
  )
  return html`<nav class="pager" aria-label="${visit.texts.pages}">
    ${current > 1 && html`<a class="button soft" rel="prev" href="${to(current - 1)}">${visit.texts.previous}</a>`}
    ${numbers.map(
      (it, at) =>
        html`${it - (numbers[at - 1] ?? it) > 1 && html`<span class="gap" aria-hidden="true">…</span>`}
          <a class="number" href="${to(it)}" ${it === current && html`aria-current="page"`}>${it}</a>`,
    )}
    ${current < last && html`<a class="button soft" rel="next" href="${to(current + 1)}">${visit.texts.next}</a>`}
  </nav>`
}

export const breadcrumbs = (visit: Visit, path: { slug: string; name: string }[]): Html =>
  html`<nav class="crumbs" aria-label="${visit.texts.breadcrumbs}">
    <a href="${visit.at('')}">${visit.texts.home}</a>
    ${path.map((it) => html`<a href="${visit.at(categoryPath(it))}">${visit.say(it.name)}</a>`)}
  </nav>`

export const breadcrumbList = (visit: Visit, path: { slug: string; name: string }[]): Html =>
  jsonLd({
    '@type': 'BreadcrumbList',
    itemListElement: path.map((it, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: visit.say(it.name),
      item: `${visit.origin}${visit.at(categoryPath(it))}`,
    })),
  })
