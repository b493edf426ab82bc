// Cart writes under load, with 100 000 other carts: 200 a second at a steady pace, then five times as many for a tenth of
// the time. Every acknowledged unit must be in the database. BENCH_LOAD_MINUTES sets how long the steady part is; ten
// minutes is the form of which the bars speak.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cpuSeconds, family, residentMegabytes } from './cpu.ts'
import { load, type LoadResult } from './load.ts'
import { databaseHost, databasePid, quiet } from './measure.ts'
import { fillCarts } from './ordering.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'
import { stockUp } from './stock.ts'

const minutes = Number(process.env['BENCH_LOAD_MINUTES'] ?? 1)
const steadyPerSecond = 200
const burstFactor = 5
const otherCarts = 100_000
const buyers = 10_000
const offers = 50
const firstOffer = 900_000
const firstBuyer = 5_000_000
const firstOther = 7_000_000

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  const db = new pg.Client({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor' })
  const watched = () => [...family(ours.child.pid!), ...family(databasePid(dataDir))]
  try {
    await db.connect()
    await db.query('set search_path = live, platform')
    await stockUp(ours, { first: firstOffer, count: offers })
    await fillCarts(db, { first: firstOther, count: otherCarts, offers: [firstOffer] })
    await db.query('analyze')
    await quiet(watched)
    await load({ ...adding(ours), connections: 16, seconds: 2, perSecond: steadyPerSecond })
    const alreadyStored = await storedUnits(db)
    const steady = await phase(ours, watched, minutes * 60, steadyPerSecond, 32)
    const burst = await phase(ours, watched, minutes * 6, burstFactor * steadyPerSecond, 2_500)
    const acknowledged = steady.added + burst.added
    const stored = (await storedUnits(db)) - alreadyStored
    if (stored !== acknowledged) throw new Error(`${acknowledged} units acknowledged, ${stored} stored`)
    return rowsOf(steady, burst, acknowledged)
  } finally {
    await db.end()
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Phase extends LoadResult {
  added: number
  refused: number
  withoutRetryAfter: number
  cpuShare: number
  megabytes: number
}

/** Calls at a steady pace, however many are still in progress. Anything but 200 and 503 ends the benchmark. */
async function phase(
  ours: Ours,
  watched: () => number[],
  seconds: number,
  perSecond: number,
  connections: number,
): Promise<Phase> {
  let [added, refused, withoutRetryAfter] = [0, 0, 0]
  const onReply = (status: number, head: string) => {
    if (status === 200) added++
    else if (/^retry-after: \d/im.test(head)) refused++
    else withoutRetryAfter++
  }
  const [before, began] = [cpuSeconds(watched()), performance.now()]
  const result = await load({
    ...adding(ours),
    expect: [200, 503],
    connections,
    seconds,
    perSecond,
    onReply,
  })
  if (withoutRetryAfter > 0) throw new Error(`${withoutRetryAfter} replies of 503 without Retry-After`)
  const cpuShare = (1_000 * (cpuSeconds(watched()) - before)) / (performance.now() - began)
  const megabytes = residentMegabytes(ours.child.pid!)
  return { ...result, added, refused, withoutRetryAfter, cpuShare, megabytes }
}

const adding = ({ url, key }: Ours) => ({
  url,
  expect: 200,
  request: (number: number) => {
    const offer = firstOffer + (Math.floor(number / buyers) % offers)
    const body = `{"ClientId":${firstBuyer + (number % buyers)},"OfferId":${offer},"Quantity":1}`
    return `POST /api/cart/items HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  },
})

async function storedUnits(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ units: number }>(
    `select coalesce(sum(quantity), 0)::int as units from cart_items join cart_carts cart on cart.id = cart_id
     where cart.client_id between ${firstBuyer} and ${firstBuyer + buyers - 1}`,
  )
  return rows[0]!.units
}

function rowsOf(steady: Phase, burst: Phase, acknowledged: number): Row[] {
  const length = minutes >= 1 ? `${minutes} min` : `${minutes * 60} s`
  const cores = (it: Phase) => `${it.cpuShare.toFixed(2)} cores, ${it.megabytes.toFixed(0)} MB`
  return [
    {
      name: `${steadyPerSecond} cart writes/s for ${length}, p99`,
      ours: steady.p99Ms,
      unit: 'ms',
      bar: '≤ 100',
      note: `${steady.added} added, ${steady.refused} refused; p50 ${steady.p50Ms.toFixed(1)}; ${cores(steady)}`,
    },
    { name: 'the same, p99.9', ours: steady.p999Ms, unit: 'ms', bar: '≤ 300' },
    {
      name: `${burstFactor * steadyPerSecond} cart writes/s for a tenth of the time`,
      ours: burst.added / (burst.requests / burst.perSecond),
      unit: 'served/s',
      bar: 'only 200, and 503 with Retry-After',
      note: `${burst.refused} of ${burst.requests} refused; p50 ${burst.p50Ms.toFixed(0)}, p99 ${burst.p99Ms.toFixed(0)} ms; ${cores(burst)}; all ${acknowledged} acknowledged units stored`,
    },
  ]
}
