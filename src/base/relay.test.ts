import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import type { Event } from '../events.ts'
import { MovableClock, systemClock } from './clock.ts'
import { Database, type Tx } from './db.ts'
import { silentLog } from './log.ts'
import {
  deadLetters,
  publish,
  type Reaction,
  reaction,
  reactionToMany,
  reviveDeadLetter,
  type Told,
} from './outbox.ts'
import { Relay } from './relay.ts'

async function house(reactions: Reaction[]) {
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
const tell = (db: Database, ...ids: number[]) =>
  db.transaction(async (tx) => {
    for (const brandId of ids) await publish(tx, { type: 'BrandDeleted', brandId })
  })
const noting = (seen: Told[]) => reaction('noting', 'BrandDeleted', async (_tx, told) => void seen.push(told))

test('a fact reaches its reaction once, after the commit, with its place per subject', async () => {
  const seen: Told[] = []
  const { db, relay } = await house([noting(seen)])
  await tell(db, 1, 1, 2)
  await relay.settle()
  deepEqual(
    seen.map((it) => it.subject),
    ['brand/1', 'brand/1', 'brand/2'],
  )
  ok(seen[0]!.sequence < seen[1]!.sequence)
  deepEqual(seen[0]!.event, { type: 'BrandDeleted', brandId: 1 })
})

test('facts are handed on while callers hold every connection that they share', async () => {
  const seen: Told[] = []
  const { db, relay } = await house([noting(seen)])
  const heard = Promise.withResolvers<void>()
  relay.follow(() => heard.resolve())
  const [committing, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const telling = db.transaction(async (tx) => {
    await publish(tx, { type: 'BrandDeleted', brandId: 1 })
    await committing.promise
  })
  // One more than there is room for: it takes the place of the teller. A caller waits in vain for some seconds, then fails.
  const holding = Array.from({ length: 4 }, () => db.transaction(() => ending.promise))
  try {
    committing.resolve()
    await telling
    await Promise.race([heard.promise, db.read().all('select 1')])
    equal(seen.length, 1)
  } finally {
    ending.resolve()
  }
  await Promise.all(holding)
})

test('a rolled back write tells nothing', async () => {
  const seen: Told[] = []
  const { db, relay } = await house([noting(seen)])
  await db
    .transaction(async (tx) => {
      await publish(tx, { type: 'BrandDeleted', brandId: 1 })
      throw new Error('no')
    })
    .catch(() => {})
  await relay.settle()
  equal(seen.length, 0)
})

test('several relays hand on every fact exactly once', async () => {
  const counted = reaction('counting', 'BrandDeleted', async (tx, { event }) => {
    await tx.all('insert into catalog_brands (slug, name, created_at, updated_at) values ($1, $1, $2, $2)', [
      `b-${event.brandId}`,
      tx.now,
    ])
  })
  const first = await house([counted])
  const second = await first.open([counted])
  const ids = Array.from({ length: 600 }, (_, at) => at + 1)
  await Promise.all(ids.map((id) => tell(id % 2 ? first.db : second.db, id)))
  await first.relay.settle()
  const { n } = await first.db.read().one<{ n: number }>('select count(*) as n from catalog_brands')
  equal(n, 600)
})

test('a reaction that fails does not stall the others, is tried again, and succeeds', async () => {
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
  const { db, relay, clock } = await house([fragile, sound])
  await tell(db, 1, 2, 3)
  await relay.settle()
  const slugs = async () =>
    (await db.read().all<{ slug: string }>('select slug from catalog_brands order by slug')).map(
      (it) => it.slug,
    )
  deepEqual(await slugs(), ['f-1', 'f-3', 's-1', 's-2', 's-3'])

  broken = false
  clock.offsetMs = 60_000
  await relay.settle()
  deepEqual(await slugs(), ['f-1', 'f-2', 'f-3', 's-1', 's-2', 's-3'])
})

test('the fifth failure leaves a dead letter, which an operator can revive', async () => {
  let broken = true
  let tries = 0
  const poison = reaction('poison', 'BrandDeleted', async () => {
    tries++
    if (broken) throw new Error('always')
  })
  const { db, relay, clock } = await house([poison])
  await tell(db, 7)
  for (let turn = 0; turn < 8; turn++) {
    await relay.settle()
    clock.offsetMs += 3_600_000
  }
  // The first failure happens twice: in the batch, and then alone.
  equal(tries, 6)
  const [letter] = await deadLetters(db.read())
  deepEqual([letter!.reaction, letter!.attempts, letter!.subject], ['poison', 5, 'brand/7'])

  broken = false
  ok(await db.transaction((tx) => reviveDeadLetter(tx, letter!)))
  await relay.settle()
  deepEqual(await deadLetters(db.read()), [])
})

test('facts of another process are heard here too', async () => {
  const first = await house([])
  const second = await first.open([])
  const heard: Event[] = []
  second.relay.listen((event) => heard.push(event))
  await tell(first.db, 5)
  await first.relay.settle()
  while (heard.length === 0) await new Promise((done) => setTimeout(done, 20))
  deepEqual(heard[0], { type: 'BrandDeleted', brandId: 5 })
})

test('a relay that starts again goes on where the last one stopped', async () => {
  const seen: Told[] = []
  const { db, relay, open } = await house([noting(seen)])
  await tell(db, 1)
  await relay.settle()
  await relay.close()
  await tell(db, 2)
  const again = await open([noting(seen)])
  await again.relay.settle()
  deepEqual(
    seen.map((it) => it.subject),
    ['brand/1', 'brand/2'],
  )
})

test('a reaction to many facts gets what came together at once, in its order, and each once', async () => {
  const heard: string[][] = []
  let broken = true
  const gathering = reactionToMany('gathering', ['BrandDeleted', 'BrandCreated'], async (_tx, told) => {
    if (broken && told.some((it) => it.event.brandId === 2)) throw new Error('poison')
    heard.push(told.map((it) => it.subject))
  })
  const { db, relay, clock } = await house([gathering])
  await db.transaction(async (tx) => {
    await publish(tx, { type: 'BrandCreated', brandId: 1, slug: 'one' })
    for (const brandId of [1, 2, 3]) await publish(tx, { type: 'BrandDeleted', brandId })
  })
  await relay.settle()
  deepEqual(heard, [['brand/1'], ['brand/1'], ['brand/3']])

  broken = false
  clock.offsetMs = 60_000
  await tell(db, 4, 5)
  await relay.settle()
  deepEqual(heard.slice(3).toSorted(), [['brand/2'], ['brand/4', 'brand/5']])
})

/** A deed that can be counted, in the database. */
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

test('a fact whose transaction takes long is handed on when it commits, behind those that were quicker', async () => {
  const marking = reaction('marking', 'BrandDeleted', (tx, { event }) => leaveMark(tx, `b-${event.brandId}`))
  const { db, relay } = await house([marking])
  const [slow, told, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), { done: false }]
  const long = db.transaction(async (tx) => {
    // Facts are written with the commit; this one has its number long before.
    await tx.all(
      `insert into outbox_events (event_id, type, subject, fields, occurred_at)
       values (gen_random_uuid(), 'BrandDeleted', 'brand/1', '{"brandId":1}', $1)`,
      [tx.now],
    )
    told.resolve()
    await slow.promise
    commit.done = true
  })
  await told.promise
  await tell(db, 2, 3)
  await relay.settle()
  deepEqual([await marksIn(db), commit.done], [['b-2', 'b-3'], false])
  slow.resolve()
  await long
  await tell(db, 4)
  await relay.settle()
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

test('a relay whose connection dies in the middle of a batch loses nothing and doubles nothing', async () => {
  let deaths = 3
  const dying = reaction('dying', 'BrandDeleted', async (tx, { event }) => {
    await leaveMark(tx, `b-${event.brandId}`)
    if (event.brandId !== 50 || deaths === 0) return
    deaths--
    // The server ends this very connection, as after kill -9 of the process at its other end.
    await tx.all('select pg_terminate_backend(pg_backend_pid())')
  })
  const { db, relay } = await house([dying])
  const ids = Array.from({ length: 100 }, (_, at) => at + 1)
  await tell(db, ...ids)
  await relay.settle()
  deepEqual(
    await marksIn(db),
    ids.map((it) => `b-${it}`),
  )
  equal(deaths, 0)
})

test('two relays, one of which keeps dying, hand on every fact exactly once', async () => {
  let turns = 0
  const flaky = reaction('flaky', 'BrandDeleted', async (tx, { event }) => {
    await leaveMark(tx, `b-${event.brandId}`)
    if (++turns % 97 === 0) await tx.all('select pg_terminate_backend(pg_backend_pid())')
    if (turns % 89 === 0) throw new Error('by chance')
  })
  const first = await house([flaky])
  const second = await first.open([flaky])
  const ids = Array.from({ length: 400 }, (_, at) => at + 1)
  await Promise.all(ids.map((id) => tell(id % 2 ? first.db : second.db, id).catch(() => {})))
  const isAllMarked = async () => {
    first.clock.offsetMs += 600_000
    await first.relay.settle()
    const { n } = await first.db
      .read()
      .one<{ n: number }>('select count(*) as n from outbox_failures where dead_at is null')
    return n === 0
  }
  while (!(await isAllMarked()));
  const { n: facts } = await first.db.read().one<{ n: number }>('select count(*) as n from outbox_events')
  const marks = await marksIn(first.db)
  deepEqual([marks.length, new Set(marks).size], [facts, facts])
  deepEqual(await deadLetters(first.db.read()), [])
})

test('a failure whose message no database can keep is a failure like any other, and stalls nobody', async () => {
  const seen: Told[] = []
  const poison = reaction('poison', 'BrandDeleted', async (_tx, { event }) => {
    if (event.brandId === 1) throw new Error('nobody knows "x\u0000\ud800"')
  })
  const { db, relay } = await house([poison, noting(seen)])
  await tell(db, 1, 2)
  await relay.settle()
  const failures = await db.read().all<{ error: string }>('select error from outbox_failures')
  deepEqual(
    failures.map((it) => it.error),
    ['Error: nobody knows "x\uFFFD\uFFFD"'],
  )
  equal(new Set(seen.map((it) => it.subject)).size, 2)
})

test('a reaction that fails behind an attempt of its own is tried again, and is not taken for done', async () => {
  let broken = true
  const trying = reaction('trying', 'BrandDeleted', async (tx, { event }) => {
    await tx.attempt(() => Promise.reject(new Error('inner'))).catch(() => {})
    if (broken) throw new Error('outer')
    await leaveMark(tx, `b-${event.brandId}`)
  })
  const { db, relay, clock } = await house([trying])
  await tell(db, 1)
  await relay.settle()
  deepEqual(await marksIn(db), [])
  broken = false
  clock.offsetMs += 60_000
  await relay.settle()
  deepEqual(await marksIn(db), ['b-1'])
})

test('new facts do not wait until all failures have had their slow second try', async () => {
  const order: string[] = []
  let isSlow = false
  const slow = reaction('slow', 'BrandDeleted', async (tx, { event }) => {
    if (isSlow) await tx.all('select pg_sleep(0.3)')
    order.push(`failed ${event.brandId}`)
    throw new Error('always')
  })
  const prompt = reaction('prompt', 'CategoryDeleted', async () => void order.push('prompt'))
  const { db, relay, clock } = await house([slow, prompt])
  await tell(db, 1, 2, 3, 4, 5, 6)
  await relay.settle()
  order.length = 0
  isSlow = true
  clock.offsetMs += 2_000
  relay.wake()
  while (order.length === 0) await new Promise((done) => setTimeout(done, 5))
  await db.transaction((tx) => publish(tx, { type: 'CategoryDeleted', categoryId: 1 }))
  while (!order.includes('prompt')) await new Promise((done) => setTimeout(done, 5))
  ok(order.length < 6, order.join(', '))
})

test('whoever follows gets every fact once and in its order, however many settle at the same time', async () => {
  const first = await house([])
  const second = await first.open([])
  const heard: number[] = []
  first.relay.follow((batch) => heard.push(...batch.map((it) => it.position)))
  const ids = Array.from({ length: 300 }, (_, at) => at + 1)
  await Promise.all([
    ...ids.map((id) => tell(id % 2 ? first.db : second.db, id)),
    ...ids.slice(0, 20).map(() => first.relay.settle()),
  ])
  await first.relay.settle()
  while (heard.length < 300) await new Promise((done) => setTimeout(done, 5))
  deepEqual(heard, ids)
})
