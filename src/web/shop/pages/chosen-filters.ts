// The filters that are chosen, each as a link that takes it away.

import { html, type Html } from '../../../http/html.ts'
import { fill } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { attributePrefix, type Facets } from './filters.ts'

interface ChosenFilter {
  label: string
  /** The address without it. */
  href: string
}

export function chosenFilters(visit: Visit, facets: Facets): ChosenFilter[] {
  const found: ChosenFilter[] = []
  for (const [name, values] of Map.groupBy(visit.query, ([it]) => it))
    for (const value of values.flatMap(([, it]) => it.split(',')).filter(Boolean)) {
      const label = labelOf(visit, facets, { name, value })
      if (label !== undefined) found.push({ label, href: hrefWithout(visit, name, value) })
    }
  return found
}

/** Undefined if it is no filter. */
function labelOf(
  { texts, say, format }: Visit,
  facets: Facets,
  { name, value }: { name: string; value: string },
): string | undefined {
  const sums = () => format.sums(Number(value) || 0)
  const nameIn = (all: { slug: string; name: string }[]) =>
    say(all.find((it) => it.slug === value)?.name ?? value)
  switch (name) {
    case 'brand':
      return nameIn(facets.brands)
    case 'partner':
      return nameIn(facets.partners)
    case 'price_min':
      return fill(texts.fromValue, { value: sums() })
    case 'price_max':
      return fill(texts.toValue, { value: sums() })
    case 'rating_min':
      return `★ ${fill(texts.ratingFrom, { n: value })}`
    case 'in_stock':
      return value === 'true' ? texts.inStockOnly : undefined
    case 'discounted':
      return value === 'true' ? texts.discountedOnly : undefined
    default:
      return name.startsWith(attributePrefix)
        ? attributeLabel({ texts, say }, facets, { name, value })
        : undefined
  }
}

function attributeLabel(
  { texts, say }: Pick<Visit, 'texts' | 'say'>,
  facets: Facets,
  { name, value }: { name: string; value: string },
): string {
  const [code, end] = name.slice(attributePrefix.length).split('.')
  const attribute = facets.attributes.find((it) => it.code === code)
  const title = say(attribute?.name ?? code ?? '')
  const withUnit = attribute?.unit ? `${value} ${say(attribute.unit)}` : value
  if (end === 'min') return `${title}: ${fill(texts.fromValue, { value: withUnit })}`
  if (end === 'max') return `${title}: ${fill(texts.toValue, { value: withUnit })}`
  if (attribute?.kind === 'boolean') return `${title}: ${value === 'true' ? texts.yes : texts.no}`
  if (attribute?.kind === 'number') return `${title}: ${withUnit}`
  return say(attribute?.values.find((it) => it.value === value)?.title ?? value)
}

/** The address with the other values of the same filter, from the first page. */
function hrefWithout(visit: Visit, name: string, value: string): string {
  const query = new URLSearchParams()
  for (const [key, given] of visit.query) {
    if (key === 'page') continue
    const left = key === name ? given.split(',').filter((it) => it !== value) : [given]
    if (left.length > 0) query.append(key, left.join(','))
  }
  const to = visit.at(visit.path)
  return query.size > 0 ? `${to}?${query}` : to
}

export const chosenChips = ({ texts }: Visit, chosen: readonly ChosenFilter[]): Html | false =>
  chosen.length > 0 &&
  html`<nav class="chips chosen" aria-label="${texts.chosenFilters}">
    ${chosen.map(
      (it) =>
        html`<a
          class="chip"
          href="${it.href}"
          data-swap-link
          aria-label="${fill(texts.withoutFilter, { name: it.label })}"
          >${it.label}</a
        >`,
    )}
  </nav>`
