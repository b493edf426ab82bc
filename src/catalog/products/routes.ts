// Product lists, search, suggestions and details.

import { Type } from 'typebox'
import type { Environment, Reader } from '../../base/database.ts'
import type { Currency } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { idFilter, listQuery, pagination } from '../../http/listing.ts'
import { type RequestContext, get, type Route } from '../../http/route.ts'
import { flag, id, integer, list, nullable, slug, text } from '../../http/schema.ts'
import { findProduct, findProducts } from './products.ts'
import { productWithSlug } from './slugs-store.ts'
import { idsOf } from './facet-names.ts'
import { attributeEvents } from '../attributes/routes.ts'
import { loadAttributes } from '../attributes/store.ts'
import { attributeFiltersOf, attributesParameter } from './attribute-filters.ts'
import { facetsReply, facetsView } from './facets-view.ts'
import { PrintedProducts } from './printed-products.ts'
import { defaultSuggestions, suggestionsReply, suggestionsView, suggestParameters } from './suggestions.ts'
import { currentWindow } from '../promotions/current-schedule.ts'
import { priceProduct } from '../promotions/price-details.ts'
import { writeRoutes } from '../entities/crud-routes.ts'
import { searchNotes, searchNotesView } from './search-notes.ts'
import { productForm } from '../entities/record-forms.ts'
import type { Position } from '../../search/index.ts'
import type { Filters, ProductQuery, ProductQueryResult } from '../product-index/query.ts'
import type { SearchLog } from '../search-log/search-log.ts'
import type { ProductIndexSync } from '../product-index/product-index-sync.ts'
import { categoryPaths, loadProductDetails } from '../offers/store.ts'
import { brands, partners } from '../entities/tables.ts'
import type { ProductDetails } from '../offers/offer-details.ts'
import { productEvents } from '../offers/routes.ts'
import * as views from '../offers/views.ts'

const maxNumberedRows = 10_000
const perPageDefault = 20

const bound = integer(0, Number.MAX_SAFE_INTEGER, {
  description: 'In the smallest unit of the requested currency, such as tiyin.',
})
const several = (description: string) => Type.Optional(text({ max: 1_000, description }))
const filters = {
  category: Type.Optional(
    text({ max: 100, description: 'The slug of a category; categories below it are included.' }),
  ),
  category_id: idFilter('The same by its id.'),
  brand: several('Slugs or ids, separated by commas.'),
  partner: several('Slugs or ids, separated by commas.'),
  price_min: Type.Optional(bound),
  price_max: Type.Optional(bound),
  rating_min: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
  in_stock: Type.Optional(flag),
  discounted: Type.Optional(flag),
  attributes: Type.Optional(attributesParameter),
}
const listSorts = ['id', 'name', 'price', 'popularity', 'rating', 'discount', 'created_at'] as const
const listing = listQuery(listSorts, {
  facets: Type.Optional(Type.Boolean({ description: 'Count what each further filter would leave.' })),
  ...filters,
})
const searching = listQuery(['relevance', ...listSorts], {
  q: Type.Optional(text({ min: 0, max: 256, description: 'The query, in any of the languages.' })),
  exact: Type.Optional(
    Type.Boolean({
      description: 'Search the words as typed: keyboard layout, script and typos are not changed.',
    }),
  ),
  explain: Type.Optional(Type.Boolean({ description: 'Return how the query was understood, step by step.' })),
  ...filters,
})

const listEvents = [...productEvents, ...attributeEvents] as const
const searchEvents = [...listEvents, 'SearchSynonymsChanged', 'SearchLearningChanged'] as const

type Query = import('typebox').Static<typeof searching>

