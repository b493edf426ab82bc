// What a product index must return, by looking at every product: for comparison.

import { nameKey } from '../../src/catalog/product-index/name-key.ts'
import {
  type IndexedProduct,
  partnersIn,
  type Region,
  summaryIn,
} from '../../src/catalog/product-index/indexed-product.ts'
import type { Filters, ProductQuery, ProductQueryResult } from '../../src/catalog/product-index/query.ts'
import type { Position } from '../../src/search/index.ts'
import { popularityRank } from '../../src/catalog/product-index/rankings.ts'

/** The expected result, computed by a scan of all products. */
export function fullScan(items: IndexedProduct[], query: ProductQuery): ProductQueryResult {
  const { region, language, filters } = query
  const sort = query.sort.replace(/^-/, '')
  const sign = query.sort.startsWith('-') ? -1 : 1
  const name = (it: IndexedProduct) => nameKey(it.name[language] ?? it.name.ru ?? it.name.en ?? '')
  const valueOf = (it: IndexedProduct): Position['value'] => {
    const shown = summaryIn(it, region)
    const values: Record<string, Position['value']> = {
      popularity: popularityRank(it.popularity, shown.inStock),
      price: shown.priceTiyin,
      name: name(it),
      created_at: it.createdAtMs,
      id: it.id,
      rating: shown.rating,
      discount: shown.discount,
    }
    return values[sort]!
  }
  const inOrder = items
    .filter((it) => Object.values(passes(it, region, filters)).every(Boolean))
    .toSorted((a, b) => {
      const [one, other] = [valueOf(a), valueOf(b)]
      if ((one === null) !== (other === null)) return one === null ? 1 : -1
      if (one === other || one === null || other === null) return sign * (a.id - b.id)
      return sign * (one < other ? -1 : 1)
    })
  const from = query.offset ?? 0
  const page = inOrder.slice(from, from + query.limit)
  const last = page.at(-1)
  return {
    ids: page.map((it) => it.id),
    total: inOrder.length,
    next: last && inOrder.length > from + query.limit ? { value: valueOf(last), id: last.id } : null,
    facets: query.wantsFacets ? plainFacets(items, region, filters) : null,
    corrected: null,
    leftOut: [],
    steps: [],
  }
}

function passes(it: IndexedProduct, region: Region, filters: Filters) {
  const shown = summaryIn(it, region)
  const price = shown.priceTiyin ?? Number.NaN
  const anyOf = (ids: number[] | undefined, own: (number | null)[]) =>
    !ids || ids.some((id) => own.includes(id))
  return {
    category: filters.categoryId === undefined || it.categoryPath.includes(filters.categoryId),
    brands: anyOf(filters.brandIds, [it.brandId]),
    partners: anyOf(filters.partnerIds, partnersIn(it, region)),
    price:
      (filters.priceMin === undefined || price >= filters.priceMin) &&
      (filters.priceMax === undefined || price <= filters.priceMax),
    rating: filters.ratingMin === undefined || (shown.rating ?? -1) >= filters.ratingMin,
    stock: filters.inStock === undefined || shown.inStock === filters.inStock,
    discounted: filters.discounted === undefined || (shown.discount ?? 0) > 0 === filters.discounted,
    ids: anyOf(filters.ids, [it.id]),
    ...Object.fromEntries(
      (filters.attributes ?? []).map(({ code, anyOf: wanted, min = -Infinity, max = Infinity }) => {
        const value = it.attributes?.[code]
        const isWithin =
          value !== undefined && (wanted?.includes(value) ?? (Number(value) >= min && Number(value) <= max))
        return [`attribute ${code}`, isWithin]
      }),
    ),
  }
}

function plainAttributeFacets(but: (own: string) => IndexedProduct[]) {
  const counted = ['screen', 'color', 'wireless'].map((code) => {
    const given = but(`attribute ${code}`).flatMap((it) => it.attributes?.[code] ?? [])
    const values = [...Map.groupBy(given, (it) => it)]
      .map(([value, all]) => ({ value, count: all.length }))
      .toSorted((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
    return { code, values, products: given.length }
  })
  return counted
    .filter((it) => it.products > 0)
    .toSorted((a, b) => b.products - a.products || (a.code < b.code ? -1 : 1))
    .map(({ code, values }) => ({ code, values }))
}

function plainFacets(
  items: IndexedProduct[],
  region: Region,
  filters: Filters,
): ProductQueryResult['facets'] {
  const but = (own: string) =>
    items.filter((it) =>
      Object.entries(passes(it, region, filters)).every(([name, passed]) => passed || name === own),
    )
  const counts = (ids: number[]) =>
    [...Map.groupBy(ids, (id) => id)]
      .map(([id, all]) => ({ id, count: all.length }))
      .toSorted((a, b) => b.count - a.count || a.id - b.id)
  const prices = but('price').flatMap((it) => summaryIn(it, region).priceTiyin ?? [])
  const edges = [
    0,
    ...Array.from({ length: 12 }, (_, it) => [1, 2, 5].map((step) => step * 100 * 10 ** it)).flat(),
  ]
  const ratings = but('rating').map((it) => summaryIn(it, region).rating ?? -1)
  const stock = but('stock').map((it) => summaryIn(it, region).inStock)
  return {
    brands: counts(but('brands').flatMap((it) => it.brandId ?? [])),
    partners: counts(but('partners').flatMap((it) => partnersIn(it, region))),
    categories: counts(but('category').flatMap((it) => it.categoryPath)),
    price: {
      min: prices.length > 0 ? Math.min(...prices) : null,
      max: prices.length > 0 ? Math.max(...prices) : null,
      buckets: edges
        .map((from, at) => ({ from, to: edges[at + 1] ?? from * 2 }))
        .map((it) => ({ ...it, count: prices.filter((price) => price >= it.from && price < it.to).length }))
        .filter((it) => it.count > 0),
    },
    rating: [4.5, 4, 3, 2, 1].map((from) => ({ from, count: ratings.filter((it) => it >= from).length })),
    inStock: { yes: stock.filter(Boolean).length, no: stock.filter((it) => !it).length },
    attributes: plainAttributeFacets(but),
  }
}
