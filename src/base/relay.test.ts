import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import type { Event } from '../events.ts'
import { MovableClock, systemClock } from './clock.ts'
import { Database, type Tx } from './database.ts'
import { silentLog } from './log.ts'
import {
  deadLetters,
  publish,
  type Reaction,
  reaction,
  reactionToMany,
  retryDeadLetter,
  type StoredEvent,
} from './outbox.ts'
import { Relay } from './relay.ts'

async function openRelay(reactions: Reaction[]) {
  const connection = await freshDatabase()
  const clock = new MovableClock(systemClock())
  const open = async (its: Reaction[]) => {
    const db = new Database({ connection, environment: 'test', clock, poolSize: 4 })
    const relay = new Relay(db, silentLog(), its)
    await relay.start()
    after(() => relay.close().then(() => db.close()))
    return { db, relay }
  }
  return { clock, open, ...(await open(reactions)) }
}
const publishDeleted = (db: Database, ...ids: number[]) =>
  db.transaction(async (tx) => {
    for (const brandId of ids) publish(tx, { type: 'BrandDeleted', brandId })
  })
const recording = (seen: StoredEvent[]) =>
  reaction('recording', 'BrandDeleted', async (_tx, stored) => void seen.push(stored))

test('an event reaches its reaction once, after the commit, in order per subject', async () => {
  const seen: StoredEvent[] = []
  const { db, relay } = await openRelay([recording(seen)])
  await publishDeleted(db, 1, 1, 2)
  await relay.catchUp()
  deepEqual(
    seen.map((it) => it.subject),
    ['brand/1', 'brand/1', 'brand/2'],
  )
  ok(seen[0]!.sequence < seen[1]!.sequence)
  deepEqual(seen[0]!.event, { type: 'BrandDeleted', brandId: 1 })
})

