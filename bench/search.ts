// What lists and searches over all products cost. Times are CPU time of the thread, the mean of many calls; the floor
// is a plain scan of the same columns in the same run, which no list without an index can beat.

import type { IndexedProduct } from '../src/catalog/product-index/indexed-product.ts'
import type { ProductQuery } from '../src/catalog/product-index/query.ts'
import { ProductIndex } from '../src/catalog/product-index/product-index.ts'
import { cpuMs, megabytes } from './cpu.ts'
import { sampleProducts } from './sample-products.ts'
import type { Row } from './row.ts'

const MANY = 100_000
const FEW = 1_000

/** Measures filling, lists, searches and changes over 100 000 products, and the list over 1 000 too. */
export async function bench(many = MANY): Promise<Row[]> {
  const products = sampleProducts(many)
  const before = megabytes()
  const index = new ProductIndex()
  const filled = cpuMs(() => products.forEach((it) => index.put(it)))
  const memory = megabytes() - before
  const few = new ProductIndex()
  for (const it of products.slice(0, FEW)) few.put(it)
  return [
    {
      name: `index: put ${many} products`,
      ours: many / (filled / 1000),
      unit: '/s',
      floor: many / (cpuMs(() => plainWords(products)) / 1000),
      bar: '≥ 20 000',
      note: 'the floor only cuts the texts into words and counts them',
    },
    { name: `index: memory of ${many} products`, ours: memory, unit: 'MB', bar: '≤ 120' },
    ...listRows(index, few, products),
    ...searchRows(index, products),
    ...changeRows(index, products),
  ]
}

const list: ProductQuery = {
  region: 'home',
  language: 'ru',
  filters: {},
  sort: '-popularity',
  limit: 20,
  wantsFacets: false,
}
const seek = (text: string): ProductQuery => ({ ...list, text, sort: 'relevance', wantsFacets: true })

// oxfmt-ignore
const lists: [name: string, query: ProductQuery][] = [
  ['the most popular', list],
  ['by name', { ...list, sort: 'name' }],
  ['a category by price', { ...list, sort: 'price', filters: { categoryId: 110 } }],
  ['a category, price range, in stock', { ...list, filters: { categoryId: 110, priceMin: 5e6, priceMax: 5e8, inStock: true } }],
  ['a brand, dearest first', { ...list, sort: '-price', filters: { brandIds: [400] } }],
]

function listRows(index: ProductIndex, few: ProductIndex, products: IndexedProduct[]): Row[] {
  const floor = perCall(() => plainScan(products), 5)
  return lists.map(([name, query]) => ({
    name: `list of 20: ${name}`,
    ours: perCall(() => index.find(query), 2_000),
    unit: 'ms',
    floor,
    bar: '≤ 0.2',
    note: `${perCall(() => few.find(query), 2_000).toPrecision(2)} over ${FEW} products`,
  }))
}

const usual = [
  'samsung',
  'смартфон samsung',
  'smartfon qora 128 gb',
  'электрический чайник',
  'apple s-24',
  'кросовки',
  'xfqybr',
]
// oxfmt-ignore
const hostile: [name: string, text: string][] = [
  ['256 wildcards', '%_\\'.repeat(85)],
  ['a bomb for regular expressions', '(a+)+$'.repeat(42)],
  ['128 one-letter words', 'а б '.repeat(64)],
  ['twelve common words', 'гарантия сервис доставка корпус дома офиса чёрный белый qora oq kafolat fast'],
  ['twelve misspelt words', 'гарантея сервес даставка копрус сматрфон офеса чермый бепый кафолот узбекистам материалыы хлодильник'],
  ['one word of 250 letters', 'чайник'.repeat(42)],
  ['marks upon marks', `ч${'\u0301'.repeat(250)}`],
  ['256 ligatures that unfold', '\ufdfa'.repeat(256)],
]

