// How fast committed events reach the reactions, beside the bare statements.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { elapsedMs, systemClock } from '../src/base/clock.ts'
import { readConfig } from '../src/base/config.ts'
import { Database } from '../src/base/database.ts'
import { silentLog } from '../src/base/log.ts'
import { migrate } from '../src/base/migrate.ts'
import { publish, publishAll } from '../src/base/outbox.ts'
import { Relay } from '../src/base/relay.ts'
import { openStorage } from '../src/base/storage.ts'
import * as cart from '../src/cart/index.ts'
import { cpuSeconds, family } from './cpu.ts'
import { databasePid, seconds } from './measure.ts'
import type { Row } from './row.ts'

const backlog = 20_000
const perTransaction = 1_000
const writers = 8
const batchSize = 200

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const log = silentLog()
  const storage = await openStorage(
    { dataDir, databaseUrl: undefined },
    { role: 'server', commandName: 'bench', log },
  )
  try {
    await migrate(storage.connection, log)
    const watched = () => [process.pid, ...family(databasePid(dataDir))]
    const floor = await bareStatements(storage.connection, watched)
    const ours = await workOff(storage.connection, watched)
    return [
      {
        name: 'events delivered to a reaction',
        ours: ours.perSecond,
        unit: 'events/s',
        floor: floor.perSecond,
        bar: '≥ 2000',
        note: `${backlog} that wait, each with its inbox row and one statement; ${ours.cpuMs.toFixed(2)} ms of CPU with the database, floor ${floor.cpuMs.toFixed(2)}`,
      },
      await lag(storage.connection),
    ]
  } finally {
    await storage.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Measured = { perSecond: number; cpuMs: number }

async function measured(watched: () => number[], work: () => Promise<void>): Promise<Measured> {
  const [before, began] = [cpuSeconds(watched()), elapsedMs()]
  await work()
  const ms = elapsedMs() - began
  return {
    perSecond: (1000 * backlog) / ms,
    cpuMs: (1000 * (cpuSeconds(watched()) - before)) / backlog,
  }
}

const openDatabase = (connection: pg.PoolConfig, environment: 'live' | 'test') =>
  new Database({ connection, environment, clock: systemClock(), poolSize: 10 })

async function tellBacklog(db: Database): Promise<void> {
  for (let at = 0; at < backlog; at += perTransaction)
    await db.transaction(async (tx) =>
      publishAll(
        tx,
        Array.from({ length: perTransaction }, (_, it) => ({
          type: 'OfferDeactivated',
          offerId: at + it + 1,
          reason: '',
        })),
      ),
    )
}

/** The cart's reactions, on events that were published before the relay started. */
async function workOff(connection: pg.PoolConfig, watched: () => number[]): Promise<Measured> {
  const db = openDatabase(connection, 'live')
  await tellBacklog(db)
  const relay = new Relay(db, silentLog(), cart.cartReactions(cart.cartSettings(readConfig({}))))
  const all = Promise.withResolvers<void>()
  let handled = 0
  relay.subscribeInOrder((batch) => {
    handled += batch.length
    if (handled === backlog) all.resolve()
  })
  const result = await measured(watched, async () => {
    await relay.start()
    await all.promise
  })
  await relay.close()
  await db.close()
  return result
}

/** The same statements through the bare driver: no relay, no reactions, no subscriber. */
async function bareStatements(connection: pg.PoolConfig, watched: () => number[]): Promise<Measured> {
  const db = openDatabase(connection, 'test')
  await tellBacklog(db)
  await db.close()
  const client = new pg.Client({ ...connection, pipeline: true } as pg.ClientConfig)
  await client.connect()
  await client.query('set search_path = test')
  const result = await measured(watched, async () => {
    for (let position = 0; position < backlog; position += batchSize) await bareBatch(client, position)
  })
  await client.end()
  return result
}

async function bareBatch(client: pg.Client, position: number): Promise<void> {
  await client.query('begin')
  await client.query({ name: 'lock', text: 'select position from outbox_relay for update skip locked' })
  const { rows } = await client.query<{ sequence: string; id: string }>({
    name: 'select',
    text: 'select sequence, event_id as id, type, subject, fields, occurred_at from outbox_events where position is null order by sequence limit $1',
    values: [batchSize],
  })
  await client.query({
    name: 'inbox',
    text: `insert into outbox_inbox (reaction, event_id, at) select 'bare', unnest($1::uuid[]), now() on conflict do nothing returning event_id`,
    values: [rows.map((it) => it.id)],
  })
  await Promise.all(
    rows.map((_, at) =>
      client.query({
        name: 'react',
        text: 'update cart_items set reserved_until = null where offer_id = $1 and is_moderated = $2 and reserved_until is not null',
        values: [position + at + 1, false],
      }),
    ),
  )
  await client.query({
    name: 'place',
    text: 'update outbox_events set position = $1 + place from unnest($2::int8[]) with ordinality as batch (sequence, place) where outbox_events.sequence = batch.sequence',
    values: [position, rows.map((it) => it.sequence)],
  })
  await client.query({
    name: 'move',
    text: 'update outbox_relay set position = position + $1',
    values: [rows.length],
  })
  await client.query('commit')
}

/** From a commit to the end of its reaction, while eight writers commit as fast as they can. */
async function lag(connection: pg.PoolConfig): Promise<Row> {
  const db = openDatabase(connection, 'live')
  const relay = new Relay(db, silentLog(), cart.cartReactions(cart.cartSettings(readConfig({}))))
  const committedAt = new Map<number, number>()
  const reactedAt = new Map<number, number>()
  relay.subscribeInOrder((batch) => {
    for (const { event } of batch)
      if (event.type === 'OfferDeactivated') reactedAt.set(event.offerId, elapsedMs())
  })
  await relay.start()
  let offers = backlog
  const until = elapsedMs() + seconds * 1000
  const write = async () => {
    while (elapsedMs() < until) {
      const offerId = ++offers
      await db.transaction(async (tx) => publish(tx, { type: 'OfferDeactivated', offerId, reason: '' }))
      committedAt.set(offerId, elapsedMs())
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  await relay.catchUp()
  const lags = [...committedAt].map(([id, at]) => reactedAt.get(id)! - at).toSorted((a, b) => a - b)
  await relay.close()
  await db.close()
  const at = (part: number) => lags[Math.floor(lags.length * part)]!
  return {
    name: 'from a commit to the end of its reactions, p99',
    ours: at(0.99),
    unit: 'ms',
    note: `${Math.round(lags.length / seconds)} commits a second; half of them within ${at(0.5).toFixed(0)} ms`,
  }
}
