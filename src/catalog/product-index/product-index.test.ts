import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { fullScan } from '../../../test/support/full-scan.ts'
import { seededRandom } from '../../ml/random.ts'
import { type OfferPricing, type Region, type ProductScope, type IndexedProduct } from './indexed-product.ts'
import { nameKey } from './name-key.ts'
import { type Position, Synonyms } from '../../search/index.ts'
import type { Filters, ProductQuery, ProductQueryResult, Sort } from './query.ts'
import { ProductIndex } from './product-index.ts'

const sorts: Sort[] = ['popularity', 'price', 'name', 'created_at', 'id', 'rating', 'discount']

test('lists, totals, pages and facets equal those of a full scan after any changes', () => {
  const random = seededRandom(3)
  const below = (count: number) => Math.floor(random() * count)
  const index = new ProductIndex()
  const stock = new Map<number, IndexedProduct>()
  for (let step = 0; step < 3_000; step++) {
    const id = 1 + below(400)
    if (random() < 0.2) {
      index.remove(id)
      stock.delete(id)
    } else {
      const item = randomProduct(id, random)
      const known = stock.get(id)
      // Most changes are of prices and stock and do not touch the words.
      const put = known && random() < 0.7 ? { ...item, name: known.name } : item
      index.put(put)
      stock.set(id, put)
    }
    if (step % 3 > 0) continue
    const query = randomQuery(random, below)
    deepEqual(index.find(query), fullScan([...stock.values()], query), JSON.stringify(query))
  }
  equal(index.size, stock.size)
})

test('searches between changes equal those of a new index', () => {
  const random = seededRandom(4)
  const below = (count: number) => Math.floor(random() * count)
  const synonyms = Synonyms.curated()
  const index = new ProductIndex(synonyms)
  const stock = new Map<number, IndexedProduct>()
  const put = (product: IndexedProduct) => {
    index.put(product)
    stock.set(product.id, product)
  }
  for (let id = 1; id <= 200; id++) put(randomProduct(id, random))
  const texts = ['товар', ...[...stock.values()].slice(0, 5).map((it) => it.name.ru!)]
  for (let step = 0; step < 120; step++) {
    const known = [...stock.values()][below(stock.size)]!
    if (random() < 0.1) {
      index.remove(known.id)
      stock.delete(known.id)
    } else if (random() < 0.8) put({ ...known, offers: randomProduct(known.id, random).offers })
    const fresh = new ProductIndex(synonyms)
    for (const it of stock.values()) fresh.put(it)
    // Two filters of one text: the second finds what the first has kept.
    for (const query of [randomQuery(random, below), randomQuery(random, below)]) {
      const asked = { ...query, text: texts[step % texts.length]!, wantsFacets: true }
      deepEqual(index.find(asked), fresh.find(asked), JSON.stringify(asked))
    }
  }
})

test('pages by cursor show every product once, up and down', () => {
  const random = seededRandom(5)
  const index = new ProductIndex()
  for (let id = 1; id <= 2_500; id++) index.put(randomProduct(id, random))
  for (const sort of sorts.flatMap((it) => [it, `-${it}`] as const)) {
    const seen: number[] = []
    // After a sort order is built, some rows change their position in it.
    index.find({ ...everything, sort })
    for (let id = 1; id <= 300; id++) index.put(randomProduct(id * 8, random))
    let after: Position | null = null
    do {
      const page: ProductQueryResult = index.find({ ...everything, sort, limit: 40, ...(after && { after }) })
      seen.push(...page.ids)
      after = page.next
      // Rows that move between two pages must not affect the others.
      index.put(randomProduct(2_501 + seen.length, random))
      index.remove(2_501 + seen.length)
    } while (after)
    equal(seen.length, 2_500, sort)
    equal(new Set(seen).size, 2_500, sort)
  }
})

test('a new popularity gives the same results as indexing products with it', () => {
  const random = seededRandom(6)
  const below = (count: number) => Math.floor(random() * count)
  const [index, reindexed] = [new ProductIndex(), new ProductIndex()]
  const stock = Array.from({ length: 400 }, (_, at) => randomProduct(at + 1, random))
  for (const item of stock) index.put(item)
  index.find({ ...everything, sort: '-popularity' })
  const counted = new Map(stock.filter(() => random() < 0.8).map(({ id }) => [id, below(1_000)]))
  index.setPopularity(counted)
  for (const item of stock) reindexed.put({ ...item, popularity: counted.get(item.id) ?? 0 })
  for (const asked of [...sorts, 'relevance' as const].flatMap((sort) => [
    { ...everything, sort },
    { ...everything, sort, text: nameKey(stock[7]!.name.ru ?? '').split(' ')[0]! },
  ]))
    deepEqual(index.find(asked), reindexed.find(asked), JSON.stringify(asked))
})

