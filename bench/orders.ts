// What ordering costs, whether many buyers of the last units are served in time, and whether a million stored orders
// make a difference.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { elapsedMs } from '../src/base/clock.ts'
import { family } from './cpu.ts'
import { load } from './load.ts'
import { databaseHost, databasePid, measure, quiet } from './measure.ts'
import { fillCarts, orderBody, orderText } from './ordering.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const firstId = 900_000
const lastUnits = firstId + 3
const firstBuyer = 5_000_000
const fullCarts = 30_000
const crowd = 64
const fewOrders = 20_000
/** The first of a thousand clients with five orders each. */
const firstRegular = 3_000_000
/** More than a benchmark orders by calls. */
const grownFrom = 15_000
const manyOrders = 1_000_000
const turns = 3
const warmUpSeconds = 10

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  const db = new pg.Client({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor' })
  const watched = () => [ours.child.pid!, ...family(databasePid(dataDir))]
  const allProcesses = () => [...family(ours.child.pid!), ...family(databasePid(dataDir))]
  try {
    await db.connect()
    await db.query('set search_path = live, platform')
    await quiet(allProcesses)
    await stockUp(ours)
    await fillCarts(db, { first: firstBuyer, count: fullCarts, offers: [firstId, firstId + 1, firstId + 2] })
    await fillCarts(db, { first: firstBuyer - crowd, count: crowd, offers: [lastUnits] })
    await quiet(allProcesses)
    let buyer = firstBuyer
    const order = { request: () => orderText(ours, buyer++), expect: 201 }
    // A new process is slower until its code is compiled: by half in the first seconds.
    await load({ url: ours.url, connections: 16, seconds: warmUpSeconds, ...order })
    const ordering = await measure(ours.url, watched, order)
    const rows: Row[] = [
      {
        name: 'an order of three lines',
        ours: ordering.cpuMs,
        unit: 'ms of CPU',
        bar: '≤ 3',
        note: `server and database; ${Math.round(ordering.perSecond)} a second`,
      },
      await race(ours),
    ]
    await growTo(db, 'live', manyOrders)
    await growTo(db, 'test', fewOrders)
    await db.query('checkpoint')
    await quiet(allProcesses)
    for (const call of reads) rows.push(await inTurns(ours, watched, call))
    return rows
  } finally {
    await db.end()
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function stockUp({ url, key }: Ours): Promise<void> {
  const name = { ru: 'Товар', uz: 'Mahsulot', en: 'Product' }
  const records = [
    { record: 'category', id: firstId, slug: 'bench', name },
    { record: 'partner', id: firstId, slug: 'bench', name: 'Bench' },
    ...[0, 1, 2, 3].flatMap((at) => {
      const id = firstId + at
      const quantity = id === lastUnits ? 10 : 1_000_000_000
      return [
        { record: 'product', id, category_id: firstId, slug: `bench-${at}`, name },
        { record: 'offer', id, product_id: id, partner_id: firstId, price_tiyin: 100, quantity },
      ]
    }),
  ]
  const reply = await fetch(`${url}/v1/catalog/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: records.map((it) => JSON.stringify(it)).join('\n'),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

async function race({ url, key }: Ours): Promise<Row> {
  const began = elapsedMs()
  const statuses = await Promise.all(
    Array.from({ length: crowd }, async (_, at) => {
      const reply = await fetch(`${url}/api/cart/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: orderBody(firstBuyer - crowd + at),
      })
      await reply.text()
      return reply.status
    }),
  )
  const sold = statuses.filter((it) => it === 201).length
  const ours = elapsedMs() - began
  return { name: '64 buyers for the last 10 units', ours, unit: 'ms', bar: '< 2000', note: `${sold} sold` }
}

interface Read {
  name: string
  path(number: number, count: number): string
}

const reads: Read[] = [
  { name: 'the newest orders', path: () => '/v1/orders' },
  {
    name: 'orders of a client',
    path: (number) => `/v1/orders?customer_id=${firstRegular + (number % 1_000)}&per_page=5`,
  },
  {
    name: 'one order',
    // Refused orders leave gaps in the ids; beyond those that were made by calls there are none.
    path: (number, count) => `/v1/orders/${grownFrom + ((number * 7_919) % (count - grownFrom))}`,
  },
]

/** The same call of both environments in turns, so that whatever else runs on the machine disturbs both alike. */
async function inTurns(ours: Ours, watched: () => number[], { name, path }: Read): Promise<Row> {
  const cost = async (key: string, count: number) => {
    const request = (number: number) =>
      `GET ${path(number, count)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    return (await measure(ours.url, watched, { request, expect: 200 })).cpuMs
  }
  const many: number[] = []
  const few: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    few.push(await cost(ours.testKey, fewOrders))
    many.push(await cost(ours.key, manyOrders))
  }
  return {
    name: `${name}, of a million orders`,
    ours: Math.min(...many),
    unit: 'ms of CPU',
    floor: Math.min(...few),
    bar: '≤ 1.2 × the floor',
    note: `floor: of ${fewOrders}, in ${turns} turns`,
  }
}

/** Orders of two lines and two events; five of each regular client, spread over time, and one of each other client. */
async function growTo(db: pg.Client, environment: 'live' | 'test', count: number): Promise<void> {
  await db.query(`set search_path = ${environment}, platform`)
  const { rows } = await db.query<{ last: string }>(`select coalesce(max(id), 0) as last from orders_orders`)
  const last = Number(rows[0]!.last)
  await db.query(
    `insert into orders_orders (id, checkout_id, client_id, partner_id, payment_method_id, delivery_address, amount_tiyin, day,
       status, payment_status, fulfilment_status, version, created_at, updated_at) overriding system value
     select id, gen_random_uuid(), case when id between $4::int8 + 1 and $4::int8 + 5000 then $5::int8 + id % 1000 else $5::int8 + 10000 + id end, $3, 3, 'Toshkent', 200, current_date, 'confirmed', 'unpaid', 'unfulfilled', 2, now(), now()
     from generate_series($1::int8, $2::int8) id`,
    [last + 1, count, firstId, grownFrom, firstRegular],
  )
  await db.query(
    `insert into orders_lines (order_id, number, is_moderated, offer_id, product_id, name, quantity, price_tiyin)
     select id, number, false, $3, $3, '{"ru":"Товар"}', 1, 100 from generate_series($1::int8, $2::int8) id, generate_series(1, 2) number`,
    [last + 1, count, firstId],
  )
  await db.query(
    `insert into orders_events (order_id, number, type, data, at)
     select id, number, 'Placed', '{}', now() from generate_series($1::int8, $2::int8) id, generate_series(1, 2) number`,
    [last + 1, count],
  )
  await db.query(`select setval(pg_get_serial_sequence('orders_orders', 'id'), $1)`, [count])
  await db.query('vacuum analyze orders_orders')
  await db.query('vacuum analyze orders_lines')
  await db.query('vacuum analyze orders_events')
}
