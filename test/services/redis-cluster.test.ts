// Rate limits in a Redis Cluster of three nodes, one of which is stopped.
// needs: redis-server

import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { elapsedMs } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { memoryCounter } from '../../src/http/rate-limit.ts'
import { redisCounter } from '../../src/http/rate-limit-redis.ts'
import { waitUntil } from '../support/wait-until.ts'
import { startRedis } from './processes.ts'

const slots = 16_384
const limit = { limit: 50, windowSeconds: 60 }

/** The addresses of three nodes that share the slots. */
async function startCluster(): Promise<{ url: string; nodes: Redis[] }> {
  const ports = [
    await startRedis({ isClusterNode: true }),
    await startRedis({ isClusterNode: true }),
    await startRedis({ isClusterNode: true }),
  ]
  const nodes = ports.map((it) => new Redis(it, '127.0.0.1', { retryStrategy: () => null }))
  for (const [at, node] of nodes.entries()) {
    const from = Math.floor((at * slots) / nodes.length)
    const to = Math.floor(((at + 1) * slots) / nodes.length) - 1
    await node.call('cluster', 'addslotsrange', String(from), String(to))
    await node.call('cluster', 'set-config-epoch', String(at + 1))
    const busPort = ((await node.config('GET', 'cluster-port')) as string[])[1]!
    await nodes[0]!.call('cluster', 'meet', '127.0.0.1', String(ports[at]), busPort)
  }
  for (const node of nodes)
    await waitUntil(async () => String(await node.call('cluster', 'info')).includes('cluster_state:ok'), {
      what: 'the cluster is complete',
    })
  return { url: ports.map((it) => `redis://127.0.0.1:${it}`).join(','), nodes }
}

test('nodes of the shop share limits in a cluster and count for themselves without it', async (t) => {
  const { url, nodes } = await startCluster()
  const open = () =>
    redisCounter(url, { fallback: memoryCounter(elapsedMs), log: silentLog(), timeoutMs: 5_000 })
  const [one, two] = [open(), open()]
  t.after(() => Promise.all([one.close(), two.close(), ...nodes.map((it) => it.disconnect())]))
  await waitUntil(() => one.isReachable!() && two.isReachable!(), { what: 'both are connected' })
  const allowedOf = async (name: string) => {
    const calls = Array.from({ length: 100 }, (_, at) => (at % 2 ? one : two).take(name, limit))
    return (await Promise.all(calls)).filter((it) => it.allowed).length
  }
  // Thirty names lie on all three nodes.
  for (let at = 0; at < 30; at++) equal(await allowedOf(`caller-${at}`), 50)
  const held = await Promise.all(nodes.map((it) => it.dbsize()))
  equal(
    held.every((it) => it > 0),
    true,
    `keys per node: ${held.join(', ')}`,
  )
  for (const node of nodes) await node.shutdown('NOSAVE').catch(() => {})
  // Both count for themselves.
  equal(await allowedOf('after the cluster'), 100)
})