export const productRoutes = (
  syncs: Record<Environment, ProductIndexSync>,
  searches: Record<Environment, SearchLog>,
  printed = new PrintedProducts(),
): Route[] => [
  get('/v1/catalog/products', {
    summary: 'List products',
    scope: 'catalog:read',
    query: listing,
    reply: Type.Object({
      products: list(views.productReply, 100),
      pagination,
      facets: Type.Unsafe<import('typebox').Static<typeof facetsReply> | null>({
        ...nullable(facetsReply),
        description: 'With `facets=true`.',
      }),
    }),
    invalidateOn: listEvents,
    shed: 'first',
    run: async ({ read, query, ...call }) => {
      const { found, page, ...keeping } = await find(syncs, read, {
        query: { sort: 'id', ...query },
        call,
        wantsFacets: query.facets === true,
      })
      const [products, facets] = await Promise.all([
        detailsOf(read, found.ids),
        found.facets && facetsView(read, found.facets, call),
      ])
      return { json: printed.withProducts(products, call, { pagination: page, facets }), ...keeping }
    },
  }),
  get('/v1/catalog/products/search', {
    summary: 'Search products',
    description:
      'Finds products by words in Russian, Uzbek (both scripts) and English, also misspelt ones and everyday words; the best match first. With another `sort`, only products that match nearly as well as the best are listed, so that the cheapest phone comes before cables for phones. `facets` count what each further filter would leave. When no product has all words, `relaxed` is true and `left_out` lists the words that were ignored; `corrected` is the query that was searched instead of the typed one, and `exact=true` insists on the typed words. When nothing is found, `alternatives` offers categories and popular products.',
    scope: 'catalog:read',
    query: searching,
    reply: Type.Object({
      products: list(views.productReply, 100),
      pagination,
      facets: facetsReply,
      search_id: nullable(
        text({
          max: 36,
          description:
            'Identifies the query; interactions that the results lead to carry it. Null when the query is not kept: empty, very long, or with an address or a long number in it.',
          examples: ['7f0c3c1e-5a8b-8c83-8a63-0d3c1f4a2b5d'],
        }),
      ),
      ...searchNotes,
    }),
    invalidateOn: searchEvents,
    shed: 'first',
    run: async ({ read, query, ...call }) => {
      const { found, page, ...keeping } = await find(syncs, read, {
        query: { sort: 'relevance', ...query },
        call,
        wantsFacets: true,
      })
      const [products, facets] = await Promise.all([
        detailsOf(read, found.ids),
        facetsView(read, found.facets!, call),
      ])
      const notes = await searchNotesView(read, found, {
        call,
        query,
        search: syncs[call.environment],
      })
      const search_id = searches[call.environment].add(query.q ?? '', found.total)
      const others = { pagination: page, facets, search_id, ...notes }
      return { json: printed.withProducts(products, call, others), ...keeping }
    },
  }),
  get('/v1/catalog/products/suggest', {
    summary: 'Suggest completions while typing',
    description:
      'Phrases to search for, then categories, brands and products. For a known buyer, `/v1/recommendations/suggestions` favours the categories of what they looked at.',
    scope: 'catalog:read',
    query: Type.Object(suggestParameters, { additionalProperties: false }),
    reply: suggestionsReply,
    invalidateOn: searchEvents,
    shed: 'first',
    run: async ({ read, query, environment, language, region }) => {
      const limit = query.limit ?? defaultSuggestions
      const found = await syncs[environment].suggest(query.q, { language, region, limit, withProducts: true })
      return {
        isProvisional: syncs[environment].isBehind,
        data: { suggestions: await suggestionsView(read, found, language) },
      }
    },
  }),
  get('/v1/catalog/products/{product_id}', {
    summary: 'Get a product with its variants and offers',
    scope: 'catalog:read',
    params: { product_id: id },
    reply: Type.Object({ product: views.productDetailReply }),
    invalidateOn: listEvents,
    shed: 'first',
    run: async ({ read, params, ...call }) => {
      const details = await findProduct(read, params.product_id)
      if (!details) throw refuse('not_found')
      return {
        json: printed.detail(details, call),
        version: details.version,
        isVolatile: true,
        validUntilMs: (await currentWindow(read)).untilMs,
      }
    },
  }),
  get('/v1/catalog/products/by-slug/{slug}', {
    summary: 'Get a product by its slug',
    description:
      'An earlier slug of a renamed product is found too: then `moved_from` is that slug, and pages should redirect to the slug of the product.',
    scope: 'catalog:read',
    params: { slug },
    reply: Type.Object({
      product: views.productDetailReply,
      moved_from: nullable(Type.String({ examples: ['old-name'] })),
    }),
    invalidateOn: listEvents,
    shed: 'first',
    run: async ({ read, params, ...call }) => {
      const productId = await productWithSlug(read, params.slug)
      const details = productId === undefined ? undefined : await findProduct(read, productId)
      if (!details) throw refuse('not_found', { resource: 'product', id: params.slug })
      return {
        data: {
          product: views.productDetailView(details, call),
          moved_from: details.slug === params.slug ? null : params.slug,
        },
        version: details.version,
        isVolatile: true,
        validUntilMs: (await currentWindow(read)).untilMs,
      }
    },
  }),
]

