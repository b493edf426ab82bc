// Suggestions as replies show them.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { idText, integer, list, nullable, oneOf, text, named } from '../../http/schema.ts'
import type { Suggestion } from '../../search/index.ts'
import { categoryPaths } from '../offers/store.ts'
import { brandsById } from './facet-names.ts'
import { findProducts } from './products.ts'

const maxSuggestions = 20
export const defaultSuggestions = 8

export const suggestParameters = {
  q: text({ min: 0, max: 256 }),
  limit: Type.Optional(integer(1, maxSuggestions, { default: defaultSuggestions })),
}

export const suggestionsReply = Type.Object({
  suggestions: list(
    named(
      'Suggestion',
      Type.Object({
        kind: oneOf(['phrase', 'category', 'brand', 'product'], {
          description: 'A phrase is searched for; the others have an id and a slug.',
        }),
        text: Type.String({ examples: ['смартфон samsung'] }),
        id: nullable(idText),
        slug: nullable(Type.String()),
      }),
    ),
    maxSuggestions,
  ),
})

type SuggestionView = Type.Static<typeof suggestionsReply>['suggestions'][number]

/** What was deleted meanwhile is left out. */
export async function suggestionsView(
  read: Reader,
  suggestions: readonly Suggestion[],
  language: Language,
): Promise<SuggestionView[]> {
  const idsOf = (kind: Suggestion['kind']) =>
    suggestions.flatMap((it) => (it.kind === kind && 'id' in it ? [it.id] : []))
  const [products, brands, paths] = await Promise.all([
    findProducts(read, idsOf('row')),
    brandsById(read, idsOf('brand')),
    categoryPaths(read),
  ])
  return suggestions.flatMap((it): SuggestionView[] => {
    if (it.kind === 'phrase') return [{ kind: it.kind, text: it.text, id: null, slug: null }]
    if (it.kind !== 'row') {
      const slug = it.kind === 'brand' ? brands.get(it.id)?.slug : paths.get(it.id)?.at(-1)?.slug
      return slug === undefined ? [] : [{ kind: it.kind, text: it.text, id: String(it.id), slug }]
    }
    const product = products.get(it.id)
    return product
      ? [
          {
            kind: 'product' as const,
            text: inLanguage(product.name, language),
            id: String(it.id),
            slug: product.slug,
          },
        ]
      : []
  })
}
