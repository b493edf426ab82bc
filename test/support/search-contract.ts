// The contract of all search engines: the same queries over the demo shop have the same results as in memory.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { shopProducts } from '../../bench/search-quality/demo-products.ts'
import { judgedQueries } from '../../bench/search-quality/judged-queries.ts'
import type { Environment } from '../../src/base/database.ts'
import type { IndexedProduct } from '../../src/catalog/product-index/indexed-product.ts'
import { ProductIndex } from '../../src/catalog/product-index/product-index.ts'
import { FetchedTexts, type TextStore } from '../../src/search/index.ts'

const batchSize = 300
const everyNth = 60
const products = shopProducts()
export const indexed = products.map((it) => it.product)
const everyday = [...judgedQueries('first', products), ...judgedQueries('second', products)]
  .filter((it, at) => !it.isHeldOut && at % everyNth === 0)
  .map((it) => it.text)
const odd = ['', '%_\\', 'а б '.repeat(40), 'купить телефон', 'yjen,er', 'ноут бук', 'мишлен', 'холадильник']
const typed = ['с', 'сам', 'samsung g', 'чай', 'choy', 'наушн', 'zzz']

export async function fill(store: TextStore, rows: readonly IndexedProduct[]) {
  let texts!: FetchedTexts
  const index = new ProductIndex(undefined, (columns) => (texts = new FetchedTexts(store, columns)))
  await store.beginLoad()
  for (let at = 0; at < rows.length; at += batchSize) {
    const batch = rows.slice(at, at + batchSize)
    await store.write(batch.map((it) => ({ id: it.id, texts: it })))
    for (const it of batch) index.put(it)
  }
  await store.endLoad()
  return { index, ask: <T>(run: (index: ProductIndex) => T) => texts.ask(() => run(index)) }
}

export const find = (text: string) => (index: ProductIndex) =>
  index.find({
    text,
    region: 'home',
    language: 'ru',
    filters: {},
    sort: 'relevance',
    limit: 20,
    wantsFacets: true,
  })
const suggest = (text: string) => (index: ProductIndex) =>
  index.suggest(text, { language: 'ru', region: 'home', limit: 8, withProducts: true })

const memory = new ProductIndex()
for (const it of indexed) memory.put(it)

/** Declares the tests of an engine. */
export function holdsContract(name: string, open: (environment: Environment) => TextStore): void {
  test(`${name} answers as the index in memory`, async () => {
    ok(everyday.length > 30)
    const { ask } = await fill(open('test'), indexed)
    for (const text of [...everyday, ...odd])
      deepEqual(await ask(find(text)), find(text)(memory), `the query "${text}"`)
    for (const text of typed)
      deepEqual(await ask(suggest(text)), suggest(text)(memory), `what is suggested for "${text}"`)
    deepEqual(
      await ask((index) => index.alternativeCategories('скакун вороной')),
      memory.alternativeCategories('скакун вороной'),
    )
  })

  test(`${name} follows changed, removed and unchanged products`, async () => {
    const [first, ...others] = indexed.slice(0, 30)
    const renamed = { ...first!, name: { ru: 'Скакун вороной', uz: 'Qora ot', en: 'Black steed' } }
    const store = open('live')
    const { index, ask } = await fill(store, [first!, ...others])
    equal((await ask(find('скакун'))).total, 0)
    await store.write([{ id: renamed.id, texts: renamed }])
    index.put(renamed)
    deepEqual((await ask(find('скакун'))).ids, [renamed.id])
    await store.write([{ id: renamed.id, texts: renamed }])
    await store.remove([renamed.id])
    index.remove(renamed.id)
    equal((await ask(find('скакун'))).total, 0)
    const again = await fill(open('live'), others)
    const plain = new ProductIndex()
    for (const it of others) plain.put(it)
    deepEqual(await again.ask(find('смартфон')), find('смартфон')(plain))
  })
}
