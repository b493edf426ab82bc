// Cost of storing interactions, a thousand per call, beside bare inserts of the same rows; and how soon an
// interaction changes the next list under that load.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '../src/base/clock.ts'
import { Database } from '../src/base/database.ts'
import { timedUuid } from '../src/base/random.ts'
import { insertLists, rowOf } from '../src/recommendations/experiments/list-store.ts'
import { shownList } from '../src/recommendations/experiments/shown-list.ts'
import { mainPageRequest } from '../test/support/recommendation-request.ts'
import { cpuSeconds, family } from './cpu.ts'
import { load } from './load.ts'
import { databaseHost, databasePid, measure, seconds, warmUp } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const perCall = 1_000
const buyers = 20_000
const offers = 40_000
const productCount = 200
const connections = 2

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  try {
    await stock(ours)
    const floor = await bareInserts(dataDir)
    const taken = await takenIn(ours, dataDir)
    return [
      {
        name: 'interactions taken in, a thousand a call',
        ours: taken.perSecond * perCall,
        unit: 'interactions/s',
        floor: floor.perSecond * perCall,
        bar: '≥ 20 000',
        note: `p99 of a call ${taken.p99Ms.toFixed(0)} ms; floor: the same rows by the bare driver, no server`,
      },
      {
        name: 'interactions, CPU of server and database for a thousand',
        ours: taken.cpuMs,
        unit: 'ms',
        floor: floor.cpuMs,
        note: `${Math.round((1_000 * perCall) / taken.cpuMs)} interactions/s of one core’s time`,
      },
      await writtenDown(dataDir),
      ...(await freshness(ours)),
    ]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Seven of ten interactions are views; one in ten buyers is a guest, and every fourth click names its list. */
const kindAt = ['view', 'view', 'view', 'view', 'view', 'view', 'view', 'click', 'cart', 'purchase'] as const

function interactionAt(at: number) {
  const buyer = 1 + ((at * 7919) % buyers)
  const kind = kindAt[(at * 31) % 10]!
  return {
    user_id: buyer % 10 === 0 ? `guest-session-${buyer}` : String(buyer),
    offer_id: String(1 + ((at * 104_729) % offers)),
    kind,
    at: new Date(began - (at % 86_400_000)).toISOString(),
    ...(kind === 'click' && at % 4 === 0 && { request_id: list }),
  }
}
const began = Date.now()
const list = timedUuid(new Date(began))

const post = (path: string, { key }: Ours, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Each call reports other interactions. */
const calls = (ours: Ours) => {
  let call = 0
  return () => {
    const first = call++ * perCall
    const interactions = Array.from({ length: perCall }, (_, at) => interactionAt(first + at))
    return post('/v1/interactions', ours, JSON.stringify({ interactions }))
  }
}

function takenIn(ours: Ours, dataDir: string) {
  const pids = () => [ours.child.pid!, ...family(databasePid(dataDir))]
  return measure(ours.url, pids, { request: calls(ours), expect: 200, connections })
}

/** The same rows into a table of the same columns and indexes, a thousand a transaction, without a server. */
async function bareInserts(dataDir: string): Promise<{ perSecond: number; cpuMs: number }> {
  const pool = new pg.Pool({
    host: databaseHost(dataDir),
    user: 'bozor',
    database: 'bozor',
    max: connections,
  })
  await pool.query(
    `create table live.bare_interactions (like live.recommendations_interactions including all)`,
  )
  let done = 0
  const writeFor = async (length: number) => {
    const until = performance.now() + length * 1_000
    const loop = async () => {
      while (performance.now() < until) {
        const first = done++ * perCall
        const them = Array.from({ length: perCall }, (_, at) => interactionAt(first + at))
        await pool.query({
          name: 'bare',
          text: `insert into live.bare_interactions (buyer, at, offer, kind)
                 select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) on conflict do nothing`,
          values: [
            them.map((it) => it.user_id),
            them.map((it) => it.at),
            them.map((it) => it.offer_id),
            them.map((it) => it.kind),
          ],
        })
      }
    }
    await Promise.all(Array.from({ length: connections }, loop))
  }
  await writeFor(warmUp)
  const watched = [process.pid, ...family(databasePid(dataDir))]
  const [before, start, first] = [cpuSeconds(watched), performance.now(), done]
  await writeFor(seconds)
  const count = done - first
  const result = {
    perSecond: count / ((performance.now() - start) / 1_000),
    cpuMs: (1_000 * (cpuSeconds(watched) - before)) / count,
  }
  await pool.end()
  return result
}

/** The batch size of the list log. */
const atOnce = 50

/** The cost of logging shown lists, which happens outside the calls. */
async function writtenDown(dataDir: string): Promise<Row> {
  const connection = { host: databaseHost(dataDir), user: 'bozor', database: 'bozor' }
  const db = new Database({ connection, environment: 'live', clock: systemClock(), poolSize: 1 })
  const write = async (count: number) => {
    const lists = Array.from({ length: count }, (_, at) => listAt(at, db.clock.now()))
    await db.transaction((tx) => insertLists(tx, lists))
  }
  await write(atOnce)
  const watched = [process.pid, ...family(databasePid(dataDir))]
  const [before, batches] = [cpuSeconds(watched), 200]
  for (let batch = 0; batch < batches; batch++) await write(atOnce)
  const spent = cpuSeconds(watched) - before
  await db.close()
  return {
    name: 'a list written down beside its call, CPU of server and database',
    ours: (1_000 * spent) / (batches * atOnce),
    unit: 'ms',
    bar: '≤ 0.1',
    note: 'thirty offers with their origins and ranks, fifty lists a statement',
  }
}

const listAt = (at: number, now: Date) =>
  rowOf(
    shownList({
      id: timedUuid(now),
      at: now,
      request: mainPageRequest([]),
      buyer: {
        buyer: String(at),
        experimentKey: String(at),
        interactions: [],
        pageProductIds: [],
        cartProductIds: new Set([1, 2, 3]),
      },
      participation: undefined,
      source: 'catboost',
      modelId: 1,
      offers: shownOffers,
      ranking: { before: candidates, after: candidates, exploration: [] },
      durationMs: 1,
    }),
    1,
  )
const candidates = Array.from({ length: 200 }, (_, at) => at + 1)
// Only the ids of an offer are logged.
const shownOffers = candidates.slice(0, 30).map((id) => ({ id, productId: id, moderation: null })) as never

/** A few products to recommend. */
async function stock({ url, key }: Ours): Promise<void> {
  const name = { ru: 'Вещь', en: 'Thing' }
  const ids = Array.from({ length: productCount }, (_, at) => at + 1)
  const records = [
    { record: 'category', id: 1, slug: 'all', name },
    { record: 'partner', id: 1, slug: 'p', name: 'P', rating: 4 },
    ...ids.map((id) => ({ record: 'product', id, category_id: 1, slug: `p-${id}`, name })),
    ...ids.map((id) => ({
      record: 'offer',
      id,
      product_id: id,
      partner_id: 1,
      price_tiyin: 100_000 + id,
      quantity: 9,
    })),
  ]
  const reply = await fetch(`${url}/v1/catalog/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: records.map((it) => JSON.stringify(it)).join('\n'),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

/** A product that was just bought leaves the buyer's next list: how long that takes, beside interactions at half the promised rate. */
async function freshness(ours: Ours): Promise<Row[]> {
  const call = async (path: string, body: object) => {
    const reply = await fetch(ours.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${ours.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(await reply.text())
    return (await reply.json()) as { offers?: { offer_id: string }[] }
  }
  const listed = async (user_id: string) =>
    (
      await call('/offers/recommended/v3', { user_id, from_layer: 'main_page', from_app: 'bench' })
    ).offers!.map((it) => it.offer_id)
  let over = false
  const beside = load({
    url: ours.url,
    connections,
    seconds: 60,
    perSecond: 10,
    request: calls(ours),
    expect: 200,
    until: () => over,
  })
  const waits: number[] = []
  let late = 0
  for (let at = 0; at < 50; at++) {
    const buyer = String(1_000_000 + at)
    const [first] = await listed(buyer)
    await call('/v1/interactions', { interactions: [{ user_id: buyer, offer_id: first, kind: 'purchase' }] })
    const began = performance.now()
    for (let tries = 0; (await listed(buyer)).includes(first!); tries++) late += Number(tries === 0)
    waits.push(performance.now() - began)
  }
  over = true
  await beside
  return [
    {
      name: 'interactions: the slowest next list that knows of one, of fifty',
      ours: Math.max(...waits),
      unit: 'ms',
      bar: '≤ 1 000',
      note: `${late} of the first lists did not know; beside 10 000 interactions/s, including the call`,
    },
  ]
}
