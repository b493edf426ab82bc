// Thousands of buyers order one unit of the same offer at the same time; the floor is as many buyers of many offers.
// BENCH_BUYERS sets how many.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cpuSeconds, family } from './cpu.ts'
import { load } from './load.ts'
import { databaseHost, databasePid, quiet } from './measure.ts'
import { fillCarts, orderText } from './ordering.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const buyers = Number(process.env['BENCH_BUYERS'] ?? 10_000)
const connections = 64
const manyOffers = 1_000
const firstId = 900_000
const hotOffer = firstId + manyOffers
const firstBuyer = 5_000_000
/** More than enough: the load ends with its last buyer. */
const mostSeconds = 3_600
const name = { ru: 'Товар', uz: 'Mahsulot', en: 'Product' }

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  const db = new pg.Client({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor' })
  const watched = () => [...family(ours.child.pid!), ...family(databasePid(dataDir))]
  try {
    await db.connect()
    await db.query('set search_path = live, platform')
    await stockUp(ours)
    // The first buyers warm the server up; the others are measured.
    const share = Math.ceil(buyers / manyOffers)
    for (let at = 0; at < manyOffers; at++)
      await fillCarts(db, { first: firstBuyer + at * 2 * share, count: 2 * share, offers: [firstId + at] })
    const firstHot = firstBuyer + 2 * share * manyOffers
    await fillCarts(db, { first: firstHot, count: buyers, offers: [hotOffer] })
    await db.query('analyze')
    await quiet(watched)
    /** One buyer of each offer after the other. */
    const spread = (number: number) =>
      firstBuyer + (number % manyOffers) * 2 * share + Math.floor(number / manyOffers)
    await order(ours, watched, spread)
    const floor = await order(ours, watched, (number) => spread(number + share * manyOffers))
    const hot = await order(ours, watched, (number) => firstHot + number)
    const { rows } = await db.query<{ sold: number }>(
      `select (1000000 - quantity)::int as sold from catalog_offers where id = $1`,
      [hotOffer],
    )
    if (rows[0]!.sold !== buyers) throw new Error(`${rows[0]!.sold} units sold to ${buyers} buyers`)
    return [
      {
        name: `${buyers} buyers of one offer`,
        ours: hot.perSecond,
        unit: 'orders/s',
        floor: floor.perSecond,
        note: `${hot.seconds.toFixed(1)} s, p50 ${hot.p50Ms.toFixed(0)} ms, p99 ${hot.p99Ms.toFixed(0)} ms with ${connections} connections; floor: ${manyOffers} offers, p99 ${floor.p99Ms.toFixed(0)} ms`,
      },
      {
        name: 'an order of one popular offer',
        ours: hot.cpuMs,
        unit: 'ms of CPU',
        floor: floor.cpuMs,
        note: 'server and database',
      },
    ]
  } finally {
    await db.end()
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function order(ours: Ours, watched: () => number[], buyerOf: (number: number) => number) {
  const before = cpuSeconds(watched())
  const result = await load({
    url: ours.url,
    connections,
    seconds: mostSeconds,
    most: buyers,
    request: (number) => orderText(ours, buyerOf(number)),
    expect: 201,
  })
  const cpuMs = (1_000 * (cpuSeconds(watched()) - before)) / result.requests
  return { ...result, cpuMs, seconds: result.requests / result.perSecond }
}

async function stockUp({ url, key }: Ours): Promise<void> {
  const records = [
    { record: 'category', id: firstId, slug: 'bench', name },
    { record: 'partner', id: firstId, slug: 'bench', name: 'Bench' },
    ...Array.from({ length: manyOffers + 1 }, (_, at) => firstId + at).flatMap((id) => [
      { record: 'product', id, category_id: firstId, slug: `bench-${id}`, name },
      { record: 'offer', id, product_id: id, partner_id: firstId, price_tiyin: 100, quantity: 1_000_000 },
    ]),
  ]
  const reply = await fetch(`${url}/v1/catalog/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: records.map((it) => JSON.stringify(it)).join('\n'),
  })
  if (!reply.ok) throw new Error(await reply.text())
}
