// What promotions cost: reads while none, one or fifty run, and the instant at which one over a hundred thousand offers
// begins. In memory first, in CPU time of the thread; then over HTTP, in CPU time of server and database.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pricingOf } from '../src/catalog/promotions/index-pricing.ts'
import { type ScheduledPromotion, PricingWindow } from '../src/catalog/promotions/schedule.ts'
import { priceOffers } from '../src/catalog/promotions/price-details.ts'
import type { ProductScope } from '../src/catalog/product-index/indexed-product.ts'
import { ProductIndex } from '../src/catalog/product-index/product-index.ts'
import type { UsualOffer } from '../src/catalog/offers/offer-details.ts'
import { discount, plannedPromotion } from '../test/support/planned-promotion.ts'
import { fill } from './catalog.ts'
import { family } from './cpu.ts'
import { sampleProducts } from './sample-products.ts'
import { databasePid, measure, quiet } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const products = 100_000
const offers = 2 * products

export async function bench(): Promise<Row[]> {
  return [...readRows(), ...turnRows(), ...(await callRows())]
}

const promotion = (id: number, members: Partial<ScheduledPromotion['members']>): ScheduledPromotion =>
  plannedPromotion({ id, from: id, effect: discount(1 + (id % 90)), members })
const always = { fromMs: -Infinity, untilMs: Infinity }
/** Every offer is in each of them. */
const overEverything = (count: number) =>
  new PricingWindow(
    Array.from({ length: count }, (_, at) => promotion(at + 1, { categoryIds: [1] })),
    always,
  )

/** A page of recommendations: thirty cached offers. */
function readRows(): Row[] {
  const page = new Map(Array.from({ length: 30 }, (_, id) => [id, listed(id)]))
  const floor = 1000 * perCall(() => new Map([...page].map(([id, it]) => [id, { ...it }])), 20_000)
  return [0, 1, 50].map((running) => {
    const window = overEverything(running)
    return {
      name: `prices of 30 offers, ${running} promotions run over each`,
      ours: 1000 * perCall(() => priceOffers(page, window), running > 1 ? 2_000 : 20_000),
      unit: 'µs',
      floor,
      ...(running < 2 && { bar: running === 0 ? '≤ 1' : '≤ 60' }),
      note: 'the floor copies the thirty objects',
    }
  })
}

const listed = (id: number): UsualOffer =>
  ({
    id,
    partnerId: 1,
    categoryId: 1,
    brandId: 1,
    priceTiyin: 1_000_000 + id,
    usualPriceTiyin: 1_000_000 + id,
    oldPriceTiyin: null,
    conditions: [],
    boundConditions: [],
    promotions: [],
    moderation: null,
    name: {},
    product: { name: {}, slug: '' },
    images: [],
  }) as unknown as UsualOffer

/** A new pricing window: what the next list waits for. */
function turnRows(): Row[] {
  const samples = sampleProducts(products)
  const index = new ProductIndex()
  for (const it of samples) index.put(it)
  const everything: ProductScope = { productIds: [], categoryIds: [1, 2, 3], brandIds: [], partnerIds: [] }
  const some: ProductScope = {
    productIds: samples.slice(0, 1_000).map((it) => it.id),
    categoryIds: [],
    brandIds: [],
    partnerIds: [],
  }
  const list = () =>
    index.find({ region: 'home', language: 'ru', filters: {}, sort: 'price', limit: 20, wantsFacets: false })
  list()
  const prices = Float64Array.from(samples.flatMap((it) => it.offers.map((offer) => offer.priceTiyin)))
  const floor = perCall(() => prices.map((it) => Math.floor((it * 90) / 100)), 50)
  const turned = (scope: ProductScope, running: readonly ScheduledPromotion[]) =>
    cpuMs(() => [...index.reprice(pricingOf(new PricingWindow(running, always)), scope)])
  const whole = promotion(1, { categoryIds: everything.categoryIds })
  const named = promotion(2, {
    offerIds: samples.slice(0, 1_000).flatMap((it) => it.offers.map(({ id }) => id)),
  })
  const begins = turned(everything, [whole])
  const sorted = cpuMs(list)
  const ends = turned(everything, [])
  list()
  const small = turned(some, [named])
  const count = `${prices.length} offers of ${products} products`
  return [
    {
      name: `a promotion begins over ${count}`,
      ours: begins,
      unit: 'ms',
      floor,
      bar: '≤ 1 000',
      note: 'once a process; the floor works out the prices alone',
    },
    { name: 'the first list by price after it', ours: sorted, unit: 'ms', note: 'sorts again' },
    { name: `it ends`, ours: ends, unit: 'ms', floor, bar: '≤ 1 000' },
    { name: 'a promotion begins over a thousand products', ours: small, unit: 'ms', bar: '≤ 50' },
  ]
}

