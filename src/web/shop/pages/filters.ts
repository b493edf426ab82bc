// The filters and the order of a list, as forms that work without script.

import type { Operations } from '../../../sdk/index.ts'
import { inSums } from '../format.ts'
import { html, type Html } from '../../../http/html.ts'
import { fill, type TextKey } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

export type Facets = Operations['products.search']['reply']['facets']

/** The others are behind a button: few elements open fast on a phone. */
const shownValues = 6

/** The form keeps the query and the order; changing a filter begins at the first page. */
export function filterForm(
  visit: Visit,
  facets: Facets,
  { chosen, total }: { chosen: number; total: number },
): Html {
  const { texts, query } = visit
  return html`<details class="filters" id="filters" data-filters>
    <summary class="button soft">
      ${texts.filters}${chosen > 0 && html`<b class="chosen-count">${chosen}</b>`}
    </summary>
    <form action="${visit.at(visit.path)}" data-swap="change">
      ${kept(visit, ['q', 'exact', 'sort'])} ${priceFields(visit, facets)}
      ${choices(visit, { name: 'brand', title: texts.brand, values: facets.brands })}
      ${choices(visit, { name: 'partner', title: texts.partner, values: facets.partners })}
      ${facets.attributes.map((it) => attributeChoice(visit, it))} ${ratings(visit, facets)}
      <fieldset>
        ${check('in_stock', texts.inStockOnly, query.get('in_stock') === 'true')}
        ${check('discounted', texts.discountedOnly, query.get('discounted') === 'true')}
      </fieldset>
      <div class="filter-actions">
        <button class="button brand wide">
          ${fill(texts.applyCount, { n: visit.format.number(total) })}
        </button>
        <a
          class="quiet-link"
          href="${visit.at(visit.path)}${query.has('q') && `?${new URLSearchParams({ q: query.get('q')! })}`}"
          >${texts.reset}</a
        >
      </div>
    </form>
  </details>`
}

const kept = ({ query }: Visit, names: string[]): Html[] =>
  names
    .filter((it) => query.has(it))
    .map((name) => html`<input type="hidden" name="${name}" value="${query.get(name)}" />`)

const check = (name: string, label: string, isChecked: boolean): Html =>
  html`<label class="check">
    <input type="checkbox" name="${name}" value="true" ${isChecked && html`checked`} /> ${label}
  </label>`

function choices(
  { query, say, texts }: Visit,
  {
    name,
    title,
    values,
  }: { name: string; title: string; values: { slug: string; name: string; count: number }[] },
): Html | false {
  const chosen = new Set(query.getAll(name).flatMap((it) => it.split(',')))
  // A chosen value stays, also when nothing is left of it.
  const gone = [...chosen].filter((slug) => slug && !values.some((it) => it.slug === slug))
  const all = [...gone.map((slug) => ({ slug, name: slug, count: 0 })), ...values]
  if (all.length < 2 && chosen.size === 0) return false
  const isFirst = (slug: string, at: number) => at < shownValues || chosen.has(slug)
  const value = ({ slug, name: label, count }: (typeof all)[number]) =>
    html`<label class="check">
      <input
        type="checkbox"
        id="${name}-${slug}"
        name="${name}"
        value="${slug}"
        ${chosen.has(slug) && html`checked`}
      />
      <span>${say(label)}</span> <small>${count}</small>
    </label>`
  const others = all.filter((it, at) => !isFirst(it.slug, at))
  return html`<fieldset>
    <legend>${title}</legend>
    ${all.filter((it, at) => isFirst(it.slug, at)).map(value)}
    ${
      others.length > 0 &&
      html`<details class="more-values" id="more-${name}">
        <summary class="quiet-link">${fill(texts.moreValues, { n: others.length })}</summary>
        ${others.map(value)}
      </details>`
    }
  </fieldset>`
}

/** The name of an attribute's field in the address. */
export const attributePrefix = 'a.'

type AttributeFacet = Facets['attributes'][number]

/** Values to tick, or a range of numbers. */
function attributeChoice(visit: Visit, it: AttributeFacet): Html | false {
  const name = attributePrefix + it.code
  const title = it.unit === null ? it.name : `${it.name}, ${it.unit}`
  if (it.kind === 'number' && it.values.length === 0) return rangeFields(visit, name, { ...it, name: title })
  const values = it.values.map(({ value, title: text, count }) => ({
    slug: value,
    name: it.kind === 'boolean' ? visit.texts[value === 'true' ? 'yes' : 'no'] : text,
    count,
  }))
  return choices(visit, { name, title: visit.say(title), values })
}

