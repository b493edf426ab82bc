// What a start prints, and when.

import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { databaseUrl, freshDatabase } from '../support/database.ts'
import { bozor, bozorChild, startServer, temporaryFolder } from '../support/process.ts'
import { waitUntil } from '../support/wait-until.ts'

test('a start prints that it is ready only when /readyz answers 200', async () => {
  const connection = await freshDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  after(() => client.end())
  // The product index cannot be loaded while the table is locked.
  await client.query('begin; lock table live.catalog_products in access exclusive mode')
  const env = { DATABASE_URL: databaseUrl(connection), DATA_DIR: temporaryFolder() }
  const server = bozorChild(['start'], env)
  after(() => server.kill('SIGKILL'))
  let output = ''
  for (const stream of [server.stdout!, server.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))

  await waitUntil(() => output.includes('"listening"'))
  const url = /"address":"(http[^"]+)"/.exec(output)![1]!
  equal((await fetch(`${url}/readyz`)).status, 503)
  doesNotMatch(output, /is ready/)

  await client.query('rollback')
  await waitUntil(() => output.includes('is ready'))
  const reply = await fetch(`${url}/readyz`)
  equal(reply.status, 200, await reply.text())
  match(output, /\/docs/)
  doesNotMatch(output, /"message":"request".*readyz/, 'the log must not contain probes')
})

test('a second node with another SECRET_KEY refuses to start with one sentence', async () => {
  const env = { DATABASE_URL: databaseUrl(await freshDatabase()), DATA_DIR: temporaryFolder() }
  await startServer({ ...env, SECRET_KEY: '0'.repeat(64) })
  const { code, stderr } = await bozor(['start'], { ...env, SECRET_KEY: '1'.repeat(64) })
  equal(code, 1)
  match(stderr, /^bozor: The key in SECRET_KEY is not the key of this database: [^\n]+$/m)
  doesNotMatch(stderr, / at .*\.ts:/)
})

test('doctor and /readyz report Redis and NATS when they are configured', async () => {
  const DATA_DIR = temporaryFolder()
  const env = {
    DATA_DIR,
    REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
    NATS_URL: 'nats://a:hunter2@127.0.0.1:1',
  }
  const { code, stdout } = await bozor(['doctor'], env)
  equal(code, 1, stdout)
  match(stdout, /✗ Redis: unreachable .*REDIS_URL/)
  match(stdout, /✗ NATS: unreachable .*NATS_URL/)
  doesNotMatch(stdout, /hunter2/)

  const server = await startServer(env)
  const reply = await server.call('GET', '/readyz')
  deepEqual([reply.status, reply.body.dependencies], [200, { redis: false, nats: false }])
  equal(await server.end('SIGTERM'), 0)
})