async function callRows(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  try {
    const empty = await startOurs(dataDir)
    await fill(dataDir, products)
    await stop(empty.child)
    const ours = await startOurs(dataDir)
    try {
      return await measureAll(ours, dataDir)
    } finally {
      await stop(ours.child)
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureAll(ours: Ours, dataDir: string): Promise<Row[]> {
  const pids = () => [ours.child.pid!, ...family(databasePid(dataDir))]
  await quiet(pids)
  await endAll(ours)
  const cost = (path: (number: number) => string) =>
    measure(ours.url, pids, {
      request: (at) => `GET ${path(at)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ours.key}\r\n\r\n`,
      expect: 200,
    })
  const rows: Row[] = []
  const floors = new Map<string, number>()
  for (const running of [0, 1, 50]) {
    await plan(ours, running)
    for (const [name, path] of calls) {
      const { cpuMs: own, perSecond, p99Ms } = await cost(path)
      if (running === 0) floors.set(name, own)
      rows.push({
        name: `${name}, ${running} promotions run over ${offers} offers`,
        ours: own,
        unit: 'ms CPU',
        ...(running > 0 && { floor: floors.get(name)!, bar: running === 1 ? '≤ 1.3 × none' : '' }),
        note: `${Math.round(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms`,
      })
    }
    await endAll(ours)
  }
  return [...rows, await beginning(ours)]
}

const calls: [name: string, path: (number: number) => string][] = [
  ['a detail of any product', (at) => `/v1/catalog/products/${1 + ((at * 7919) % products)}`],
  ['a list that is not cached', (at) => `/v1/catalog/products?per_page=20&price_min=${at}`],
]

const call = async (ours: Ours, method: string, path: string, body?: object) => {
  const reply = await fetch(ours.url + path, {
    method,
    headers: { authorization: `Bearer ${ours.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await reply.json()) as any
}
const home = '/v1/marketing/promotions'

/** Over the products of all partners, so that every offer is in each of them. */
async function plan(ours: Ours, count: number, more: object = {}): Promise<void> {
  const partners = Array.from({ length: 30 }, (_, at) => at + 1)
  for (let at = 1; at <= count; at++)
    await call(ours, 'POST', home, {
      slug: `bench-${at}`,
      title: 'Bench',
      partner_ids: partners,
      discount_percent: at,
      ...more,
    })
}

async function endAll(ours: Ours): Promise<void> {
  for (;;) {
    const { promotions } = (await call(ours, 'GET', `${home}?per_page=100`)).data
    if (promotions.length === 0) return
    for (const { id } of promotions) await call(ours, 'DELETE', `${home}/${id}`)
  }
}

/** How long the first caller after the start of a promotion waits, and how long the next one. */
async function beginning(ours: Ours): Promise<Row> {
  const startsAt = Date.now() + 1_500
  await plan(ours, 1, { starts_at: new Date(startsAt).toISOString() })
  const list = async (at: number) => {
    const from = performance.now()
    await call(ours, 'GET', `/v1/catalog/products?per_page=20&price_min=${at}`)
    return performance.now() - from
  }
  await list(1)
  await new Promise((done) => setTimeout(done, Math.max(0, startsAt - Date.now()) + 5))
  const first = await list(2)
  const next = await list(3)
  return {
    name: `the first list after a promotion over ${offers} offers began`,
    ours: first,
    unit: 'ms by the clock',
    floor: next,
    bar: '≤ 2 000',
    note: 'the floor is the next list',
  }
}

function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds of CPU a call, after some calls to warm up. */
function perCall(work: () => unknown, times: number): number {
  for (let turn = 0; turn < Math.ceil(times / 5); turn++) work()
  return (
    cpuMs(() => {
      for (let turn = 0; turn < times; turn++) work()
    }) / times
  )
}
