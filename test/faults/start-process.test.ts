// What a start prints, and when.

import { deepEqual, doesNotMatch, equal, match, notEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a database that cannot be reached ends the start with one sentence and leaves no lock', async () => {
  const DATA_DIR = temporaryFolder()
  const { code, stderr } = await bozor(['start'], {
    DATA_DIR,
    DATABASE_URL: 'postgres://shop:hunter2@127.0.0.1:1/shop',
  })
  equal(code, 5)
  match(stderr, /^bozor: The database cannot be used: [^\n]+ Check DATABASE_URL [^\n]+$/m)
  doesNotMatch(stderr, / at .*\.ts:|hunter2/)
  equal(existsSync(join(DATA_DIR, 'lock')), false)
})

test('a certificate that cannot be read ends the start before anything is created', async () => {
  const DATA_DIR = temporaryFolder()
  const { code, stderr } = await bozor(['start'], {
    DATA_DIR,
    TLS_CERT: '/nowhere.pem',
    TLS_KEY: '/nowhere.pem',
  })
  notEqual(code, 0)
  match(stderr, /TLS_CERT must be a file that can be read/)
  equal(existsSync(join(DATA_DIR, 'postgres')), false)
})

/** A folder on a disk of 64 kB; undefined where the machine mounts none. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-disk-'))
  const options = ['-t', 'tmpfs', '-o', 'size=64k,mode=755', 'tmpfs', folder]
  const isMounted = spawnSync('mount', options).status === 0
  after(() => {
    if (isMounted) spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return isMounted ? folder : undefined
}

test('a full disk ends the start with one sentence and leaves no lock', async (t) => {
  const DATA_DIR = smallDisk()
  if (!DATA_DIR) return t.skip('this machine mounts no disks')
  // Its creation fills the disk.
  const filling = await bozor(['start'], { DATA_DIR })
  equal(filling.code, 1)
  match(filling.stderr, /^bozor: PostgreSQL could not create a database: .*No space left on device/m)
  const fill = join(DATA_DIR, 'fill')
  try {
    writeFileSync(fill, Buffer.alloc(1024 * 1024))
  } catch {
    // The disk is full now.
  }
  const full = await bozor(['start'], { DATA_DIR })
  equal(full.code, 1)
  match(full.stderr, /^bozor: The disk is full[^\n]*\. Free some space or set DATA_DIR\.$/m)
  for (const { stderr } of [filling, full]) doesNotMatch(stderr, / at .*\.ts:/)
  rmSync(fill)
  deepEqual(
    readdirSync(DATA_DIR).filter((it) => it.startsWith('lock')),
    [],
  )
})

test('in production a server logs where it listens', async () => {
  const env = { DATABASE_URL: databaseUrl(await freshDatabase()), DATA_DIR: temporaryFolder() }
  const server = await startServer({ ...env, NODE_ENV: 'production', SECRET_KEY: '0'.repeat(64) })
  const logged = server
    .output()
    .split('\n')
    .find((it) => it.includes('"listening"'))
  deepEqual(new URL(JSON.parse(logged!).address).port, new URL(server.url).port)
  equal(await server.end('SIGTERM'), 0)
})

test(
  'a database outside of the data directory is named at the start and by doctor',
  { skip: process.getuid!() !== 0 && 'only root needs another place' },
  async () => {
    const closed = temporaryFolder()
    chmodSync(closed, 0o700)
    const DATA_DIR = join(closed, 'data')
    const server = await startServer({ DATA_DIR })
    const [, home] = / Database +(\S+), because its account cannot enter/.exec(server.output())!
    after(() => rmSync(home!, { recursive: true, force: true }))
    match(server.output(), /To delete the shop, delete both folders\./)
    const { stdout } = await bozor(['doctor'], { DATA_DIR })
    match(stdout, new RegExp(`database: PostgreSQL [^,]+, embedded, in ${home};`))
    equal(await server.end('SIGTERM'), 0)
  },
)
