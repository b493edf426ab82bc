// needs: haproxy
// Three nodes behind the proxy of deploy/, restarted one after another under load: no call fails.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../support/nats.ts'
import type { RunningServer } from '../support/process.ts'
import { callAt } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  createKey,
  isShort,
  startBuying,
  startNode,
  type StoredPurchases,
  addUnlimitedStock,
  storedPurchases,
} from './nodes.ts'
import { openPostgresPair } from './postgres.ts'
import { startProxy } from './proxy.ts'

const buyers = 12
const callsBetween = isShort ? 40 : 500
const rounds = isShort ? 1 : 3

test('a rolling restart of three nodes behind the proxy fails no call and loses nothing', async (t) => {
  const { primary } = await openPostgresPair({ isSynchronous: false })
  const shared = { DATABASE_URL: primary.url, DRAIN_SECONDS: '3' }
  const key = await createKey(shared)
  const ports = [await freePort(), await freePort(), await freePort()]
  const start = (port: number) => startNode({ ...shared, PORT: String(port) })
  const servers: RunningServer[] = []
  for (const port of ports) servers.push(await start(port))
  await addUnlimitedStock(servers[0]!, key)
  const proxy = await startProxy(ports)
  await waitUntil(async () => (await callAt(proxy, 'GET', '/readyz', {})).status === 200)

  const buying = startBuying({ urls: () => [proxy], key, buyers, firstClient: 1 })
  const replies = () => buying.acknowledged.repliedAtMs.length
  const moreCalls = async () => {
    const before = replies()
    await waitUntil(() => replies() >= before + callsBetween, { what: 'the shop works under load' })
  }
  await moreCalls()
  for (let restart = 0; restart < rounds * ports.length; restart++) {
    const at = restart % ports.length
    equal(await servers[at]!.end('SIGTERM'), 0)
    await moreCalls()
    servers[at] = await start(ports[at]!)
    await moreCalls()
  }
  await buying.stop()
  const { units, orders } = buying.acknowledged
  deepEqual(buying.refused, {}, `calls failed: ${JSON.stringify(buying.reasons)}`)
  const [stored] = await primary.query<StoredPurchases>(storedPurchases)
  equal(stored!.inCarts + stored!.inOrders, units)
  equal(stored!.orders, orders)
  t.diagnostic(`${rounds * ports.length} restarts: ${replies()} calls, none failed`)
  for (const server of servers) equal(await server.end('SIGTERM'), 0)
})