async function find(
  syncs: Record<Environment, ProductIndexSync>,
  read: Reader,
  { query, call, wantsFacets }: { query: Query; call: RequestContext; wantsFacets: boolean },
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
  const productQuery: ProductQuery = {
    region: call.region,
    language: call.language,
    ...(query.q !== undefined && { text: query.q }),
    filters: wanted ?? { ids: [] },
    sort: sort as ProductQuery['sort'],
    limit,
    ...(query.exact && { isVerbatim: true }),
    ...(after ? { after } : { offset: (number - 1) * limit }),
    wantsFacets,
  }
  const found: ProductQueryResult = await syncs[call.environment].find(productQuery)
  const isProvisional = syncs[call.environment].isBehind
  const { untilMs: validUntilMs } = await currentWindow(read)
  const page = {
    page: number,
    per_page: limit,
    total: found.total,
    pages: Math.ceil(found.total / limit),
    next_cursor: found.next && cursorOf(sort, found.next),
  }
  return { found, page, isProvisional, validUntilMs }
}

/** The filters with ids; undefined when one names something unknown. */
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
    ...(query.attributes !== undefined && {
      attributes: attributeFiltersOf(query.attributes, await loadAttributes(read)),
    }),
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

/** Products deleted between query and display are left out. */
async function detailsOf(read: Reader, ids: readonly number[]): Promise<ProductDetails[]> {
  const found = await findProducts(read, ids)
  return ids.flatMap((it) => found.get(it) ?? [])
}

const cursorOf = (sort: string, { value, id }: Position): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

/** The position of a cursor. It is valid only for its own sort. */
function placeOf(cursor: string, sort: string): Position {
  try {
    const [madeFor, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isValue = value === null || typeof value === 'string' || typeof value === 'number'
    if (madeFor === sort && isValue && Number.isSafeInteger(id)) return { value, id: id as number }
  } catch {
    // Unreadable: refused below.
  }
  throw refuse('validation_failed', { fields: [{ path: 'cursor', rule: 'cursor' }] })
}

/** Products are read from the product index; their writes are those of every entity kind. */
export const productWriteRoutes = writeRoutes({
  form: productForm,
  plural: { path: 'products', field: 'products' },
  singular: { field: 'product', words: 'a product' },
  reply: views.productDetailReply,
  show: async (read, products, call) => {
    const [details, window] = await Promise.all([
      loadProductDetails(
        read,
        products.map((it) => it.id),
      ),
      currentWindow(read),
    ])
    return products.map((it) =>
      views.productDetailView(priceProduct({ ...details.get(it.id)!, ...it }, window), call),
    )
  },
  sorts: {},
  defaultSort: 'id',
  filters: {},
  invalidatedBy: productEvents,
})