function searchRows(index: ProductIndex, products: IndexedProduct[]): Row[] {
  // A change of a product before each search: else its matches would be those of the search before.
  const search = (text: string) => {
    index.put(products[0]!)
    return index.find(seek(text))
  }
  const row = (name: string, text: string): Row => ({
    name: `search with facets: ${name}`,
    ours: perCall(() => search(text), 100),
    unit: 'ms',
    floor,
    bar: '≤ 5',
    note: `finds ${search(text).total}; the slowest of 100: ${slowest(() => search(text)).toPrecision(2)} by the clock`,
  })
  let price = 0
  const refined = (text: string) => ({ ...seek(text), filters: { priceMin: (price += 1) } })
  const floor = perCall(() => plainSearch(products, 'samsung'), 3)
  return [
    ...usual.map((text) => row(text, text)),
    ...hostile.map(([name, text]) => row(name, text)),
    {
      name: 'the same text again with another filter: смартфон samsung',
      ours: perCall(() => index.find(refined('смартфон samsung')), 100),
      unit: 'ms',
      bar: '≤ 5',
    },
    {
      name: 'suggestions for three letters',
      ours: perCall(() => index.suggest('сам', { language: 'ru', region: 'home', limit: 8 }), 100),
      unit: 'ms',
    },
  ]
}

function changeRows(index: ProductIndex, products: IndexedProduct[]): Row[] {
  let turn = 0
  const next = () => products[(turn += 7_919) % products.length]!
  const withHigherPrice = (it: IndexedProduct) => ({
    ...it,
    offers: it.offers.map((offer) => ({ ...offer, priceTiyin: offer.priceTiyin + turn })),
  })
  const renamed = (it: IndexedProduct) => ({ ...it, name: { ...it.name, en: `${it.name.en} ${turn}` } })
  return [
    {
      name: 'change a price',
      ours: 1000 * perCall(() => index.put(withHigherPrice(next())), 5_000),
      unit: 'µs',
    },
    { name: 'change a name', ours: 1000 * perCall(() => index.put(renamed(next())), 5_000), unit: 'µs' },
    {
      name: 'change a price, then list a category',
      ours: perCall(() => {
        index.put(withHigherPrice(next()))
        index.find(lists[2]![1])
      }, 2_000),
      unit: 'ms',
    },
    {
      name: 'change a price, then list a category with facets',
      ours: perCall(() => {
        index.put(withHigherPrice(next()))
        index.find({ ...lists[2]![1], wantsFacets: true })
      }, 50),
      unit: 'ms',
    },
  ]
}

/** The twenty most popular products, by a scan of all products without sorting the rest. */
function plainScan(products: IndexedProduct[]): number[] {
  const best: IndexedProduct[] = []
  for (const it of products) {
    if (best.length === 20 && best[19]!.popularity >= it.popularity) continue
    best.splice(best.findLastIndex((other) => other.popularity >= it.popularity) + 1, 0, it)
    best.length = Math.min(best.length, 20)
  }
  return best.map((it) => it.id)
}

/** How often each word occurs in all names and descriptions: the least that an index must do. */
function plainWords(products: IndexedProduct[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name, description } of products)
    for (const text of [...Object.values(name), ...Object.values(description)])
      for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
        counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Products whose Russian name has a word, by a scan of all names. */
const plainSearch = (products: IndexedProduct[], word: string): number[] =>
  products.filter((it) => it.name.ru!.toLowerCase().includes(word)).map((it) => it.id)

/** Milliseconds of CPU a call, after some calls to warm up. */
function perCall(work: () => unknown, calls: number): number {
  for (let call = 0; call < Math.ceil(calls / 5); call++) work()
  return (
    cpuMs(() => {
      for (let call = 0; call < calls; call++) work()
    }) / calls
  )
}

function slowest(work: () => unknown): number {
  let most = 0
  for (let call = 0; call < 100; call++) {
    const start = performance.now()
    work()
    most = Math.max(most, performance.now() - start)
  }
  return most
}
