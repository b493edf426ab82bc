// Suggestions while typing: a fragment for the search field. Categories and brands lead to their lists.

import type { Operations } from '../../../sdk/index.ts'
import { html, type Html } from '../../../http/html.ts'
import { icon } from '../icons.ts'
import { categoryIdPath, productIdPath, productPath } from '../path.ts'
import type { Reply } from '../storefront.ts'
import type { Visit } from '../visit.ts'

type Suggestion = Operations['products.suggest']['reply']['suggestions'][number]

const maxSuggestions = 8

export async function suggestFragment(visit: Visit): Promise<Reply> {
  const q = (visit.query.get('q') ?? '').trim().slice(0, 100)
  const { suggestions } =
    q === '' ? { suggestions: [] } : await visit.bozor.products.suggest({ q, limit: maxSuggestions })
  const content = html`${suggestions.map((it, at) => line(visit, it, at))}`
  return { kind: 'html', content }
}

const line = (visit: Visit, it: Suggestion, at: number): Html =>
  html`<a role="option" id="suggestion-${at}" href="${addressOf(visit, it)}" data-text="${it.text}">
    ${icon(it.kind === 'phrase' || it.kind === 'product' ? 'search' : 'grid')}<span>${it.text}</span>
    ${it.kind === 'category' && html`<small>${visit.texts.categories}</small>`}
    ${it.kind === 'brand' && html`<small>${visit.texts.brand}</small>`}
  </a>`

function addressOf(visit: Visit, { kind, text, id, slug }: Suggestion): string {
  if (kind === 'product' && id !== null)
    return visit.at(slug === null ? productIdPath(id) : productPath(slug))
  if (kind === 'category' && id !== null) return visit.at(categoryIdPath(id))
  const query = kind === 'brand' && id !== null ? { brand: id } : { q: text }
  return `${visit.at('/search')}?${new URLSearchParams(query)}`
}
