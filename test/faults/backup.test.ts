import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { BackupUnusable } from '../../src/base/backup/errors.ts'
import { checkBackup } from '../../src/base/backup/check-backup.ts'
import { readManifest } from '../../src/base/backup/manifest.ts'
import { moveData } from '../../src/base/backup/move-data.ts'
import { restoreBackup } from '../../src/base/backup/restore-backup.ts'
import { connect, fullName, sequencesOf, tablesOf } from '../../src/base/backup/tables.ts'
import { removeOldBackups, writeBackup } from '../../src/base/backup/write-backup.ts'
import { silentLog } from '../../src/base/log.ts'
import { freshDatabase } from '../support/database.ts'
import { openOrdering } from '../support/orders.ts'
import { pngOf } from '../support/png.ts'
import { newHook, openReceiver, verified } from '../support/receiver.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const target = mkdtempSync(join(tmpdir(), 'bozor-backup-'))
const dataDir = mkdtempSync(join(tmpdir(), 'bozor-data-'))
after(() => {
  for (const it of [target, dataDir]) rmSync(it, { recursive: true, force: true })
})

const platform = await openPlatform({ env: { DATA_DIR: dataDir } })
const shop = await openOrdering(platform)
const receiver = await openReceiver()
const hook = await newHook(platform.call, receiver.url)
// Characters that COPY escapes, and an order, whose tables refer to each other.
const stocked = 100
const offer = await shop.stock.offer({ price: 1_000, quantity: stocked })
await sell()
await platform.call('POST', '/v1/catalog/brands', { body: { slug: 'odd', name: 'a\tb\\N \\. "ў" 🛒' } })
let backups = 0

async function sell(): Promise<void> {
  const buyer = shop.newClient()
  await shop.put(buyer, offer, 1)
  await shop.ordered(buyer)
}

const backUp = (now = new Date(Date.UTC(2026, 0, 1, 0, 0, backups++))) =>
  writeBackup(platform.connection, { target, dataDir, now, version: '1.2.3', progress: () => {} })

const uploaded = await platform.call('POST', '/v1/catalog/pictures', {
  raw: pngOf(4, 4),
  headers: { 'content-type': 'image/png' },
})
const picturePath: string = uploaded.body.data.picture.sm_path
const shared = await backUp()

/** Into a data directory of its own, so that the pictures are copied. */
const restoredDir = join(target, 'restored')
const restoreInto = async (connection: pg.PoolConfig, folder: string, replace = true) =>
  restoreBackup(connection, {
    folder,
    dataDir: restoredDir,
    manifest: readManifest(folder),
    replace,
    log: silentLog(),
    progress: () => {},
  })

/** Every row of every table as text, and the sequences. */
async function everything(connection: pg.PoolConfig): Promise<Record<string, string[]>> {
  const client = await connect(connection)
  const all: Record<string, string[]> = {
    sequences: (await sequencesOf(client)).map((it) => JSON.stringify(it)),
  }
  for (const table of await tablesOf(client)) {
    const { rows } = await client.query(`select it::text as it from ${fullName(table)} it order by 1`)
    all[fullName(table)] = rows.map((row) => row.it as string)
  }
  await client.end()
  return all
}

async function emptyDatabase(): Promise<pg.PoolConfig> {
  const connection = await freshDatabase()
  await query(connection, 'drop schema platform, live, test cascade')
  return connection
}

