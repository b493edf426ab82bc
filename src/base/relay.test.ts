import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import type { Event } from '../events.ts'
import { MovableClock, systemClock } from './clock.ts'
import { Database } from './db.ts'
import { silentLog } from './log.ts'
import { deadLetters, publish, type Reaction, reaction, reviveDeadLetter, type Told } from './outbox.ts'
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
