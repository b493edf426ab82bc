// Products as buyers find them: listed, searched, suggested as one types, and looked at.

import { Type } from 'typebox'
import type { Environment, Reader } from '../../base/db.ts'
import { asMoney, type Currency } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { inLanguage } from '../../http/language.ts'
import { idFilter, listQuery, pagination } from '../../http/listing.ts'
import { type Circumstances, get, type Route } from '../../http/route.ts'
import { flag, id, idText, integer, list, nullable, oneOf, text } from '../../http/schema.ts'
import { findSheet, findSheets } from '../find-product.ts'
import { brandsById, idsOf, partnersById } from '../names.ts'
import { seasonNow } from '../promotions/season-now.ts'
import type { Facets, Filters, Found, Place, Question } from '../shelf/question.ts'
import type { ShelfKeeper } from '../shelf-keeper.ts'
import { categoryPaths } from '../store/sheets.ts'
import { brands, partners } from '../store/tables.ts'
import { productFacts } from './paths.ts'
import * as views from './views.ts'

const maxNumberedRows = 10_000
const maxFacetValues = 30
const perPageDefault = 20

const bound = integer(0, Number.MAX_SAFE_INTEGER, {
  description: 'In parts of the currency asked for: tiyin.',
})
const several = (description: string) => Type.Optional(text({ max: 1_000, description }))
const filters = {
  category: Type.Optional(
    text({ max: 100, description: 'The slug of a category; what stands below it counts too.' }),
  ),
  category_id: idFilter('The same by its id.'),
  brand: several('Slugs or ids, with commas between them.'),
  partner: several('Slugs or ids, with commas between them.'),
  price_min: Type.Optional(bound),
  price_max: Type.Optional(bound),
  rating_min: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
  in_stock: Type.Optional(flag),
  discounted: Type.Optional(flag),
}
const listSorts = ['id', 'name', 'price', 'popularity', 'rating', 'discount', 'created_at'] as const
const listing = listQuery(listSorts, filters)
const searching = listQuery(['relevance', ...listSorts], {
  q: Type.Optional(text({ min: 0, max: 256, description: 'What the buyer typed, in any of the languages.' })),
  ...filters,
})

type Query = import('typebox').Static<typeof searching>

const counted = { count: integer(0, Number.MAX_SAFE_INTEGER) }
const named = Type.Object({ id: idText, name: Type.String(), slug: Type.String(), ...counted })
const facets = Type.Object({
  brands: list(named, maxFacetValues),
  partners: list(named, maxFacetValues),
  categories: list(named, maxFacetValues),
  price: Type.Object({
    min: nullable(views.money),
    max: nullable(views.money),
    ranges: list(Type.Object({ from: views.money, to: views.money, ...counted })),
  }),
  rating: list(Type.Object({ from: Type.Number(), ...counted })),
  in_stock: Type.Object({ yes: counted.count, no: counted.count }),
})

export const productRoutes = (keepers: Record<Environment, ShelfKeeper>): Route[] => [
  get('/v1/catalog/products', {
    summary: 'List products',
    scope: 'catalog:read',
    query: listing,
    reply: Type.Object({ products: list(views.productReply, 100), pagination }),
    forgetOn: productFacts,
    shed: 'first',
    run: async ({ read, query, ...call }) => {
      const { found, page, ...keeping } = await find(keepers, read, {
        query: { sort: 'id', ...query },
        call,
        wantsFacets: false,
      })
      return { data: { products: await shown(read, found.ids, call), pagination: page }, ...keeping }
    },
  }),
  get('/v1/catalog/products/search', {
    summary: 'Search products',
    description:
      'Finds goods by words in Russian, Uzbek (both scripts) and English, also misspelt ones; the best match first. `facets` count what each further filter would leave.',
    scope: 'catalog:read',
    query: searching,
    reply: Type.Object({
      products: list(views.productReply, 100),
      pagination,
      facets,
      did_you_mean: nullable(
        Type.String({ description: 'The words that were sought in place of those typed.' }),
      ),
    }),
    forgetOn: productFacts,
    shed: 'first',
    run: async ({ read, query, ...call }) => {
      const { found, page, ...keeping } = await find(keepers, read, {
        query: { sort: 'relevance', ...query },
        call,
        wantsFacets: true,
      })
      const [products, counts] = await Promise.all([
        shown(read, found.ids, call),
        facetsView(read, found.facets!, call),
      ])
      return {
        data: { products, pagination: page, facets: counts, did_you_mean: found.didYouMean },
        ...keeping,
      }
    },
  }),
  get('/v1/catalog/products/suggest', {
    summary: 'Suggest while one types',
    scope: 'catalog:read',
    query: Type.Object(
      { q: text({ min: 0, max: 256 }), limit: Type.Optional(integer(1, 20, { default: 8 })) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      suggestions: list(
        Type.Object({
          kind: oneOf(['phrase', 'category', 'brand']),
          text: Type.String(),
          id: nullable(idText),
        }),
      ),
    }),
    forgetOn: productFacts,
    shed: 'first',
    run: async ({ query, environment, language, region }) => {
      const shelf = await keepers[environment].fresh()
      const suggestions = shelf.suggest(query.q, { language, region, limit: query.limit ?? 8 })
      return {
        isPassing: keepers[environment].isBehind,
        data: {
          suggestions: suggestions.map((it) => ({
            kind: it.kind,
            text: it.text,
            id: it.kind === 'phrase' ? null : String(it.id),
          })),
        },
      }
    },
  }),
  get('/v1/catalog/products/{product_id}', {
    summary: 'Get a product with its variants and offers',
    scope: 'catalog:read',
    params: { product_id: id },
    reply: Type.Object({ product: views.productDetailReply }),
    forgetOn: productFacts,
    shed: 'first',
    run: async ({ read, params, ...call }) => {
      const sheet = await findSheet(read, params.product_id)
      if (!sheet) throw refuse('not_found')
      return {
        data: { product: views.productDetailView(sheet, call) },
        version: sheet.version,
        isLiving: true,
        untilMs: (await seasonNow(read)).untilMs,
      }
    },
  }),
]