const rangeFields = ({ query, say, texts }: Visit, name: string, it: AttributeFacet): Html | false =>
  it.min !== null &&
  it.max !== null &&
  it.min < it.max &&
  html`<fieldset class="price-fields">
    <legend>${say(it.name)}</legend>
    ${(['min', 'max'] as const).map(
      (end) =>
        html`<label
          ><span>${end === 'min' ? texts.priceFrom : texts.priceTo}</span>
          <input
            type="number"
            name="${name}.${end}"
            step="any"
            inputmode="decimal"
            value="${query.get(`${name}.${end}`)}"
            placeholder="${it[end]}"
        /></label>`,
    )}
  </fieldset>`

/** The chosen attributes as the API takes them: `screen:6..7;color:black,white`. */
export function attributesOf(query: URLSearchParams): string | undefined {
  const found = new Map<string, { values: string[]; min?: string; max?: string }>()
  for (const [name, value] of query) {
    const [, code, end] = /^a\.([a-z][a-z0-9_]{0,40})(?:\.(min|max))?$/.exec(name) ?? []
    if (code === undefined || !/^[\w .-]{1,60}$/.test(value)) continue
    const filter = found.get(code) ?? { values: [] }
    if (end === 'min' || end === 'max') filter[end] = value
    else filter.values.push(value)
    found.set(code, filter)
  }
  const filters = [...found].map(
    ([code, it]) =>
      `${code}:${it.values.length > 0 ? it.values.join(',') : `${it.min ?? ''}..${it.max ?? ''}`}`,
  )
  return filters.length > 0 ? filters.join(';') : undefined
}

const priceFields = ({ texts, query, format }: Visit, { price }: Facets): Html => {
  const field = (name: string, label: string, bound: { amount: number } | null) =>
    html`<label
      ><span>${label}</span>
      <input
        type="number"
        name="${name}"
        min="0"
        step="1"
        inputmode="numeric"
        value="${query.get(name)}"
        placeholder="${bound ? format.number(Math.round(inSums(bound))) : ''}"
    /></label>`
  return html`<fieldset class="price-fields">
    <legend>${texts.price}</legend>
    ${field('price_min', texts.priceFrom, price.min)} ${field('price_max', texts.priceTo, price.max)}
  </fieldset>`
}

function ratings({ texts, query }: Visit, { rating }: Facets): Html | false {
  const chosen = query.get('rating_min')
  const values = rating.filter((it) => it.count > 0)
  return (
    values.length > 0 &&
    html`<fieldset>
      <legend>${texts.rating}</legend>
      ${values.map(
        (it) =>
          html`<label class="check">
            <input
              type="radio"
              name="rating_min"
              value="${it.from}"
              ${chosen === String(it.from) && html`checked`}
            />
            <span>★ ${fill(texts.ratingFrom, { n: it.from })}</span> <small>${it.count}</small>
          </label>`,
      )}
    </fieldset>`
  )
}

const sortTexts: Record<string, TextKey> = {
  relevance: 'sortRelevance',
  '-popularity': 'sortPopular',
  price: 'sortCheap',
  '-price': 'sortDear',
  '-rating': 'sortRating',
  '-discount': 'sortDiscount',
  '-created_at': 'sortNew',
}

export function sortForm(visit: Visit): Html {
  const { texts, query } = visit
  const isSearch = visit.path === '/search'
  const current = query.get('sort') ?? (isSearch ? 'relevance' : '-popularity')
  const others = [...query].filter(([name]) => name !== 'sort' && name !== 'page')
  return html`<form class="sort" action="${visit.at(visit.path)}" data-swap="change">
    ${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label
      ><span class="muted">${texts.sort}</span>
      <select name="sort">
        ${Object.entries(sortTexts)
          .filter(([value]) => isSearch || value !== 'relevance')
          .map(
            ([value, key]) =>
              html`<option value="${value}" ${value === current && html`selected`}>${texts[key]}</option>`,
          )}
      </select></label
    >
    <button class="button soft no-script">${texts.apply}</button>
  </form>`
}
