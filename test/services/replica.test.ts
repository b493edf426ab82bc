// Reports and exports are answered by a streaming replica while it follows closely, and by the primary otherwise.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { bozor } from '../support/process.ts'
import { ndjson } from '../support/records.ts'
import { callAt } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import { createKey, nodeVariables, startNode } from './nodes.ts'
import { openPostgresPair } from './postgres.ts'

test('exports come from the replica, own writes from the primary, and a lost replica costs nothing', async (t) => {
  const { primary, replica } = await openPostgresPair({ isSynchronous: false })
  const shared = { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica.url }
  const key = await createKey(shared)
  const server = await startNode(shared)
  const call = (method: string, path: string, options: object = {}) =>
    callAt(server.url, method, path, { key, ...options })
  const importPartner = async (id: number) => {
    const raw = ndjson([{ record: 'partner', id, slug: `partner-${id}`, name: `Partner ${id}` }])
    const headers = { 'content-type': 'application/x-ndjson' }
    equal((await call('POST', '/v1/catalog/import', { raw, headers })).status, 200)
  }
  const exported = async (): Promise<number[]> => {
    const { status, text } = await call('GET', '/v1/catalog/export?records=partner')
    equal(status, 200, text)
    const lines = text.split('\n').filter(Boolean)
    return lines.map((it) => (JSON.parse(it) as { id: number }).id)
  }
  const isUsed = async () => (await call('GET', '/readyz')).body.dependencies.replica as boolean

  await waitUntil(isUsed, { what: 'the replica is used' })
  await importPartner(1)
  await waitUntil(async () => (await exported()).length === 1, { what: 'the replica has the first partner' })

  // A replica that applies nothing any more shows who answers.
  await replica.query('select pg_wal_replay_pause()')
  await importPartner(2)
  deepEqual(await exported(), [1], 'the replica answers')
  equal((await call('GET', '/v1/catalog/partners/2')).status, 200, 'own writes are read from the primary')

  await waitUntil(async () => !(await isUsed()), { what: 'the replica is too far behind' })
  deepEqual(await exported(), [1, 2], 'the primary answers')
  await replica.query('select pg_wal_replay_resume()')
  await waitUntil(isUsed, { what: 'the replica is used again' })

  const crashed = replica.crash()
  const replies: number[][] = []
  // A key runs at most four exports at once.
  for (let round = 0; round < 5; round++)
    replies.push(...(await Promise.all(Array.from({ length: 4 }, exported))))
  await crashed
  deepEqual(await exported(), [1, 2])
  ok(replies.every((it) => it.length === 2))
  await waitUntil(async () => !(await isUsed()), { what: 'the lost replica is noticed' })
  equal((await call('GET', '/readyz')).status, 200, 'the node stays ready')
  const { code, stdout } = await bozor(['doctor'], nodeVariables(shared))
  equal(code, 1)
  match(stdout, /✗ replica: unreachable .*DATABASE_REPLICA_URL/)
  t.diagnostic('20 exports while the replica crashed: all answered')
  equal(await server.end('SIGTERM'), 0)
})