test('by popularity, what is sold out comes after everything that can be bought', () => {
  const index = new ProductIndex()
  const [offer] = randomProduct(1, seededRandom(9)).offers
  const put = (id: number, popularity: number, quantity: number) =>
    index.put({
      ...randomProduct(id, seededRandom(9)),
      popularity,
      offers: [{ ...offer!, id, quantity, regions: ['home'], isModerated: false }],
    })
  const order = () => index.find({ ...everything, sort: '-popularity' }).ids
  put(1, 900, 0)
  put(2, 0, 4)
  put(3, 500, 0)
  put(4, 7, 1)
  deepEqual(order(), [4, 2, 1, 3])
  put(1, 900, 2)
  deepEqual(order(), [1, 4, 2, 3], 'in stock again')
})

test('an empty index returns nothing', () => {
  const found = new ProductIndex().find({ ...everything, wantsFacets: true })
  deepEqual(found.ids, [])
  equal(found.total, 0)
  equal(found.next, null)
  deepEqual(found.facets!.price, { min: null, max: null, buckets: [] })
})

test('filters accept brands, categories and partners without products', () => {
  const index = new ProductIndex()
  const item = { ...randomProduct(1, seededRandom(1)), brandId: 7, categoryPath: [8, 9] }
  const offer = { id: 1, partnerId: 5, priceTiyin: 1, oldPriceTiyin: null, quantity: 1, rating: 4 }
  const total = (filters: Filters) => index.find({ ...everything, filters }).total
  const asked: Filters[] = [{ brandIds: [7] }, { categoryId: 9 }, { partnerIds: [5] }, { partnerIds: [4, 5] }]
  deepEqual(asked.map(total), [0, 0, 0, 0])
  index.put({ ...item, offers: [{ ...offer, regions: ['home'] }] })
  deepEqual(asked.map(total), [1, 1, 1, 1])
})

test('a product shows the price of the cheapest offer in stock in the region, else of the cheapest', () => {
  const offer = { partnerId: 1, oldPriceTiyin: null, rating: 4 }
  const home: Region[] = ['home']
  const index = new ProductIndex()
  const item = randomProduct(1, seededRandom(1))
  const priceOf = (region: Region) =>
    index.find({ ...everything, region, wantsFacets: true }).facets!.price.min
  index.put({
    ...item,
    offers: [
      { ...offer, id: 1, priceTiyin: 100, quantity: 0, regions: home },
      { ...offer, id: 2, priceTiyin: 300, quantity: 1, regions: home },
    ],
  })
  equal(priceOf('home'), 300)
  equal(priceOf('global'), null)
  index.put({ ...item, offers: [{ ...offer, id: 1, priceTiyin: 100, quantity: 0, regions: home }] })
  equal(priceOf('home'), 100)
  equal(index.find({ ...everything, filters: { inStock: true } }).total, 0)
})

/** A promotion for all offers of a scope, as a percentage of their price. */
interface Sale extends ProductScope {
  percent: number
}

const pricedBy =
  (sales: readonly Sale[], productOf: (offerId: number) => number): OfferPricing =>
  (offer, { brandId, categoryPath }) => {
    const percents = sales
      .filter(
        (it) =>
          it.productIds.includes(productOf(offer.id)) ||
          it.categoryIds.some((id) => categoryPath.includes(id)) ||
          (brandId !== null && it.brandIds.includes(brandId)) ||
          it.partnerIds.includes(offer.partnerId),
      )
      .map((it) => it.percent)
    return percents.length === 0
      ? offer
      : {
          ...offer,
          priceTiyin: (offer.priceTiyin * Math.min(...percents)) / 100,
          oldPriceTiyin: offer.priceTiyin,
        }
  }

test('after promotions start and end for hundreds of products, lists equal those of a full scan', () =>
  compareDuringSales(400, 60))
test('after promotions start and end for thousands of products, lists equal those of a full scan', () =>
  compareDuringSales(5_000, 8))

