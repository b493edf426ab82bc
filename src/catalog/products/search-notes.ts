// What a search reply says beside its products: corrections, words left out, alternatives, and an explanation.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { inLanguage } from '../../http/language.ts'
import type { RequestContext } from '../../http/route.ts'
import { idText, list, nullable, oneOf } from '../../http/schema.ts'
import { stepNames } from '../../search/index.ts'
import { categoryPaths } from '../offers/store.ts'
import * as views from '../offers/views.ts'
import type { ProductSearch } from '../product-index/product-index-sync.ts'
import type { ProductQueryResult } from '../product-index/query.ts'
import { findProducts } from './products.ts'

const popularProducts = 5

export const searchNotes = {
  did_you_mean: nullable(Type.String({ description: 'The same as `corrected`; kept for older programs.' })),
  corrected: nullable(
    Type.String({
      description:
        'The query that was searched, when keyboard layout, script or typos were changed. Send `exact=true` to insist on the typed words.',
    }),
  ),
  relaxed: Type.Boolean({ description: 'No product has all words; some were left out.' }),
  left_out: list(Type.String(), 12),
  alternatives: nullable(
    Type.Object(
      {
        categories: list(Type.Object({ id: idText, name: Type.String(), slug: Type.String() }), 5),
        products: list(views.productReply, popularProducts),
      },
      { description: 'When nothing was found: categories that may help, and popular products.' },
    ),
  ),
  explanation: nullable(
    list(Type.Object({ step: oneOf([...stepNames]), from: Type.String(), to: Type.String() })),
  ),
}

export async function searchNotesView(
  read: Reader,
  found: ProductQueryResult,
  {
    call,
    query,
    search,
  }: { call: RequestContext; query: { q?: string; explain?: boolean }; search: ProductSearch },
) {
  const isEmpty = found.total === 0 && query.q !== undefined && query.q.trim() !== ''
  return {
    did_you_mean: found.corrected,
    corrected: found.corrected,
    relaxed: found.leftOut.length > 0,
    left_out: found.leftOut,
    alternatives: isEmpty ? await alternativesView(read, query.q!, { call, search }) : null,
    explanation: query.explain ? found.steps : null,
  }
}

async function alternativesView(
  read: Reader,
  text: string,
  { call, search }: { call: RequestContext; search: ProductSearch },
) {
  const popular = await search.find({
    region: call.region,
    language: call.language,
    wantsFacets: false,
    sort: '-popularity',
    filters: { inStock: true },
    limit: popularProducts,
  })
  const [paths, details, categories] = await Promise.all([
    categoryPaths(read),
    findProducts(read, popular.ids),
    search.alternativeCategories(text),
  ])
  return {
    categories: categories.flatMap((id) => {
      const step = paths.get(id)?.at(-1)
      return step ? [{ id: String(id), name: inLanguage(step.name, call.language), slug: step.slug }] : []
    }),
    products: popular.ids.flatMap((id) => {
      const product = details.get(id)
      return product ? [views.productView(product, call)] : []
    }),
  }
}
