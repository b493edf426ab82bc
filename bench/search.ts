// What lists and searches over all products cost. Times are CPU time of the thread, the mean of many calls; the floor is
// a plain look at the same columns in the same run, which no list without an index can beat.

import type { ShelfItem } from '../src/catalog/shelf/item.ts'
import type { Question } from '../src/catalog/shelf/question.ts'
import { Shelf } from '../src/catalog/shelf/shelf.ts'
import { madeGoods } from './goods.ts'
import type { Row } from './row.ts'

const MANY = 100_000
const FEW = 1_000

/** Measures filling, lists, searches and changes over 100 000 products, and the list over 1 000 too. */
export async function bench(many = MANY): Promise<Row[]> {
  const goods = madeGoods(many)
  const before = megabytes()
  const shelf = new Shelf()
  const filled = cpuMs(() => goods.forEach((it) => shelf.put(it)))
  const memory = megabytes() - before
  const few = new Shelf()
  for (const it of goods.slice(0, FEW)) few.put(it)
  return [
    {
      name: `shelf: put ${many} products`,
      ours: many / (filled / 1000),
      unit: '/s',
      floor: many / (cpuMs(() => plainWords(goods)) / 1000),
      bar: '≥ 20 000',
      note: 'the floor only cuts the texts into words and counts them',
    },
    { name: `shelf: memory of ${many} products`, ours: memory, unit: 'MB', bar: '≤ 120' },
    ...listRows(shelf, few, goods),
    ...searchRows(shelf, goods),
    ...changeRows(shelf, goods),
  ]
}

const list: Question = {
  region: 'home',
  language: 'ru',
  filters: {},
  sort: '-popularity',
  limit: 20,
  wantsFacets: false,
}
const seek = (text: string): Question => ({ ...list, text, sort: 'relevance', wantsFacets: true })

// oxfmt-ignore
const lists: [name: string, question: Question][] = [
  ['the most popular', list],
  ['by name', { ...list, sort: 'name' }],
  ['a category by price', { ...list, sort: 'price', filters: { categoryId: 110 } }],
  ['a category, price range, in stock', { ...list, filters: { categoryId: 110, priceMin: 5e6, priceMax: 5e8, inStock: true } }],
  ['a brand, dearest first', { ...list, sort: '-price', filters: { brandIds: [400] } }],
]

function listRows(shelf: Shelf, few: Shelf, goods: ShelfItem[]): Row[] {
  const floor = perCall(() => plainScan(goods), 5)
  return lists.map(([name, question]) => ({
    name: `list of 20: ${name}`,
    ours: perCall(() => shelf.find(question), 2_000),
    unit: 'ms',
    floor,
    bar: '≤ 0.2',
    note: `${perCall(() => few.find(question), 2_000).toPrecision(2)} over ${FEW} products`,
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

function searchRows(shelf: Shelf, goods: ShelfItem[]): Row[] {
  const row = (name: string, text: string): Row => ({
    name: `search with facets: ${name}`,
    ours: perCall(() => shelf.find(seek(text)), 100),
    unit: 'ms',
    floor,
    bar: '≤ 5',
    note: `finds ${shelf.find(seek(text)).total}; the slowest of 100: ${slowest(() => shelf.find(seek(text))).toPrecision(2)} by the clock`,
  })
  const floor = perCall(() => plainSearch(goods, 'samsung'), 3)
  return [
    ...usual.map((text) => row(text, text)),
    ...hostile.map(([name, text]) => row(name, text)),
    {
      name: 'suggestions for three letters',
      ours: perCall(() => shelf.suggest('сам', { language: 'ru', region: 'home', limit: 8 }), 100),
      unit: 'ms',
    },
  ]
}

function changeRows(shelf: Shelf, goods: ShelfItem[]): Row[] {
  let turn = 0
  const next = () => goods[(turn += 7_919) % goods.length]!
  const dearer = (it: ShelfItem) => ({
    ...it,
    offers: it.offers.map((offer) => ({ ...offer, priceTiyin: offer.priceTiyin + turn })),
  })
  const renamed = (it: ShelfItem) => ({ ...it, name: { ...it.name, en: `${it.name.en} ${turn}` } })
  return [
    { name: 'change a price', ours: 1000 * perCall(() => shelf.put(dearer(next())), 5_000), unit: 'µs' },
    { name: 'change a name', ours: 1000 * perCall(() => shelf.put(renamed(next())), 5_000), unit: 'µs' },
    {
      name: 'change a price, then list a category',
      ours: perCall(() => {
        shelf.put(dearer(next()))
        shelf.find(lists[2]![1])
      }, 2_000),
      unit: 'ms',
    },
    {
      name: 'change a price, then list a category with facets',
      ours: perCall(() => {
        shelf.put(dearer(next()))
        shelf.find({ ...lists[2]![1], wantsFacets: true })
      }, 50),
      unit: 'ms',
    },
  ]
}

/** The twenty most popular by looking at every product, without sorting the rest. */
function plainScan(goods: ShelfItem[]): number[] {
  const best: ShelfItem[] = []
  for (const it of goods) {
    if (best.length === 20 && best[19]!.popularity >= it.popularity) continue
    best.splice(best.findLastIndex((other) => other.popularity >= it.popularity) + 1, 0, it)
    best.length = Math.min(best.length, 20)
  }
  return best.map((it) => it.id)
}

/** How often each word stands in all names and descriptions: the least that an index must do. */
function plainWords(goods: ShelfItem[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name, description } of goods)
    for (const text of [...Object.values(name), ...Object.values(description)])
      for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
        counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Products whose Russian name has a word, by looking at every name. */
const plainSearch = (goods: ShelfItem[], word: string): number[] =>
  goods.filter((it) => it.name.ru!.toLowerCase().includes(word)).map((it) => it.id)

function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

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

/** What lives, as far as the collector tells without being asked. */
function megabytes(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
