// The same calls in a shop that grows tenfold twice: products, carts, orders and buyers together. The floor is the smallest
// shop, so the ratio says what growth costs. `npm run bench -- --scale`.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fill } from './catalog.ts'
import { family } from './cpu.ts'
import { databaseHost, databasePid, measure, quiet } from './measure.ts'
import { fillCarts, orderText } from './ordering.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'
import { raiseLimits } from './stock.ts'

/** Products; there are as many other carts, and as many buyers who call. */
const sizes = [1_000, 10_000, 100_000]
const firstOther = 7_000_000
const firstBuyer = 5_000_000
const firstOrderer = 6_000_000
/** More than a measurement orders. */
const orderers = 20_000

export async function bench(): Promise<Row[]> {
  const shops: Row[][] = []
  for (const size of sizes) shops.push(await inShopOf(size))
  const [smallest] = shops
  return shops.flatMap((rows, shop) =>
    rows.map((row, at) => ({
      ...row,
      name: `${row.name}, ${sizes[shop]} products and carts`,
      ...(shop > 0 && { floor: smallest![at]!.ours }),
    })),
  )
}

async function inShopOf(size: number): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  try {
    const empty = await startOurs(dataDir)
    await fill(dataDir, size)
    await fillBuyers(dataDir, size)
    await stop(empty.child)
    const ours = await startOurs(dataDir)
    try {
      await raiseLimits(ours)
      return await measureAll(ours, dataDir, size)
    } finally {
      await stop(ours.child)
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Offers that do not run out, other carts, and carts to be ordered. */
async function fillBuyers(dataDir: string, size: number): Promise<void> {
  const db = new pg.Client({ host: databaseHost(dataDir), user: 'bozor', database: 'bozor' })
  await db.connect()
  await db.query('set search_path = live, platform')
  await db.query('update catalog_offers set quantity = 1000000')
  await fillCarts(db, { first: firstOther, count: size, offers: [4, 5, 6, 7, 8] })
  await fillCarts(db, { first: firstOrderer, count: orderers, offers: [10, 12, 14] })
  await db.query('vacuum analyze')
  await db.end()
}

async function measureAll(ours: Ours, dataDir: string, size: number): Promise<Row[]> {
  const watched = () => [ours.child.pid!, ...family(databasePid(dataDir))]
  await quiet(watched)
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ours.key}\r\n\r\n`
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ours.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  /** Another for each call, all over the shop. */
  const any = (number: number) => (number * 7_919) % size
  let orderer = firstOrderer
  const calls: [name: string, status: number, request: (number: number) => string][] = [
    ['a list with a new filter', 200, (it) => get(`/v1/catalog/products?per_page=20&price_min=${it}`)],
    ['a detail of any product', 200, (it) => get(`/v1/catalog/products/${1 + any(it)}`)],
    ['a search', 200, (it) => get(`/v1/catalog/products/search?q=smartfon%20qora&price_min=${it % 9_973}`)],
    ['view of five lines', 200, (it) => get(`/api/cart/items?ClientId=${firstOther + any(it)}`)],
    [
      'add to a cart',
      200,
      (it) =>
        post(
          '/api/cart/items',
          `{"ClientId":${firstBuyer + any(it)},"OfferId":${4 + (it % 5)},"Quantity":1}`,
        ),
    ],
    ['order of three lines', 201, () => orderText(ours, orderer++)],
  ]
  const rows: Row[] = []
  for (const [name, expect, request] of calls) {
    const { cpuMs, p99Ms, perSecond } = await measure(ours.url, watched, { request, expect })
    const note = `${Math.round(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms`
    rows.push({ name, ours: cpuMs, unit: 'ms CPU', note })
  }
  return rows
}