test('events are relayed while callers hold every connection of the pool', async () => {
  const seen: StoredEvent[] = []
  const { db, relay } = await openRelay([recording(seen)])
  const received = Promise.withResolvers<void>()
  relay.subscribeInOrder(() => received.resolve())
  const [committing, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const publishing = db.transaction(async (tx) => {
    publish(tx, { type: 'BrandDeleted', brandId: 1 })
    await committing.promise
  })
  // One more than the pool has: it waits for the connection of the publisher. A caller that gets none fails after some seconds.
  const holding = Array.from({ length: 4 }, () => db.transaction(() => ending.promise))
  try {
    committing.resolve()
    await publishing
    await Promise.race([received.promise, db.read().all('select 1')])
    equal(seen.length, 1)
  } finally {
    ending.resolve()
  }
  await Promise.all(holding)
})

test('a rolled back write publishes nothing', async () => {
  const seen: StoredEvent[] = []
  const { db, relay } = await openRelay([recording(seen)])
  await db
    .transaction(async (tx) => {
      publish(tx, { type: 'BrandDeleted', brandId: 1 })
      throw new Error('no')
    })
    .catch(() => {})
  await relay.catchUp()
  equal(seen.length, 0)
})

test('several relays pass every event on exactly once', async () => {
  const counted = reaction('counting', 'BrandDeleted', async (tx, { event }) => {
    await tx.all('insert into catalog_brands (slug, name, created_at, updated_at) values ($1, $1, $2, $2)', [
      `b-${event.brandId}`,
      tx.now,
    ])
  })
  const first = await openRelay([counted])
  const second = await first.open([counted])
  const ids = Array.from({ length: 600 }, (_, at) => at + 1)
  await Promise.all(ids.map((id) => publishDeleted(id % 2 ? first.db : second.db, id)))
  await first.relay.catchUp()
  const { n } = await first.db.read().one<{ n: number }>('select count(*) as n from catalog_brands')
  equal(n, 600)
})

test('a failing reaction does not block the others, is retried and succeeds', async () => {
  let broken = true
  const sound = reaction('sound', 'BrandDeleted', async (tx, { event }) => {
    await tx.all('insert into catalog_brands (slug, name, created_at, updated_at) values ($1, $1, $2, $2)', [
      `s-${event.brandId}`,
      tx.now,
    ])
  })
  const fragile = reaction('fragile', 'BrandDeleted', async (tx, { event }) => {
    await tx.all('insert into catalog_brands (slug, name, created_at, updated_at) values ($1, $1, $2, $2)', [
      `f-${event.brandId}`,
      tx.now,
    ])
    if (broken && event.brandId === 2) throw new Error('poison')
  })
  const { db, relay, clock } = await openRelay([fragile, sound])
  await publishDeleted(db, 1, 2, 3)
  await relay.catchUp()
  const slugs = async () =>
    (await db.read().all<{ slug: string }>('select slug from catalog_brands order by slug')).map(
      (it) => it.slug,
    )
  deepEqual(await slugs(), ['f-1', 'f-3', 's-1', 's-2', 's-3'])

  broken = false
  clock.offsetMs = 60_000
  await relay.catchUp()
  deepEqual(await slugs(), ['f-1', 'f-2', 'f-3', 's-1', 's-2', 's-3'])
})

test('the fifth failure creates a dead letter, which an operator can retry', async () => {
  let broken = true
  let tries = 0
  const poison = reaction('poison', 'BrandDeleted', async () => {
    tries++
    if (broken) throw new Error('always')
  })
  const { db, relay, clock } = await openRelay([poison])
  await publishDeleted(db, 7)
  for (let turn = 0; turn < 8; turn++) {
    await relay.catchUp()
    clock.offsetMs += 3_600_000
  }
  // The first failure happens twice: in the batch, and then alone.
  equal(tries, 6)
  const [letter] = await deadLetters(db.read())
  deepEqual([letter!.reaction, letter!.attempts, letter!.subject], ['poison', 5, 'brand/7'])

  broken = false
  ok(await db.transaction((tx) => retryDeadLetter(tx, letter!)))
  await relay.catchUp()
  deepEqual(await deadLetters(db.read()), [])
})

test('a process receives the events of another process', async () => {
  const first = await openRelay([])
  const second = await first.open([])
  const received: Event[] = []
  second.relay.subscribe((event) => received.push(event))
  await publishDeleted(first.db, 5)
  await first.relay.catchUp()
  await waitUntil(() => received.length > 0, { what: 'the second process receives the event' })
  deepEqual(received[0], { type: 'BrandDeleted', brandId: 5 })
})

test('a relay that starts again continues where the last one stopped', async () => {
  const seen: StoredEvent[] = []
  const { db, relay, open } = await openRelay([recording(seen)])
  await publishDeleted(db, 1)
  await relay.catchUp()
  await relay.close()
  await publishDeleted(db, 2)
  const again = await open([recording(seen)])
  await again.relay.catchUp()
  deepEqual(
    seen.map((it) => it.subject),
    ['brand/1', 'brand/2'],
  )
})

test('a batch reaction receives events together, in order and each once', async () => {
  const received: string[][] = []
  let broken = true
  const gathering = reactionToMany('gathering', ['BrandDeleted', 'BrandCreated'], async (_tx, batch) => {
    if (broken && batch.some((it) => it.event.brandId === 2)) throw new Error('poison')
    received.push(batch.map((it) => it.subject))
  })
  const { db, relay, clock } = await openRelay([gathering])
  await db.transaction(async (tx) => {
    publish(tx, { type: 'BrandCreated', brandId: 1, slug: 'one' })
    for (const brandId of [1, 2, 3]) publish(tx, { type: 'BrandDeleted', brandId })
  })
  await relay.catchUp()
  deepEqual(received, [['brand/1'], ['brand/1'], ['brand/3']])

  broken = false
  clock.offsetMs = 60_000
  await publishDeleted(db, 4, 5)
  await relay.catchUp()
  deepEqual(received.slice(3).toSorted(), [['brand/2'], ['brand/4', 'brand/5']])
})

/** An effect that can be counted: a row in the database. */
async function leaveMark(tx: Tx, mark: string): Promise<void> {
  await tx.all('insert into catalog_brands (slug, name, created_at, updated_at) values ($1, $1, $2, $2)', [
    mark,
    tx.now,
  ])
}
const marksIn = async (db: Database): Promise<string[]> => {
  const rows = await db.read().all<{ slug: string }>('select slug from catalog_brands order by id')
  return rows.map((it) => it.slug)
}

test('an event of a long transaction is relayed when it commits, after events of shorter ones', async () => {
  const marking = reaction('marking', 'BrandDeleted', (tx, { event }) => leaveMark(tx, `b-${event.brandId}`))
  const { db, relay } = await openRelay([marking])
  const [slow, written, commit] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    { done: false },
  ]
  const long = db.transaction(async (tx) => {
    // Events are written at commit; this one gets its id long before.
    await tx.all(
      `insert into outbox_events (event_id, type, subject, fields, occurred_at)
       values (gen_random_uuid(), 'BrandDeleted', 'brand/1', '{"brandId":1}', $1)`,
      [tx.now],
    )
    written.resolve()
    await slow.promise
    commit.done = true
  })
  await written.promise
  await publishDeleted(db, 2, 3)
  await relay.catchUp()
  deepEqual([await marksIn(db), commit.done], [['b-2', 'b-3'], false])
  slow.resolve()
  await long
  await publishDeleted(db, 4)
  await relay.catchUp()
  deepEqual(await marksIn(db), ['b-2', 'b-3', 'b-1', 'b-4'])
  const positions = await db
    .read()
    .all<{ subject: string; position: number }>(
      'select subject, position from outbox_events order by position',
    )
  deepEqual(
    positions.map((it) => `${it.position} ${it.subject}`),
    ['1 brand/2', '2 brand/3', '3 brand/1', '4 brand/4'],
  )
})