async function find(
  keepers: Record<Environment, ShelfKeeper>,
  read: Reader,
  { query, call, wantsFacets }: { query: Query; call: Circumstances; wantsFacets: boolean },
) {
  const sort = query.sort!
  const limit = query.per_page ?? perPageDefault
  const number = query.page ?? 1
  const after = query.cursor === undefined ? undefined : placeOf(query.cursor, sort)
  if (!after && number * limit > maxNumberedRows)
    throw refuse('validation_failed', {
      fields: [{ path: 'page', rule: 'use_cursor', limit: maxNumberedRows }],
    })
  const wanted = await filtersOf(read, query, call.currency)
  const shelf = await keepers[call.environment].fresh()
  const question: Question = {
    region: call.region,
    language: call.language,
    ...(query.q !== undefined && { text: query.q }),
    filters: wanted ?? { ids: [] },
    sort: sort as Question['sort'],
    limit,
    ...(after ? { after } : { offset: (number - 1) * limit }),
    wantsFacets,
  }
  const found: Found = shelf.find(question)
  const isPassing = keepers[call.environment].isBehind
  const { untilMs } = await seasonNow(read)
  const page = {
    page: number,
    per_page: limit,
    total: found.total,
    pages: Math.ceil(found.total / limit),
    next_cursor: found.next && cursorOf(sort, found.next),
  }
  return { found, page, isPassing, untilMs }
}

/** The filters by ids; undefined when one names nothing that we have. */
async function filtersOf(read: Reader, query: Query, currency: Currency): Promise<Filters | undefined> {
  const categoryId = query.category_id === undefined ? undefined : Number(query.category_id)
  const named = query.category === undefined ? undefined : await categoryNamed(read, query.category)
  if (query.category !== undefined && (named === undefined || (categoryId ?? named) !== named))
    return undefined
  const category = categoryId ?? named
  const inTiyin = (amount: number) => Math.ceil((amount * currency.tiyin) / currency.parts)
  const brandIds = query.brand === undefined ? undefined : await idsOf(read, brands, listed(query.brand))
  const partnerIds =
    query.partner === undefined ? undefined : await idsOf(read, partners, listed(query.partner))
  return {
    ...(category !== undefined && { categoryId: category }),
    ...(brandIds && { brandIds }),
    ...(partnerIds && { partnerIds }),
    ...(query.price_min !== undefined && { priceMin: inTiyin(query.price_min) }),
    ...(query.price_max !== undefined && { priceMax: inTiyin(query.price_max) }),
    ...(query.rating_min !== undefined && { ratingMin: query.rating_min }),
    ...(query.in_stock !== undefined && { inStock: query.in_stock }),
    ...(query.discounted !== undefined && { discounted: query.discounted }),
  }
}

const listed = (given: string): string[] =>
  given
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean)
    .slice(0, 100)

async function categoryNamed(read: Reader, slug: string): Promise<number | undefined> {
  for (const [id, path] of await categoryPaths(read)) if (path.at(-1)!.slug === slug) return id
  return undefined
}

/** Those that were taken off between the finding and the showing are left out. */
async function shown(read: Reader, ids: readonly number[], call: Circumstances) {
  const sheets = await findSheets(read, ids)
  return ids.flatMap((it) => {
    const sheet = sheets.get(it)
    return sheet ? [views.productView(sheet, call)] : []
  })
}

async function facetsView(read: Reader, it: Facets, { language, currency }: Circumstances) {
  const most = <T>(them: readonly T[]) => them.slice(0, maxFacetValues)
  const [itsBrands, itsPartners, paths] = await Promise.all([
    brandsById(
      read,
      most(it.brands).map(({ id }) => id),
    ),
    partnersById(
      read,
      most(it.partners).map(({ id }) => id),
    ),
    categoryPaths(read),
  ])
  const counts = (
    them: Facets['brands'],
    nameOf: (id: number) => { name: string; slug: string } | undefined,
  ) =>
    most(them).flatMap(({ id, count }) => {
      const known = nameOf(id)
      return known ? [{ id: String(id), name: known.name, slug: known.slug, count }] : []
    })
  return {
    brands: counts(it.brands, (id) => itsBrands.get(id)),
    partners: counts(it.partners, (id) => itsPartners.get(id)),
    categories: counts(it.categories, (id) => {
      const step = paths.get(id)?.at(-1)
      return step && { name: inLanguage(step.name, language), slug: step.slug }
    }),
    price: {
      min: it.price.min === null ? null : asMoney(it.price.min, currency),
      max: it.price.max === null ? null : asMoney(it.price.max, currency),
      ranges: it.price.buckets.map(({ from, to, count }) => ({
        from: asMoney(from, currency),
        to: asMoney(to, currency),
        count,
      })),
    },
    rating: it.rating,
    in_stock: it.inStock,
  }
}

const cursorOf = (sort: string, { value, id }: Place): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

/** Where a cursor stopped. It belongs to one sort: with another it would skip products. */
function placeOf(cursor: string, sort: string): Place {
  try {
    const [madeFor, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isValue = value === null || typeof value === 'string' || typeof value === 'number'
    if (madeFor === sort && isValue && Number.isSafeInteger(id)) return { value, id: id as number }
  } catch {
    // Falls through: a cursor that cannot be read was not made by us.
  }
  throw refuse('validation_failed', { fields: [{ path: 'cursor', rule: 'cursor' }] })
}
