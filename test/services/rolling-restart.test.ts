// needs: haproxy
// Three nodes behind the proxy of deploy/, restarted one after another under load: no call fails.

import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
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
  stockUp,
  storedPurchases,
} from './nodes.ts'
import { openPostgresPair } from './postgres.ts'
import { startProgram } from './processes.ts'

const buyers = 12
const callsBetween = isShort ? 40 : 500
const rounds = isShort ? 1 : 3

/** The configuration of deploy/ for nodes on this machine: without TLS, and with few connections. */
function proxyConfig(port: number, nodes: readonly number[]): string {
  const given = readFileSync(new URL('../../deploy/compose/haproxy.cfg', import.meta.url), 'utf8')
  const servers = nodes.map((it, at) => `  server api-${at + 1} 127.0.0.1:${it}`)
  return given
    .replace('maxconn 10000', 'maxconn 1000')
    .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/ init-addr .*$/m, '')
    .replace(/^ {2}server api-1 [^]*$/m, `${servers.join('\n')}\n`)
}

async function startProxy(nodes: readonly number[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-proxy-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  writeFileSync(join(folder, 'haproxy.cfg'), proxyConfig(port, nodes))
  await startProgram('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], port)
  return `http://127.0.0.1:${port}`
}

test('a rolling restart of three nodes behind the proxy fails no call and loses nothing', async (t) => {
  const { primary } = await openPostgresPair({ isSynchronous: false })
  const shared = { DATABASE_URL: primary.url, DRAIN_SECONDS: '3' }
  const key = await createKey(shared)
  const ports = [await freePort(), await freePort(), await freePort()]
  const start = (port: number) => startNode({ ...shared, PORT: String(port) })
  const servers: RunningServer[] = []
  for (const port of ports) servers.push(await start(port))
  await stockUp(servers[0]!, key)
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
  deepEqual(buying.refused, {}, 'no call failed')
  const [stored] = await primary.query<StoredPurchases>(storedPurchases)
  equal(stored!.inCarts + stored!.inOrders, units)
  equal(stored!.orders, orders)
  t.diagnostic(`${rounds * ports.length} restarts: ${replies()} calls, none failed`)
  for (const server of servers) equal(await server.end('SIGTERM'), 0)
})