test('a relay whose connection ends during a batch loses no event and repeats none', async () => {
  let deaths = 3
  const dying = reaction('dying', 'BrandDeleted', async (tx, { event }) => {
    await leaveMark(tx, `b-${event.brandId}`)
    if (event.brandId !== 50 || deaths === 0) return
    deaths--
    // The server ends this connection, as after kill -9 of the client process.
    await tx.all('select pg_terminate_backend(pg_backend_pid())')
  })
  const { db, relay } = await openRelay([dying])
  const ids = Array.from({ length: 100 }, (_, at) => at + 1)
  await publishDeleted(db, ...ids)
  await relay.catchUp()
  deepEqual(
    await marksIn(db),
    ids.map((it) => `b-${it}`),
  )
  equal(deaths, 0)
})

test('two relays with failing connections pass every event on exactly once', async () => {
  let turns = 0
  const flaky = reaction('flaky', 'BrandDeleted', async (tx, { event }) => {
    await leaveMark(tx, `b-${event.brandId}`)
    if (++turns % 97 === 0) await tx.all('select pg_terminate_backend(pg_backend_pid())')
    if (turns % 89 === 0) throw new Error('by chance')
  })
  const first = await openRelay([flaky])
  const second = await first.open([flaky])
  const ids = Array.from({ length: 400 }, (_, at) => at + 1)
  await Promise.all(ids.map((id) => publishDeleted(id % 2 ? first.db : second.db, id).catch(() => {})))
  const isAllMarked = async () => {
    first.clock.offsetMs += 600_000
    await first.relay.catchUp()
    const { n } = await first.db
      .read()
      .one<{ n: number }>('select count(*) as n from outbox_failures where dead_at is null')
    return n === 0
  }
  await waitUntil(isAllMarked, { what: 'no reaction is left to retry' })
  const { n: events } = await first.db.read().one<{ n: number }>('select count(*) as n from outbox_events')
  const marks = await marksIn(first.db)
  deepEqual([marks.length, new Set(marks).size], [events, events])
  deepEqual(await deadLetters(first.db.read()), [])
})

test('a failure whose message PostgreSQL cannot store is recorded and blocks no other reaction', async () => {
  const seen: StoredEvent[] = []
  const poison = reaction('poison', 'BrandDeleted', async (_tx, { event }) => {
    if (event.brandId === 1) throw new Error('unknown value "x\u0000\ud800"')
  })
  const { db, relay } = await openRelay([poison, recording(seen)])
  await publishDeleted(db, 1, 2)
  await relay.catchUp()
  const failures = await db.read().all<{ error: string }>('select error from outbox_failures')
  deepEqual(
    failures.map((it) => it.error),
    ['Error: unknown value "x\uFFFD\uFFFD"'],
  )
  equal(new Set(seen.map((it) => it.subject)).size, 2)
})

test('a reaction that fails after an attempt of its own is retried and not marked as done', async () => {
  let broken = true
  const trying = reaction('trying', 'BrandDeleted', async (tx, { event }) => {
    await tx.attempt(() => Promise.reject(new Error('inner'))).catch(() => {})
    if (broken) throw new Error('outer')
    await leaveMark(tx, `b-${event.brandId}`)
  })
  const { db, relay, clock } = await openRelay([trying])
  await publishDeleted(db, 1)
  await relay.catchUp()
  deepEqual(await marksIn(db), [])
  broken = false
  clock.offsetMs += 60_000
  await relay.catchUp()
  deepEqual(await marksIn(db), ['b-1'])
})

test('new events do not wait for slow retries', async () => {
  const order: string[] = []
  let isSlow = false
  const slow = reaction('slow', 'BrandDeleted', async (tx, { event }) => {
    if (isSlow) await tx.all('select pg_sleep(0.3)')
    order.push(`failed ${event.brandId}`)
    throw new Error('always')
  })
  const prompt = reaction('prompt', 'CategoryDeleted', async () => void order.push('prompt'))
  const { db, relay, clock } = await openRelay([slow, prompt])
  await publishDeleted(db, 1, 2, 3, 4, 5, 6)
  await relay.catchUp()
  order.length = 0
  isSlow = true
  clock.offsetMs += 2_000
  relay.wake()
  await waitUntil(() => order.length > 0, { what: 'the first retry', pollMs: 5 })
  await db.transaction(async (tx) => publish(tx, { type: 'CategoryDeleted', categoryId: 1 }))
  await waitUntil(() => order.includes('prompt'), { what: 'the reaction to the new event', pollMs: 5 })
  ok(order.length < 6, order.join(', '))
})

test('an ordered subscriber receives every event once and in order, however many commit at the same time', async () => {
  const first = await openRelay([])
  const second = await first.open([])
  const received: number[] = []
  first.relay.subscribeInOrder((batch) => received.push(...batch.map((it) => it.position)))
  const ids = Array.from({ length: 300 }, (_, at) => at + 1)
  await Promise.all([
    ...ids.map((id) => publishDeleted(id % 2 ? first.db : second.db, id)),
    ...ids.slice(0, 20).map(() => first.relay.catchUp()),
  ])
  await first.relay.catchUp()
  await waitUntil(() => received.length >= 300, { what: 'all events are received' })
  deepEqual(received, ids)
})