function compareDuringSales(products: number, steps: number): void {
  const random = seededRandom(products)
  const below = (count: number) => Math.floor(random() * count)
  const index = new ProductIndex()
  const stock = new Map<number, IndexedProduct>()
  const put = (item: IndexedProduct) => {
    index.put(item)
    stock.set(item.id, item)
  }
  for (let id = 1; id <= products; id++) put(randomProduct(id, random))
  let sales: Sale[] = []
  // A cached list must not outlive its prices.
  const repeatedQueries: ProductQuery[] = [
    { ...everything, sort: 'price' },
    { ...everything, sort: '-discount', filters: { inStock: true }, wantsFacets: true },
    { ...everything, sort: 'rating', filters: { priceMax: 90_000 } },
  ]
  const productOf = (offerId: number) => Math.floor(offerId / 10)
  for (let step = 0; step < steps; step++) {
    const some = (most: number, share: number) => (random() < share ? [below(most)] : [])
    const turned = sales.length > 0 && random() < 0.5 ? sales[below(sales.length)]! : undefined
    const begun = { productIds: some(products, 0.5), categoryIds: some(12, 0.4), brandIds: some(9, 0.4) }
    const sale = turned ?? {
      ...begun,
      partnerIds: Array.from({ length: below(4) }, () => below(6)),
      percent: 50 + 10 * below(5),
    }
    sales = turned ? sales.filter((it) => it !== turned) : [...sales, sale]
    const pricing = sales.length > 0 ? pricedBy(sales, productOf) : undefined
    for (const _step of index.reprice(pricing, sale)) put(randomProduct(1 + below(products), random))
    // Products that change meanwhile are priced like all others.
    put(randomProduct(1 + below(products), random))
    const priced = [...stock.values()].map((it) => ({
      ...it,
      offers: it.offers.map((offer) => pricing?.(offer, it) ?? offer),
    }))
    for (const query of [...repeatedQueries, randomQuery(random, below)])
      deepEqual(index.find(query), fullScan(priced, query), JSON.stringify(query))
  }
}

const everything: ProductQuery = {
  region: 'home',
  language: 'ru',
  filters: {},
  sort: 'id',
  limit: 20,
  wantsFacets: false,
}

function randomProduct(id: number, random: () => number): IndexedProduct {
  const below = (count: number) => Math.floor(random() * count)
  const category = below(12)
  return {
    id,
    categoryPath: category < 4 ? [category] : [category % 4, category],
    brandId: random() < 0.1 ? null : below(9),
    createdAtMs: below(50) * 1000,
    popularity: below(30),
    name: { ru: `Товар ${below(40)}`, ...(random() < 0.5 && { en: `Thing ${below(40)}` }) },
    description: {},
    brand: '',
    categoryNames: [],
    variants: [],
    attributes: {
      ...(random() < 0.7 && { screen: below(6) }),
      ...(random() < 0.5 && { color: ['black', 'white', 'red'][below(3)]! }),
      ...(random() < 0.3 && { wireless: random() < 0.5 }),
    },
    offers: Array.from({ length: below(4) }, (_, at) => ({
      id: id * 10 + at,
      partnerId: below(6),
      priceTiyin: 100 * (1 + below(2_000)),
      oldPriceTiyin: random() < 0.4 ? 100 * (1 + below(2_500)) : null,
      quantity: below(3),
      rating: below(51) / 10,
      regions: ([['home'], ['global'], ['home', 'global']] satisfies Region[][])[below(3)]!,
    })),
  }
}

function randomQuery(random: () => number, below: (count: number) => number): ProductQuery {
  const some = <T>(value: T): T | undefined => (random() < 0.25 ? value : undefined)
  const chosen = {
    categoryId: some(below(13)),
    brandIds: some([below(9), below(10)].slice(0, 1 + below(2))),
    partnerIds: some([below(6), below(7)].slice(0, 1 + below(2))),
    priceMin: some(100 * below(1_000)),
    priceMax: some(100 * (500 + below(2_000))),
    ratingMin: some(below(5)),
    inStock: some(random() < 0.5),
    discounted: some(random() < 0.5),
    attributes: some([
      { code: 'screen', min: below(4), ...(random() < 0.5 && { max: 2 + below(4) }) },
      { code: 'color', anyOf: ['black', 'red'].slice(0, 1 + below(2)) },
      ...(random() < 0.5 ? [{ code: 'wireless', anyOf: [true] }] : []),
    ]),
    ids: random() < 0.05 ? Array.from({ length: 60 }, () => 1 + below(400)) : undefined,
  }
  const filters = Object.fromEntries(Object.entries(chosen).filter(([, it]) => it !== undefined)) as Filters
  const sort = sorts[below(sorts.length)]!
  return {
    region: random() < 0.7 ? 'home' : 'global',
    language: (['ru', 'uz', 'en'] as const)[below(3)]!,
    filters,
    sort: random() < 0.5 ? sort : `-${sort}`,
    limit: 1 + below(30),
    offset: random() < 0.5 ? below(30) : 0,
    wantsFacets: random() < 0.3,
  }
}
