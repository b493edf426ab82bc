// What it costs to import a hundred thousand offers: over HTTP and by command, beside a bare insert of the same rows.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { cpuSeconds, family, residentMegabytes } from './cpu.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const offers = Number(process.env['BENCH_OFFERS'] ?? 100_000)
const products = offers / 2
const batch = 1_000

export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  const files = {
    catalogRecords: join(folder, 'catalogRecords.ndjson'),
    offers: join(folder, 'offers.ndjson'),
  }
  await write(files.catalogRecords, catalogRecords())
  await write(files.offers, numbers(offers).map(offerOf))
  const ours = await startOurs(dataDir)
  try {
    await send(ours, files.catalogRecords)
    const floor = await bareInsert(dataDir)
    const database = Number(pidFile(dataDir).split('\n')[0])
    const http = await measured([ours.child.pid!, ...family(database)], ours.child.pid!, () =>
      send(ours, files.offers),
    )
    const again = await measured([ours.child.pid!], ours.child.pid!, () => send(ours, files.offers))
    await command(dataDir, files.catalogRecords)
    const cli = await measured(family(database), process.pid, () => command(dataDir, files.offers))
    const bar = '≥ 5000'
    const note = (it: Measured) =>
      `${((1000 * it.cpu) / offers).toFixed(3)} ms CPU each, of which the database ${((1000 * (it.cpu - it.own)) / offers).toFixed(3)}`
    return [
      {
        name: 'import of offers over HTTP',
        ours: http.perSecond,
        unit: 'offers/s',
        floor,
        bar,
        note: note(http),
      },
      { name: 'the same again, nothing new', ours: again.perSecond, unit: 'offers/s', floor, bar },
      { name: 'import of offers by command', ours: cli.perSecond, unit: 'offers/s', floor, bar },
      { name: 'import, highest memory of the server', ours: http.peakMb, unit: 'MB', bar: '≤ 250' },
    ]
  } finally {
    await stop(ours.child)
    rmSync(folder, { recursive: true, force: true })
  }
}

const numbers = (to: number) => Array.from({ length: to }, (_, at) => at + 1)
const words = (text: string) => ({ ru: text, uz: text, en: text })
const write = (path: string, records: object[]) =>
  pipeline(Readable.from(records.map((it) => `${JSON.stringify(it)}\n`)), createWriteStream(path))

/** All records that the offers refer to. Ids are beyond those of the demo shop. */
const catalogRecords = (): object[] => [
  ...numbers(20).map((at) => ({
    record: 'category',
    id: 10_000 + at,
    slug: `bench-${at}`,
    name: words(`C ${at}`),
  })),
  ...numbers(20).map((at) => ({ record: 'partner', id: 10_000 + at, slug: `bench-${at}`, name: `P ${at}` })),
  ...numbers(products).map((at) => ({
    record: 'product',
    id: 1_000_000 + at,
    category_id: 10_001 + (at % 20),
    slug: `bench-${at}`,
    name: words(`Product ${at}`),
  })),
]

const offerOf = (at: number) => ({
  record: 'offer',
  id: 1_000_000 + at,
  product_id: 1_000_001 + (at % products),
  variant_id: null,
  partner_id: 10_001 + (at % 20),
  price_tiyin: 100_000 + at * 100,
  old_price_tiyin: null,
  quantity: at % 50,
  is_visible: true,
  is_active: true,
  regions: ['home', 'global'],
  loan_condition_ids: [],
  bnpl: { has_daily_payment: false, prepayment_tiyin: null },
  reservation_minutes: null,
})

async function send({ url, key }: Ours, path: string): Promise<void> {
  const reply = await fetch(`${url}/v1/catalog/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(createReadStream(path)) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  const text = await reply.text()
  if (reply.status !== 200 || !text.includes('"refused":0,')) throw new Error(text.slice(0, 500))
}

async function command(dataDir: string, path: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir }
  const child = spawn(process.execPath, ['src/main.ts', 'import', path, '--env', 'test'], {
    env,
    stdio: 'ignore',
  })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`the command ended with ${code}`)
}

interface Measured {
  perSecond: number
  /** Seconds of CPU of all measured processes, and of the server alone. */
  cpu: number
  own: number
  peakMb: number
}

async function measured(pids: number[], own: number, work: () => Promise<void>): Promise<Measured> {
  let peakMb = 0
  const look = setInterval(() => (peakMb = Math.max(peakMb, residentMegabytes(own))), 50)
  const [before, ownBefore, began] = [cpuSeconds(pids), cpuSeconds([own]), performance.now()]
  await work()
  clearInterval(look)
  return {
    perSecond: offers / ((performance.now() - began) / 1000),
    cpu: cpuSeconds(pids) - before,
    own: cpuSeconds([own]) - ownBefore,
    peakMb,
  }
}

/** The same rows and as many events, a thousand at a time, through the bare driver into tables of the same form. */
async function bareInsert(dataDir: string): Promise<number> {
  const client = new pg.Client({ host: pidFile(dataDir).split('\n')[4]!, user: 'bozor', database: 'bozor' })
  await client.connect()
  for (const table of ['catalog_offers', 'outbox_events'])
    await client.query(`create table floor_${table} (like live.${table} including all)`)
  const began = performance.now()
  for (let from = 0; from < offers; from += batch) {
    const rows = numbers(batch).map((at) => offerOf(from + at))
    await client.query('begin')
    await client.query({
      name: 'floor',
      text: `insert into floor_catalog_offers (id, product_id, partner_id, price_tiyin, quantity, is_visible, is_active,
               regions, loan_condition_ids, has_daily_payment, created_at, updated_at)
             select *, true, true, '{home,global}', '{}', false, now(), now() from unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int4[])`,
      values: [
        rows.map((it) => it.id),
        rows.map((it) => it.product_id),
        rows.map((it) => it.partner_id),
        rows.map((it) => it.price_tiyin),
        rows.map((it) => it.quantity),
      ],
    })
    await client.query({
      name: 'events',
      text: `insert into floor_outbox_events (event_id, type, subject, fields, occurred_at)
             select gen_random_uuid(), 'OfferActivated', 'offer/' || id, '{}', now() from unnest($1::int8[]) as id`,
      values: [rows.map((it) => it.id)],
    })
    await client.query('commit')
  }
  const perSecond = offers / ((performance.now() - began) / 1000)
  await client.query('drop table floor_catalog_offers, floor_outbox_events')
  await client.end()
  return perSecond
}

const pidFile = (dataDir: string): string =>
  readFileSync(globSync(join(dataDir, '**/postmaster.pid'))[0]!, 'utf8')
