// Queues and slots of many endpoints, some of them busy.

import { deepEqual, equal } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { Database } from '../../base/database.ts'
import { secretUuid, timedUuid } from '../../base/random.ts'
import { enqueueEvents } from './enqueue-events.ts'
import { redeliverPeriod } from './redeliver.ts'
import { claimDue } from './store.ts'

async function openDatabase(): Promise<Database> {
  const connection = await freshDatabase()
  const db = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 4 })
  after(() => db.close())
  return db
}

/** Relayed events, each of another brand. */
const insertEvents = (db: Database, count: number) =>
  db.transaction(async (tx) => {
    await tx.all(
      `insert into outbox_events (event_id, type, subject, fields, occurred_at, position)
       select id, 'BrandDeleted', 'brand/' || relay.position + place, '{}', $2, relay.position + place
       from outbox_relay relay, unnest($1::uuid[]) with ordinality as event (id, place)`,
      [Array.from({ length: count }, () => timedUuid(tx.now)), tx.now],
    )
    await tx.all(`update outbox_relay set position = position + $1`, [count])
  })

const newEndpoint = async (db: Database, position: number): Promise<string> => {
  const id = secretUuid()
  await db.transaction((tx) =>
    tx.all(
      `insert into webhooks_endpoints (id, url, description, filters, state, position, created_at, updated_at)
       values ($1, 'http://127.0.0.1:1/', '', '{BrandDeleted}', 'enabled', $2, $3, $3)`,
      [id, position, tx.now],
    ),
  )
  return id
}

const lengthOf = async (db: Database, id: string): Promise<number> =>
  (await db.read().one<{ waiting: number }>(`select waiting from webhooks_endpoints where id = $1`, [id]))
    .waiting

test('an endpoint that catches up delays no other', async () => {
  const db = await openDatabase()
  await insertEvents(db, 2_000)
  const [behind, ahead] = [await newEndpoint(db, 0), await newEndpoint(db, 1_999)]
  await enqueueEvents(db)
  equal(await lengthOf(db, ahead), 1)
  equal(await lengthOf(db, behind), 500)
  while ((await enqueueEvents(db)) > 0);
  equal(await lengthOf(db, behind), 2_000)
  equal(await lengthOf(db, ahead), 1)
})

test('two processes enqueue every event once', async () => {
  const db = await openDatabase()
  await insertEvents(db, 1_000)
  const ids = [await newEndpoint(db, 0), await newEndpoint(db, 0), await newEndpoint(db, 700)]
  const feedAll = async () => {
    while ((await enqueueEvents(db)) > 0);
  }
  await Promise.all([feedAll(), feedAll(), feedAll()])
  await feedAll()
  deepEqual(await Promise.all(ids.map((it) => lengthOf(db, it))), [1_000, 1_000, 300])
})

test('redelivered and not yet enqueued events are delivered once each', async () => {
  const db = await openDatabase()
  await insertEvents(db, 5)
  const id = await newEndpoint(db, 2)
  const [from, to] = [new Date(0), new Date(db.clock.now().getTime() + 60_000)]
  const queued = await db.transaction((tx) => redeliverPeriod(tx, id, { from, to, filters: undefined }))
  equal(queued, 2)
  while ((await enqueueEvents(db)) > 0);
  const lined = await db
    .read()
    .all<{ subject: string }>(`select subject from webhooks_deliveries where endpoint_id = $1 order by id`, [
      id,
    ])
  deepEqual(
    lined.map((it) => it.subject),
    [1, 2, 3, 4, 5].map((it) => `brand/${it}`),
  )
  equal(await lengthOf(db, id), 5)
})

const limits = { leaseSeconds: 25, perEndpoint: 20, perFailing: 1, failingFrom: 5 }

test('ten busy endpoints leave a slot to every other', async () => {
  const db = await openDatabase()
  await insertEvents(db, 30)
  const greedy: string[] = []
  for (let at = 0; at < 10; at++) greedy.push(await newEndpoint(db, 0))
  await enqueueEvents(db)
  const claim = (busy: Map<string, number>, shared: number) =>
    db.transaction((tx) => claimDue(tx, { ...limits, lease: secretUuid(), busy, shared }))
  const first = await claim(new Map(), 100)
  equal(first.length, 110)
  const busy = new Map(greedy.map((id) => [id, first.filter((it) => it.endpointId === id).length]))
  deepEqual([...busy.values()], Array(10).fill(11), 'all of them get the same')
  // All of it is still in progress; now a new endpoint appears.
  const newcomer = await newEndpoint(db, 0)
  await enqueueEvents(db)
  const second = await claim(busy, 0)
  deepEqual(
    second.map((it) => it.endpointId),
    [newcomer],
  )
})

test('a failing endpoint has one slot', async () => {
  const db = await openDatabase()
  await insertEvents(db, 30)
  const [failing, sound] = [await newEndpoint(db, 0), await newEndpoint(db, 0)]
  await enqueueEvents(db)
  await db.transaction((tx) => tx.all(`update webhooks_endpoints set failures = 5 where id = $1`, [failing]))
  const claim = (busy: Map<string, number>) =>
    db.transaction((tx) => claimDue(tx, { ...limits, lease: secretUuid(), busy, shared: 100 }))
  const claimed = Map.groupBy(await claim(new Map()), (it) => it.endpointId)
  deepEqual([claimed.get(failing)?.length, claimed.get(sound)?.length], [1, 20])
  deepEqual(
    await claim(
      new Map([
        [failing, 1],
        [sound, 20],
      ]),
    ),
    [],
  )
})

test('a lease taken while the database clock was ahead does not block a delivery', async () => {
  const db = await openDatabase()
  await insertEvents(db, 1)
  await newEndpoint(db, 0)
  await enqueueEvents(db)
  const claim = () =>
    db.transaction((tx) => claimDue(tx, { ...limits, lease: secretUuid(), busy: new Map(), shared: 100 }))
  const leaseUntil = (seconds: number) =>
    db.transaction((tx) =>
      tx.all(`update webhooks_deliveries set leased_until = clock_timestamp() + make_interval(secs => $1)`, [
        seconds,
      ]),
    )
  equal((await claim()).length, 1)
  equal((await claim()).length, 0, 'a valid lease holds')
  await leaseUntil(30 * 86_400)
  equal((await claim()).length, 1)
})
