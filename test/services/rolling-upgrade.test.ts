// needs: haproxy git
// Nodes of an earlier commit work on under load while the database is migrated, and are replaced one after another.
// nightly

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../src/base/migrate.ts'
import { freePort } from '../support/nats.ts'
import { bozor, type RunningServer } from '../support/process.ts'
import { callAt } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  createKey,
  isShort,
  nodeVariables,
  startBuying,
  startNode,
  type StoredPurchases,
  addUnlimitedStock,
  storedPurchases,
} from './nodes.ts'
import { openPostgresPair } from './postgres.ts'
import { previousVersion } from './previous-version.ts'
import { startProxy } from './proxy.ts'

const buyers = isShort ? 4 : 8
const callsBetween = isShort ? 40 : 500

test('nodes of an earlier commit and of this one serve one database while it is upgraded, and no call fails', async (t) => {
  const earlier = previousVersion()
  if (!earlier) return t.skip('the repository has no history')
  const { primary } = await openPostgresPair({ isSynchronous: false })
  const shared = { DATABASE_URL: primary.url, DRAIN_SECONDS: '3' }
  const key = await createKey(shared, earlier)
  const applied = async () =>
    (await primary.query<{ name: string }>('select name from platform.migrations order by name')).map(
      (it) => it.name,
    )
  const before = await applied()
  const added = migrations()
    .map((it) => it.name)
    .filter((it) => !before.includes(it))
  ok(added.length > 0, 'this version has migrations that the earlier one lacks')

  const ports = [await freePort(), await freePort(), await freePort()]
  const servers: RunningServer[] = []
  for (const port of ports) servers.push(await startNode({ ...shared, PORT: String(port) }, earlier))
  await addUnlimitedStock(servers[0]!, key)
  const proxy = await startProxy(ports)
  await waitUntil(async () => (await callAt(proxy, 'GET', '/readyz', {})).status === 200)
  const buying = startBuying({ urls: () => [proxy], key, buyers, firstClient: 1 })
  const replies = () => buying.acknowledged.repliedAtMs.length
  const moreCalls = async () => {
    const soFar = replies()
    await waitUntil(() => replies() >= soFar + callsBetween, { what: 'the shop works under load' })
  }

  await moreCalls()
  const migrated = await bozor(['migrate'], nodeVariables(shared))
  equal(migrated.code, 0, migrated.stderr)
  deepEqual(await applied(), [...before, ...added].toSorted())
  await moreCalls()
  const callsOfOldNodes = replies()
  for (const [at, port] of ports.entries()) {
    equal(await servers[at]!.end('SIGTERM'), 0)
    await moreCalls()
    servers[at] = await startNode({ ...shared, PORT: String(port) })
    await moreCalls()
  }
  await buying.stop()

  const { units, orders } = buying.acknowledged
  deepEqual(buying.refused, {}, `calls failed: ${JSON.stringify(buying.reasons)}`)
  const [stored] = await primary.query<StoredPurchases>(storedPurchases)
  equal(stored!.inCarts + stored!.inOrders, units)
  equal(stored!.orders, orders)
  t.diagnostic(`from ${earlier.commit}: ${added.join(', ')}`)
  t.diagnostic(`${replies()} calls, ${callsOfOldNodes} of them by nodes of the earlier commit, none failed`)
  const old = await bozor(['doctor'], nodeVariables(shared), earlier)
  match(old.stdout + old.stderr, /newer version of Bozor/, 'the earlier version does not start again')
  for (const server of servers) equal(await server.end('SIGTERM'), 0)
})
