// What a cart costs: adding an item and viewing five, beside a bare Fastify and the bare driver with the same
// statements; a crowd on one offer; and whether a view of many lines costs what its lines cost.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { addItem } from './cart-statements.ts'
import { cpuSeconds, family } from './cpu.ts'
import { databaseHost, databasePid, measure, type Measured, quiet, seconds, warmUp } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'
import { stockUp } from './stock.ts'

const buyers = 1_000
const firstOffer = 900_000
const fullCart = 200

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  try {
    await stockUp(ours, { first: firstOffer, count: fullCart })
    const postmaster = databasePid(dataDir)
    const watched = () => [ours.child.pid!, ...family(postmaster)]
    await quiet(watched)
    const add = await measure(ours.url, watched, { request: adding(ours, 1, fiveOffers), expect: 200 })
    const view = await measure(ours.url, watched, { request: viewing(ours, 1), expect: 200 })
    const bare = await bareFastify(dataDir, postmaster)
    const driver = await bareDriver(dataDir, postmaster)
    return [
      ...compared({ add, view, bare, driver }),
      ...(await crowd(ours, watched)),
      ...(await longViews(ours, watched)),
    ]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const fiveOffers = (number: number) => firstOffer + (Math.floor(number / buyers) % 5)

const post = (path: string, key: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const adding =
  ({ key }: Ours, firstClient: number, offerOf: (number: number) => number) =>
  (number: number) =>
    post(
      '/api/cart/items',
      key,
      `{"ClientId":${firstClient + (number % buyers)},"OfferId":${offerOf(number)},"Quantity":1}`,
    )

const viewing =
  ({ key }: Ours, firstClient: number, clients = buyers) =>
  (number: number) =>
    `GET /api/cart/items?ClientId=${firstClient + (number % clients)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`

async function bareFastify(dataDir: string, postmaster: number): Promise<{ add: Measured; view: Measured }> {
  const child = spawn(process.execPath, ['bench/bare-cart.ts', databaseHost(dataDir)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const url = line.toString().trim()
  const watched = () => [child.pid!, ...family(postmaster)]
  const body = (number: number) =>
    `{"ClientId":${5_000_000 + (number % buyers)},"OfferId":${fiveOffers(number)}}`
  const add = await measure(url, watched, {
    request: (number) => post('/add', 'x', body(number)),
    expect: 200,
  })
  const view = await measure(url, watched, {
    request: (number) => `GET /view?ClientId=${5_000_000 + (number % buyers)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    expect: 200,
  })
  child.kill()
  return { add, view }
}

/** The rate of a program that only sends statements, as pgbench would. */
async function bareDriver(
  dataDir: string,
  postmaster: number,
): Promise<{ perSecond: number; cpuMs: number }> {
  const pool = new pg.Pool({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor', max: 10 })
  let done = 0
  const work = async (length: number) => {
    const until = performance.now() + length * 1000
    const loop = async () => {
      while (performance.now() < until) {
        const number = done++
        await addItem(pool, 6_000_000 + (number % buyers), fiveOffers(number))
      }
    }
    await Promise.all(Array.from({ length: 10 }, loop))
  }
  await work(warmUp)
  const pids = [process.pid, ...family(postmaster)]
  const [before, began, first] = [cpuSeconds(pids), performance.now(), done]
  await work(seconds)
  const calls = done - first
  const result = {
    perSecond: calls / ((performance.now() - began) / 1000),
    cpuMs: (1000 * (cpuSeconds(pids) - before)) / calls,
  }
  await pool.end()
  return result
}

function compared(it: {
  add: Measured
  view: Measured
  bare: { add: Measured; view: Measured }
  driver: { perSecond: number; cpuMs: number }
}): Row[] {
  const share = Math.round((100 * it.add.perSecond) / it.driver.perSecond)
  return [
    {
      name: 'add an item to the cart, CPU of server and database',
      ours: it.add.cpuMs,
      unit: 'ms/call',
      floor: it.bare.add.cpuMs,
      bar: '≤ 1.0',
      note: `floor: bare Fastify, the same statements; the driver alone ${it.driver.cpuMs.toFixed(2)}`,
    },
    {
      name: 'add an item to the cart',
      ours: it.add.perSecond,
      unit: 'calls/s',
      floor: it.driver.perSecond,
      bar: '≥ 50 % of the bare statements',
      note: `${share} %; bare Fastify ${Math.round(it.bare.add.perSecond)}; p99 ${it.add.p99Ms.toFixed(1)} ms`,
    },
    {
      name: 'view a cart of five items, CPU of server and database',
      ours: it.view.cpuMs,
      unit: 'ms/call',
      floor: it.bare.view.cpuMs,
      bar: '≤ 0.4',
      note: `${Math.round(it.view.perSecond)} calls/s; p99 ${it.view.p99Ms.toFixed(1)} ms`,
    },
  ]
}

/** A thousand buyers add one offer. */
async function crowd(ours: Ours, watched: () => number[]): Promise<Row[]> {
  const hot = adding(ours, 2_000_000, () => firstOffer)
  const many = await measure(ours.url, watched, { request: hot, expect: 200, connections: 64 })
  return [
    {
      name: 'a thousand buyers add one hot offer, p99',
      ours: many.p99Ms,
      unit: 'ms',
      bar: '≤ 250',
      note: `64 calls at once; ${Math.round(many.perSecond)} calls/s; every call is 200`,
    },
  ]
}

async function longViews(ours: Ours, watched: () => number[]): Promise<Row[]> {
  const costs: number[] = []
  for (const [at, lines] of [50, fullCart].entries()) {
    const client = 3_000_000 + at
    const items = Array.from({ length: lines }, (_, line) => ({
      product_id: String(firstOffer + line),
      quantity: 1,
    }))
    const reply = await fetch(`${ours.url}/v1/cart`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ours.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ customer_id: String(client), items }),
    })
    if (!reply.ok) throw new Error(await reply.text())
    const { cpuMs } = await measure(ours.url, watched, { request: viewing(ours, client, 1), expect: 200 })
    costs.push(cpuMs)
  }
  const [fifty, full] = costs as [number, number]
  return [
    {
      name: 'view a cart of 200 lines, CPU of server and database',
      ours: full,
      unit: 'ms/call',
      floor: 4 * fifty,
      bar: '≤ 4 × the cost of 50 lines',
      note: `50 lines: ${fifty.toFixed(2)} ms; ${((1000 * full) / fullCart).toFixed(0)} µs a line`,
    },
  ]
}
