// The database fails under load and its replica takes over. What was acknowledged must be there.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../support/process.ts'
import { callAt } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openMovableAddress } from './address.ts'
import {
  type Buying,
  createKey,
  isShort,
  startBuying,
  startNode,
  type StoredPurchases,
  addUnlimitedStock,
  storedPurchases,
} from './nodes.ts'
import { openPostgresPair, type PostgresPair } from './postgres.ts'

const buyers = 16
const callsBefore = isShort ? 100 : 1_000
const callsAfter = isShort ? 100 : 1_000
/** How long an operator's monitor needs to decide; the rest of the pause is ours and PostgreSQL's. */
const decisionMs = 500

interface Failover {
  pair: PostgresPair
  servers: RunningServer[]
  buying: Buying
  key: string
  /** From the crash to the first success after it. */
  pauseSeconds: number
}

async function failOver({ isSynchronous }: { isSynchronous: boolean }): Promise<Failover> {
  const pair = await openPostgresPair({ isSynchronous })
  const database = await openMovableAddress(pair.primary.port)
  after(() => database.close())
  const shared = { DATABASE_URL: `postgres://bozor@127.0.0.1:${database.port}/bozor` }
  const key = await createKey(shared)
  const servers = [await startNode(shared), await startNode(shared)]
  await addUnlimitedStock(servers[0]!, key)
  const urls = servers.map((it) => it.url)
  const buying = startBuying({ urls: () => urls, key, buyers, firstClient: 1 })
  const replies = () => buying.acknowledged.repliedAtMs
  await waitUntil(() => replies().length >= callsBefore, { what: 'the shop is under load' })

  const crashedAtMs = performance.now()
  await pair.primary.crash()
  await sleep(decisionMs)
  await pair.replica.query('select pg_promote()')
  database.moveTo(pair.replica.port)
  const isLater = (atMs: number) => atMs > crashedAtMs + decisionMs
  await waitUntil(() => replies().some(isLater), { what: 'a call succeeds after the failover' })
  const pauseSeconds = (replies().find(isLater)! - crashedAtMs) / 1_000
  const soFar = replies().length
  await waitUntil(() => replies().length >= soFar + callsAfter, { what: 'the shop works as before' })
  await buying.stop()
  return { pair, servers, buying, key, pauseSeconds }
}

function report(t: TestContext, { buying, pauseSeconds }: Failover): void {
  const { units, orders } = buying.acknowledged
  t.diagnostic(`${units} units and ${orders} orders acknowledged; refused: ${JSON.stringify(buying.refused)}`)
  t.diagnostic(`no success for ${pauseSeconds.toFixed(2)} s, ${decisionMs / 1_000} s of it the decision`)
}

test('a failover to a synchronous replica loses and repeats no acknowledged write', async (t) => {
  const failover = await failOver({ isSynchronous: true })
  const { pair, servers, buying, key } = failover
  const { units, orders } = buying.acknowledged
  const [stored] = await pair.replica.query<StoredPurchases>(storedPurchases)
  equal(stored!.inCarts + stored!.inOrders, units, 'every acknowledged unit is in one place')
  equal(stored!.orders, orders)
  equal(stored!.sold, stored!.inOrders)
  deepEqual(
    Object.keys(buying.refused).filter((it) => it !== '503' && it !== '409'),
    [],
    'refused calls get 503, or 409 while their first attempt runs',
  )
  // Both nodes go on without a restart: they are ready, and every event is relayed.
  for (const { url } of servers)
    await waitUntil(async () => (await callAt(url, 'GET', '/readyz', {})).status === 200)
  const waiting = `select count(*)::int as count from live.outbox_events where position is null`
  await waitUntil(async () => (await pair.replica.query<{ count: number }>(waiting))[0]!.count === 0)
  const created = await pair.replica.query<{ count: number }>(
    `select count(*)::int as count from live.outbox_events where type = 'OrdersCreated'`,
  )
  ok(key)
  equal(created[0]!.count, orders, 'one event per order')
  report(t, failover)
  for (const server of servers) equal(await server.end('SIGTERM'), 0)
})

test('a failover to an asynchronous replica loses at most what was not yet replicated', async (t) => {
  if (isShort) return t.skip('only in the full form')
  const failover = await failOver({ isSynchronous: false })
  const { units } = failover.buying.acknowledged
  const [stored] = await failover.pair.replica.query<StoredPurchases>(storedPurchases)
  const lost = units - stored!.inCarts - stored!.inOrders
  ok(lost <= buyers, 'at most the last write of each buyer')
  equal(stored!.sold, stored!.inOrders)
  report(t, failover)
  t.diagnostic(`${lost} of ${units} acknowledged units were lost`)
  for (const server of failover.servers) equal(await server.end('SIGTERM'), 0)
})
