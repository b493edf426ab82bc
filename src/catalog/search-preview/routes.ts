// Why products rank where they do, for those who run the shop.

import { type Static, Type } from 'typebox'
import type { Environment } from '../../base/database.ts'
import { get, type Route } from '../../http/route.ts'
import { integer, list, nullable, oneOf, text } from '../../http/schema.ts'
import { fieldNames, matchKinds, stepNames, unitRoles } from '../../search/index.ts'
import * as views from '../offers/views.ts'
import { availabilities } from '../product-index/boost.ts'
import type { ExplainedProduct, ExplainedUnit } from '../product-index/explain-search.ts'
import type { ProductSearch } from '../product-index/product-index-sync.ts'
import { findProducts } from '../products/products.ts'

const maxProducts = 50
const defaultProducts = 20
/** Enough for any query: the search reads no more words. */
const maxUnits = 24

const count = integer(0, Number.MAX_SAFE_INTEGER)
const string = Type.String()

const unit = Type.Object({
  typed: string,
  searched: Type.String({ description: 'After layout, spelling and script were corrected.' }),
  role: oneOf([...unitRoles]),
  required: Type.Boolean({ description: 'A product without it is not found.' }),
  left_out: Type.Boolean({ description: 'No product has all words; this one was ignored.' }),
})

const match = Type.Object({
  typed: string,
  searched: string,
  role: oneOf([...unitRoles]),
  found: Type.String({ description: 'The word or the words that the product has.' }),
  kind: oneOf([...matchKinds], {
    description:
      'How the found word stands for the searched one: the word itself, a spelling in another script, another form, a synonym, a narrower word, an equal amount, a part of a number, a word that begins with it, or the brand.',
  }),
  field: oneOf([...fieldNames], {
    description:
      'Where it counts most: `head` is the noun of the name, `leaf` that of the category, `upper` that of an upper category.',
  }),
  points: Type.Number({ examples: [40.2] }),
})

const result = Type.Object({
  product: views.productReply,
  place: integer(1, maxProducts),
  matches: list(match, maxUnits),
  missing: list(string, maxUnits),
  text_score: Type.Number({ description: 'The points of all matches, with `accessory_factor`.' }),
  accessory_factor: Type.Number({
    description: 'Below 1 for a part or an accessory, when the query names no thing.',
  }),
  availability: oneOf(availabilities),
  popularity: Type.Number(),
  boost_factor: Type.Number({
    description: 'Of availability, popularity, the length of the name and the price together.',
  }),
  predicted_factor: Type.Number({
    description: 'Above 1 in the category that buyers chose after this query.',
  }),
  score: Type.Number({ description: 'The text score with both factors.' }),
  place_before_learning: nullable(
    Type.Integer({
      minimum: 1,
      description: 'The place without the learned ranker; null when it is not among the first 100.',
    }),
  ),
})

const reply = Type.Object({
  corrected: nullable(string),
  left_out: list(string, maxUnits),
  steps: list(Type.Object({ step: oneOf([...stepNames]), from: string, to: string })),
  units: list(unit, maxUnits),
  total: count,
  results: list(result, maxProducts),
})

export const searchPreviewRoutes = (searches: Record<Environment, ProductSearch>): Route[] => [
  get('/v1/admin/search/preview', {
    summary: 'Explain a search',
    description:
      'How a query is understood, step by step, and for each of the first products which words it matches, how and where, what availability, popularity and the price change, and what was learned from buyers. The search is not counted among those of buyers.',
    scope: 'admin:read',
    query: Type.Object(
      {
        q: text({ max: 256, description: 'The query, in any of the languages.', examples: ['чайник'] }),
        exact: Type.Optional(Type.Boolean({ description: 'Search the words as typed.' })),
        per_page: Type.Optional(integer(1, maxProducts)),
      },
      { additionalProperties: false },
    ),
    reply,
    run: async ({ read, query, ...call }) => {
      const { found, units, products } = await searches[call.environment].explain({
        region: call.region,
        language: call.language,
        text: query.q,
        filters: {},
        sort: 'relevance',
        limit: query.per_page ?? defaultProducts,
        wantsFacets: false,
        ...(query.exact && { isVerbatim: true }),
      })
      const details = await findProducts(read, found.ids)
      return {
        data: {
          corrected: found.corrected,
          left_out: found.leftOut,
          steps: found.steps,
          units: units.map(unitView),
          total: found.total,
          // Products deleted between search and display are left out.
          results: products.flatMap((it, at) => {
            const product = details.get(it.id)
            return product ? [{ product: views.productView(product, call), ...resultView(it, at + 1) }] : []
          }),
        },
      }
    },
  }),
]

const unitView = ({ typed, searched, role, isRequired, isLeftOut }: ExplainedUnit): Static<typeof unit> => ({
  typed,
  searched,
  role,
  required: isRequired,
  left_out: isLeftOut,
})

const decimals = 1_000
const rounded = (it: number) => Math.round(it * decimals) / decimals

const resultView = (it: ExplainedProduct, place: number): Omit<Static<typeof result>, 'product'> => ({
  place,
  matches: it.matches.map((one) => ({ ...one, points: rounded(one.points) })),
  missing: it.missing,
  text_score: rounded(it.textScore),
  accessory_factor: it.accessoryFactor,
  availability: it.availability,
  popularity: rounded(it.popularity),
  boost_factor: rounded(it.boostFactor),
  predicted_factor: it.predictedFactor,
  score: rounded(it.score),
  place_before_learning: it.placeBefore,
})
