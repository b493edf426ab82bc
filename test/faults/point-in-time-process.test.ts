// The embedded database with its log in an archive: after a mistake it is restored to the moment before it.

import { deepEqual, equal, match } from 'node:assert/strict'
import { copyFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { bozor, preparedFolder, startServer, temporaryFolder } from '../support/process.ts'
import { openS3Server } from '../support/s3.ts'
import { waitUntil } from '../support/wait-until.ts'

async function query<Row extends object>(dataDir: string, sql: string): Promise<Row> {
  const [file] = globSync(join(dataDir, '**/postmaster.pid'))
  const client = new pg.Client({
    host: readFileSync(file!, 'utf8').split('\n')[4]!,
    user: 'bozor',
    database: 'bozor',
  })
  await client.connect()
  return (await client.query<Row>(sql).finally(() => client.end())).rows[0]!
}

test('a restore from the archive reaches any moment after a base backup, and the end of the log', async () => {
  const [archive, atMoment, atEnd] = [
    join(temporaryFolder(), 'archive'),
    temporaryFolder(),
    temporaryFolder(),
  ]
  const DATA_DIR = await preparedFolder()
  const server = await startServer({ DATA_DIR, WAL_ARCHIVE: archive })
  const create = async (slug: string) =>
    equal((await server.call('POST', '/v1/catalog/brands', { body: { slug, name: slug } })).status, 201)
  const slugsIn = async (dataDir: string): Promise<string[]> => {
    const restored = await startServer({ DATA_DIR: dataDir, WAL_ARCHIVE: archive })
    const reply = await restored.call('GET', '/v1/catalog/brands', { key: server.keys.test })
    equal(await restored.end('SIGTERM'), 0)
    return (reply.body.data.brands as { slug: string }[]).map((it) => it.slug).toSorted()
  }

  await create('before-base')
  const made = await bozor(['backup', '--base', '--json'], { DATA_DIR, WAL_ARCHIVE: archive })
  equal(made.code, 0, made.stderr)
  const { from } = JSON.parse(made.stdout) as { from: string }
  await create('after-base')
  const { moment } = await query<{ moment: string }>(
    DATA_DIR,
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment`,
  )
  await create('mistake')
  const { segment } = await query<{ segment: string }>(
    DATA_DIR,
    `select pg_walfile_name(pg_switch_wal()) as segment`,
  )
  await waitUntil(() => existsSync(join(archive, 'wal', segment)), { what: 'the segment is archived' })
  // The disk is lost: only the archive is left.
  await server.end('SIGKILL')

  const env = (dataDir: string) => ({ DATA_DIR: dataDir, WAL_ARCHIVE: archive })
  const early = await bozor(['restore', '--to', '2020-01-01T00:00:00Z'], env(atMoment))
  equal(early.code, 1)
  match(early.stderr, new RegExp(`earliest moment .* is ${from}`))
  for (const [dataDir, to] of [
    [atMoment, moment],
    [atEnd, 'latest'],
  ] as const) {
    const { code, stderr } = await bozor(['restore', '--to', to], env(dataDir))
    equal(code, 0, stderr)
    copyFileSync(join(DATA_DIR, 'secret.key'), join(dataDir, 'secret.key'))
  }
  match((await bozor(['restore', '--to', 'latest'], env(atEnd))).stderr, /already holds a database/)
  deepEqual(await slugsIn(atMoment), ['after-base', 'before-base'])
  deepEqual(await slugsIn(atEnd), ['after-base', 'before-base', 'mistake'])
})

test('an archive in a bucket restores a machine of which nothing is left', async () => {
  const s3 = await openS3Server()
  const bucket = {
    WAL_ARCHIVE_S3_URL: `${s3.url}/shop`,
    WAL_ARCHIVE_S3_REGION: s3.region,
    WAL_ARCHIVE_S3_KEY_ID: s3.keyId,
    WAL_ARCHIVE_S3_SECRET: s3.secret,
  }
  const envOf = (DATA_DIR: string) => ({
    DATA_DIR,
    WAL_ARCHIVE: join(temporaryFolder(), 'archive'),
    ...bucket,
  })
  const env = envOf(await preparedFolder())
  const server = await startServer(env)
  const create = async (slug: string) =>
    equal((await server.call('POST', '/v1/catalog/brands', { body: { slug, name: slug } })).status, 201)
  const made = await bozor(['backup', '--base', '--json'], env)
  equal(made.code, 0, made.stderr)
  match(made.stdout, new RegExp(`"folder":"${bucket.WAL_ARCHIVE_S3_URL}/base-`))
  await create('after-base')
  const { segment } = await query<{ segment: string }>(
    env.DATA_DIR,
    `select pg_walfile_name(pg_switch_wal()) as segment`,
  )
  const key = `/shop-pictures/shop/wal/${segment}.gz`
  await waitUntil(() => s3.objects.has(key), { what: 'the segment is in the bucket' })
  await server.end('SIGKILL')
  const other = await startedAgain(envOf(temporaryFolder()), server.keys.test, env.DATA_DIR)
  deepEqual(other, ['after-base'])
  deepEqual(s3.refused, [])
})

/** Restores to the end of the log and lists the brands. */
async function startedAgain(env: Environment, key: string, oldFolder: string): Promise<string[]> {
  const { code, stderr } = await bozor(['restore', '--to', 'latest'], env)
  equal(code, 0, stderr)
  copyFileSync(join(oldFolder, 'secret.key'), join(env.DATA_DIR, 'secret.key'))
  const restored = await startServer(env)
  const reply = await restored.call('GET', '/v1/catalog/brands', { key })
  equal(await restored.end('SIGTERM'), 0)
  return (reply.body.data.brands as { slug: string }[]).map((it) => it.slug)
}

type Environment = Record<string, string> & { DATA_DIR: string }

test('a base backup without an archive is refused with what to do', async () => {
  const DATA_DIR = await preparedFolder()
  const { code, stderr } = await bozor(['backup', '--base'], { DATA_DIR })
  equal(code, 2)
  match(stderr, /set WAL_ARCHIVE/)
})
