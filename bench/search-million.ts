// The search index with a million products, filled in batches. It takes minutes, so it runs only when it is named:
// `npm run bench -- search-million`. The floor is the same index with 100 000 products, times ten.

import type { ProductQuery } from '../src/catalog/product-index/query.ts'
import { ProductIndex } from '../src/catalog/product-index/product-index.ts'
import { cpuMs, megabytes } from './cpu.ts'
import { sampleProducts } from './sample-products.ts'
import type { Row } from './row.ts'

const batch = 50_000
const floorProducts = 100_000
const allProducts = 1_000_000
const calls = 20
const texts = ['samsung', 'смартфон samsung', 'smartfon qora 128 gb', 'электрический чайник', 'кросовки']

const query = (text: string): ProductQuery => ({
  region: 'home',
  language: 'ru',
  filters: {},
  text,
  sort: 'relevance',
  limit: 20,
  wantsFacets: true,
})

interface Figures {
  seconds: number
  megabytes: number
  /** By text, milliseconds of CPU a search. */
  searches: number[]
}

export async function bench(): Promise<Row[]> {
  const index = new ProductIndex()
  const before = megabytes()
  let seconds = 0
  let filled = 0
  const fillTo = (products: number): Figures => {
    for (; filled < products; filled += batch) seconds += putBatch(index, filled)
    return { seconds, megabytes: megabytes() - before, searches: texts.map((it) => searchMs(index, it)) }
  }
  const [few, all] = [fillTo(floorProducts), fillTo(allProducts)]
  const times = allProducts / floorProducts
  return [
    {
      name: 'a million products: fill',
      ours: all.seconds,
      unit: 's',
      floor: few.seconds * times,
      bar: '≤ 60',
    },
    {
      name: 'a million products: memory',
      ours: all.megabytes,
      unit: 'MB',
      floor: few.megabytes * times,
      bar: '≤ 1000',
    },
    ...texts.map((text, at) => ({
      name: `a million products: ${text}`,
      ours: all.searches[at]!,
      unit: 'ms',
      floor: few.searches[at]! * times,
      bar: '≤ 15',
      note: `finds ${index.find(query(text)).total}`,
    })),
  ]
}

/** Seconds of CPU to put the next batch. */
function putBatch(index: ProductIndex, from: number): number {
  const products = sampleProducts(batch, 7 + from / batch).map((it) => ({
    ...it,
    id: it.id + from,
    offers: it.offers.map((offer) => ({ ...offer, id: offer.id + from * 10 })),
  }))
  return cpuMs(() => products.forEach((it) => index.put(it))) / 1000
}

/** A product changes before each search: else its matches would be those of the search before. */
function searchMs(index: ProductIndex, text: string): number {
  const [product] = sampleProducts(1)
  index.find(query(text))
  return (
    cpuMs(() => {
      for (let call = 0; call < calls; call++) {
        index.put(product!)
        index.find(query(text))
      }
    }) / calls
  )
}