async function query(connection: pg.PoolConfig, sql: string) {
  const client = new pg.Client(connection)
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

test('a backup made while orders arrive is one consistent moment', async () => {
  const [{ folder, manifest }] = await Promise.all([backUp(), ...Array.from({ length: 20 }, sell)])
  await checkBackup(folder, manifest)
  const restored = await freshDatabase()
  await restoreInto(restored, folder)
  const { rows } = await query(
    restored,
    `select (select quantity from test.catalog_offers where id = ${offer})::int as left,
            (select sum(quantity) from test.orders_lines where offer_id = ${offer})::int as sold,
            (select count(*) from test.outbox_events where type = 'OrdersCreated')::int as events`,
  )
  equal(rows[0].left + rows[0].sold, stocked)
  equal(rows[0].events, rows[0].sold)
})

test('a restored backup equals its source in every table, and its secrets sign', async () => {
  // A second database without relay and jobs, so that nothing changes between the two readings.
  const quiet = await freshDatabase()
  await restoreInto(quiet, shared.folder)
  const { folder } = await writeBackup(quiet, {
    target,
    dataDir,
    now: new Date(Date.UTC(2026, 0, 1, 0, 0, backups++)),
    version: '1.2.3',
    progress: () => {},
  })
  const restored = await emptyDatabase()
  await restoreInto(restored, folder, false)
  deepEqual(await everything(restored), await everything(quiet))
  equal(statSync(folder).mode & 0o777, 0o700)
  equal(existsSync(join(folder, 'secret.key')), false)

  const second = await openPlatform({ connection: restored, env: { DATA_DIR: restoredDir } })
  const pictureAt = async (url: string) => Buffer.from(await (await fetch(url + picturePath)).arrayBuffer())
  const picture = await pictureAt(platform.url)
  ok(picture.length > 0)
  deepEqual(await pictureAt(second.url), picture)
  const received = receiver.received.length
  const reply = await second.call('POST', `/v1/webhooks/${hook.id}/ping`, { key: platform.keys.test })
  equal(Math.floor(reply.status / 100), 2, reply.text)
  const pings = () => receiver.received.slice(received).filter((it) => it.text.includes('WebhookPinged'))
  await waitUntil(() => pings().length > 0, { what: 'a delivery of the restored platform' })
  verified(hook.secret, pings()[0]!)
})

test('a restore refuses what it must not replace or cannot trust, and changes nothing', async () => {
  const { folder, manifest } = shared
  const holding = await freshDatabase()
  await query(
    holding,
    `insert into live.catalog_brands (slug, name, created_at, updated_at) values ('a', 'A', now(), now())`,
  )
  const before = await everything(holding)
  await rejects(restoreInto(holding, folder, false), /already holds a shop.*--replace/)
  await rejects(restoreInto(platform.connection, folder), /A server or a command uses the database/)

  const damaged = join(target, 'damaged')
  cpSync(folder, damaged, { recursive: true })
  const file = join(damaged, manifest.tables.find((it) => it.rows > 0)!.file)
  const bytes = readFileSync(file)
  bytes[bytes.length - 9]! ^= 1
  writeFileSync(file, bytes)
  await rejects(restoreInto(holding, damaged), BackupUnusable)
  rmSync(file)
  await rejects(restoreInto(holding, damaged), /cannot be read/)
  writeFileSync(
    join(damaged, 'manifest.json'),
    JSON.stringify({ ...manifest, migrations: [...manifest.migrations, '9999-from-the-future'] }),
  )
  await rejects(restoreInto(holding, damaged), /Bozor 1\.2\.3.*9999-from-the-future/)
  writeFileSync(join(damaged, 'manifest.json'), JSON.stringify({ ...manifest, format: 2 }))
  await rejects(restoreInto(holding, damaged), /format 2; this version reads format 1/)
  rmSync(join(damaged, 'manifest.json'))
  await rejects(restoreInto(holding, damaged), /not a complete backup/)
  deepEqual(await everything(holding), before)
})

test('a damaged picture makes a backup unusable', async () => {
  const { folder, manifest } = shared
  const damaged = join(target, 'damaged-picture')
  cpSync(folder, damaged, { recursive: true })
  equal(manifest.files!.length, 3)
  writeFileSync(join(damaged, 'files', manifest.files![0]!.path), 'other bytes')
  await rejects(checkBackup(damaged, manifest), /\.webp is damaged/)
  rmSync(join(damaged, 'files'), { recursive: true })
  await rejects(checkBackup(damaged, manifest), /\.webp cannot be read/)
})

test('a failure while loading leaves the database as it was', async () => {
  const { folder, manifest } = shared
  const wrong = join(target, 'wrong')
  cpSync(folder, wrong, { recursive: true })
  const tables = manifest.tables.map((it) =>
    it.name === 'orders_lines' && it.schema === 'test' ? { ...it, checksum: '1' } : it,
  )
  writeFileSync(join(wrong, 'manifest.json'), JSON.stringify({ ...manifest, tables }))
  const holding = await freshDatabase()
  const before = await everything(holding)
  await rejects(restoreInto(holding, wrong), /test\.orders_lines differs from the backup/)
  deepEqual(await everything(holding), before)
})

test('an interrupted move continues and ends with equal databases', async () => {
  const source = await freshDatabase()
  await restoreInto(source, shared.folder)
  const moved = await emptyDatabase()
  const move = (stopAt?: string) =>
    moveData({
      source,
      target: moved,
      log: silentLog(),
      progress: (text) => {
        if (stopAt && text.endsWith(stopAt)) throw new Error('interrupted')
      },
    })
  await rejects(move('test.orders_lines'), /interrupted/)
  const result = await move()
  equal(result.alreadyEqual > 0, true)
  deepEqual(await everything(moved), await everything(source))
  await rejects(move(), /already holds a shop/)
  await rejects(
    moveData({
      source: platform.connection,
      target: await emptyDatabase(),
      log: silentLog(),
      progress: () => {},
    }),
    /A server or a command uses the database/,
  )
})

test('only the newest backups are kept, and other folders stay', async () => {
  const last = await backUp(new Date(Date.UTC(2027, 0, 1)))
  const removed = await removeOldBackups(target, 1)
  equal(removed.length > 0, true)
  equal(existsSync(last.folder), true)
  equal(existsSync(join(target, 'damaged')), true)
  deepEqual(await removeOldBackups(target, 1), [])
})
