// A part of the visible judged queries, so that a change that makes search worse is noticed. All: npm run evaluate:search.

import { ok } from 'node:assert/strict'
import { test } from 'node:test'
import { shopProducts } from '../bench/search-quality/demo-products.ts'
import { judgedQueries } from '../bench/search-quality/judged-queries.ts'
import { measure } from '../bench/search-quality/measure.ts'
import { ProductIndex } from '../src/catalog/product-index/product-index.ts'

const everyNth = 4
const least = { precision: 0.95, firstHit: 0.97, kind: 0.9 }

test('judged queries over the demo shop are answered as a shopper expects', async () => {
  const products = shopProducts()
  const index = new ProductIndex()
  for (const it of products) index.put(it.product)
  const queries = [...judgedQueries('first', products), ...judgedQueries('second', products)].filter(
    (it, at) => !it.isHeldOut && at % everyNth === 0,
  )
  ok(queries.length > 200)
  const figures = await measure(
    (text, limit) =>
      index.find({
        region: 'home',
        language: 'ru',
        text,
        filters: {},
        sort: 'relevance',
        limit,
        wantsFacets: false,
      }).ids,
    queries,
  )
  const all = figures.get('all')!
  ok(all.precision >= least.precision && all.firstHit >= least.firstHit, JSON.stringify(all))
  for (const [kind, { precision }] of figures) ok(precision >= least.kind, `${kind}: ${precision}`)
})
