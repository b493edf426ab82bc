// Training data for external engines; models trained on it can be imported here.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, nameOf, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { buyerKeyOf } from '../interactions/aliases.ts'
import { featureNames } from '../serving/features.ts'
import { trainTrees } from '../../ml/trees/train.ts'
import { writtenModel } from '../../ml/trees/write-model.ts'
import { formatRows } from './rows.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockTwoGroups(await openStock(shop))
await addGroupInteractions(db)
await train(db)

const take = async (name: string, query = '') => {
  const reply = await shop.call('GET', `/v1/recommendations/training-data/${name}${query}`)
  equal(reply.status, 200, reply.text)
  return reply
}
const tableOf = (csv: string) => {
  const [names = '', ...lines] = csv.trimEnd().split('\n')
  return { names: names.split(','), rows: lines.map((it) => it.split(',')) }
}

test('interactions are in order of time, each buyer under one name, the same in both formats', async () => {
  const csv = await take('interactions.csv')
  match(csv.headers.get('content-type')!, /^text\/csv/)
  const { names, rows } = tableOf(csv.text)
  deepEqual(names, ['buyer', 'product_id', 'offer_id', 'kind', 'weight', 'at'])
  const { count } = await db
    .read()
    .one<{ count: number }>(`select count(*) as count from recommendations_interactions`)
  ok(count > 3_000)
  equal(rows.length, count)
  const instants = rows.map((it) => it[5]!)
  deepEqual(instants, instants.toSorted())
  ok(rows.some(([buyer]) => buyer === buyerKeyOf(nameOf(0))))
  ok(!csv.text.includes(nameOf(0)))

  const lines = (await take('interactions.ndjson')).text
    .trimEnd()
    .split('\n')
    .map((it) => JSON.parse(it))
  deepEqual(
    lines.map((it) => [it.buyer, it.product_id, it.offer_id, it.kind, it.weight, it.at].map(String)),
    rows,
  )
  const [from, to] = [instants[100]!, instants[200]!]
  const some = tableOf((await take('interactions.csv', `?from=${from}&to=${to}`)).text).rows
  deepEqual(
    some,
    rows.filter(([, , , , , at]) => at! >= from && at! < to),
  )
})

/** The input of CatBoost: columns by name, labels, and the first row of each query. */
function pool(csv: string) {
  const { names, rows } = tableOf(csv)
  deepEqual(names, ['query', 'at', 'product_id', 'label', ...featureNames])
  const floatNames = names.slice(4)
  const queries = rows.map(([query], at) => (query === rows[at - 1]?.[0] ? -1 : at)).filter((at) => at >= 0)
  return {
    rows,
    data: {
      columns: {
        rows: rows.length,
        floats: floatNames.map((_, at) => Float32Array.from(rows, (row) => Number(row[at + 4]))),
        categories: [],
      },
      labels: Float64Array.from(rows, (row) => Number(row[3])),
      queries: Int32Array.from([...queries, rows.length]),
      floatNames,
    },
  }
}

test('features group by query, have labels, and are the same bytes for the same instant', async () => {
  const at = db.clock.now().toISOString()
  const { text } = await take('features.csv', `?days=20&until=${at}`)
  const { rows, data } = pool(text)
  ok(rows.length > 1_000, String(rows.length))
  ok(data.labels.some((it) => it === 1) && data.labels.some((it) => it === 2))
  const queries = rows.map(([query]) => Number(query))
  deepEqual(
    queries,
    queries.toSorted((a, b) => a - b),
  )
  ok(rows.every(([, when]) => when! < at))
  equal((await take('features.csv', `?days=20&until=${at}`)).text, text)
  const lines = (await take('features.ndjson', `?days=20&until=${at}`)).text.trimEnd().split('\n')
  deepEqual(Object.values(JSON.parse(lines[7]!)).map(String), rows[7])
})

test('a ranker trained elsewhere on these features is accepted and serves', async () => {
  const { data } = pool((await take('features.csv', '?days=20')).text)
  const { model } = trainTrees(data, { loss: 'QueryRMSE', iterations: 20, depth: 4, seed: 1 })
  const raw = writtenModel(model)
  const reply = await shop.call('POST', '/v1/recommendations/models', {
    raw,
    headers: { 'content-type': 'application/json' },
  })
  equal(reply.status, 200, reply.text)
  await waitUntil(async () => {
    const list = await shop.call('POST', '/offers/recommended/v3', {
      body: { from_layer: 'main_page', from_app: 'ios', user_id: nameOf(0) },
    })
    return list.body.source === 'catboost'
  })
})

test('invalid parameters and callers without the scope are refused', async () => {
  const path = '/v1/recommendations/training-data'
  for (const query of ['?days=0', '?days=61', '?days=many', '?until=2026-02-31T00:00:00Z', '?limit=5'])
    assertRefused('validation_failed', await shop.call('GET', `${path}/features.csv${query}`))
  assertRefused('validation_failed', await shop.call('GET', `${path}/interactions.csv?from=yesterday`))
  assertRefused('not_found', await shop.call('GET', `${path}/features.parquet`))
  const otherKey = await shop.makeKey({ scopes: ['catalog:read'] })
  for (const name of ['interactions.csv', 'features.ndjson'])
    equal((await shop.call('GET', `${path}/${name}`, { key: otherKey })).status, 403)
})

test('features are computed for one request at a time, and a closed connection frees the place', async () => {
  const disconnect = new AbortController()
  const url = `${shop.url}/v1/recommendations/training-data/features.csv`
  const headers = { authorization: `Bearer ${shop.keys.test}` }
  const first = await fetch(url, { headers, signal: disconnect.signal })
  equal(first.status, 200)
  assertRefused(
    'service_unavailable',
    await shop.call('GET', '/v1/recommendations/training-data/features.csv'),
  )
  disconnect.abort()
  await waitUntil(
    async () => (await shop.call('GET', '/v1/recommendations/training-data/features.csv')).status === 200,
  )
})

test('an empty shop has columns and no rows', async () => {
  const empty = await openPlatform()
  for (const name of ['interactions', 'features']) {
    const { status, text } = await empty.call('GET', `/v1/recommendations/training-data/${name}.csv`)
    deepEqual([status, tableOf(text).rows.length], [200, 0])
    equal((await empty.call('GET', `/v1/recommendations/training-data/${name}.ndjson`)).text, '')
  }
})

test('a cell that would break a line of CSV is quoted', async () => {
  const batches = (async function* () {
    yield [['a,"b"\n', 1]]
  })()
  let text = ''
  for await (const some of formatRows({ columns: ['name', 'count'], batches }, 'csv')) text += some
  equal(text, 'name,count\n"a,""b""\n",1\n')
})
