// The primary fails under load, and Patroni decides who takes over. Nodes reach the database through PgBouncer and HAProxy.
// needs: patroni etcd haproxy pgbouncer
// nightly

import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { callAt } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  createKey,
  startBuying,
  startNode,
  type StoredPurchases,
  addUnlimitedStock,
  storedPurchases,
} from './nodes.ts'
import { openPatroniCluster, type PatroniCluster, serverPrograms, ttlSeconds } from './patroni.ts'

const buyers = 8
const callsBetween = 300
const skip = serverPrograms() === undefined && 'no PostgreSQL of Debian is installed'

/** What happens to the primary, and what Patroni waits for before the replica takes over. */
const failures = [
  { what: 'PostgreSQL ends', waits: 'for nothing', fail: (it: PatroniCluster) => it.crashPrimaryDatabase() },
  {
    what: 'the whole machine ends',
    waits: `until its key expires, ${ttlSeconds} s`,
    fail: (it: PatroniCluster) => it.crashPrimary(),
  },
]

test('Patroni fails over under load, and no acknowledged write is lost or repeated', { skip }, async (t) => {
  const cluster = await openPatroniCluster()
  const shared = { DATABASE_URL: cluster.url, DATABASE_POOLER: 'session' }
  const key = await createKey(shared)
  const servers = [await startNode(shared), await startNode(shared)]
  await addUnlimitedStock(servers[0]!, key)
  const urls = servers.map((it) => it.url)
  const buying = startBuying({ urls: () => urls, key, buyers, firstClient: 1 })
  const replies = () => buying.acknowledged.repliedAtMs
  const moreReplies = async (what: string) => {
    const before = replies().length
    await waitUntil(() => replies().length >= before + callsBetween, { what })
  }
  await moreReplies('the shop is under load')
  for (const { what, waits, fail } of failures) {
    const before = await cluster.primaryName()
    const failedAtMs = performance.now()
    await fail(cluster)
    await waitUntil(async () => ![undefined, before].includes(await cluster.primaryName()), {
      what: 'another server becomes the primary',
      timeoutMs: 180_000,
      pollMs: 100,
    })
    notEqual(await cluster.primaryName(), before)
    const electedAtMs = performance.now()
    await waitUntil(() => replies().at(-1)! > electedAtMs, { what: 'a call succeeds after the failover' })
    report(t, { what, waits, failedAtMs, electedAtMs, repliedAtMs: longestPauseEnd(replies(), failedAtMs) })
    await moreReplies('the shop works as before')
    // The server whose database failed comes back as a replica; the machine that ended does not.
    if (what === failures[0]!.what) await cluster.replicates()
  }
  await buying.stop()

  const { units, orders } = buying.acknowledged
  const [stored] = await cluster.query<StoredPurchases>(storedPurchases)
  equal(stored!.inCarts + stored!.inOrders, units, 'every acknowledged unit is in one place')
  equal(stored!.orders, orders)
  equal(stored!.sold, stored!.inOrders)
  deepEqual(
    Object.keys(buying.refused).filter((it) => it !== '503' && it !== '409'),
    [],
    'refused calls get 503, or 409 while their first attempt runs',
  )
  t.diagnostic(`${units} units and ${orders} orders acknowledged; refused: ${JSON.stringify(buying.refused)}`)
  for (const { url } of servers)
    await waitUntil(async () => (await callAt(url, 'GET', '/readyz', {})).status === 200)
  for (const server of servers) equal(await server.end('SIGTERM'), 0)
  ok(units > 0 && orders > 0)
})

/** When the longest pause between two replies after an instant ended. */
function longestPauseEnd(repliedAtMs: readonly number[], sinceMs: number): { fromMs: number; toMs: number } {
  const later = [sinceMs, ...repliedAtMs.filter((it) => it > sinceMs)]
  let longest = { fromMs: sinceMs, toMs: sinceMs }
  for (let at = 1; at < later.length; at++)
    if (later[at]! - later[at - 1]! > longest.toMs - longest.fromMs)
      longest = { fromMs: later[at - 1]!, toMs: later[at]! }
  return longest
}

function report(
  t: TestContext,
  failover: {
    what: string
    waits: string
    failedAtMs: number
    electedAtMs: number
    repliedAtMs: { fromMs: number; toMs: number }
  },
): void {
  const { what, waits, failedAtMs, electedAtMs, repliedAtMs } = failover
  const seconds = (ms: number) => (ms / 1_000).toFixed(2)
  t.diagnostic(
    `${what}: no success for ${seconds(repliedAtMs.toMs - repliedAtMs.fromMs)} s; ` +
      `Patroni waits ${waits} and had elected another after ${seconds(electedAtMs - failedAtMs)} s`,
  )
}
