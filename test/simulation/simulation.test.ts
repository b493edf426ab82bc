import { deepEqual, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { PendingEvent } from '../../src/base/database.ts'
import { timedUuid } from '../../src/base/random.ts'
import { freshDatabase } from '../support/database.ts'
import { InvariantBroken, simulate } from './simulate.ts'
import type { Mutation } from './world.ts'

test('every invariant holds in the runs of three seeds', async () => {
  for (const seed of [1, 2, 3]) {
    const { orders, done } = await simulate(await freshDatabase(), { seed, steps: 150 })
    ok(orders > 3, 'the run must place orders')
    ok(Object.keys(done).length > 8, 'the run must do most of the actions')
  }
})

test('the same seed gives the same run', async () => {
  const [one, two] = [await freshDatabase(), await freshDatabase()]
  const run = { seed: 4, steps: 60 }
  const [first, second] = [await simulate(one, run), await simulate(two, run)]
  deepEqual(first, second)
})

/** The failure that the simulation reports for a shop broken in this way. Tries seeds until one fails. */
async function verdictOn(mutation: Mutation, only?: string[]): Promise<string> {
  for (let seed = 1; seed <= 20; seed++)
    try {
      await simulate(await freshDatabase(), { seed, steps: 150, mutation, ...(only && { only }) })
    } catch (error) {
      ok(error instanceof InvariantBroken, String(error))
      match(error.message, new RegExp(`repeat with: npm run simulate -- --seed ${seed} --steps 150`))
      return error.message
    }
  return 'nothing'
}

const replacing =
  (what: string, by: string) =>
  (sql: string): string =>
    sql.replace(what, by)

test('detects a shop that does not take sold units from the stock', async () => {
  const sql = (it: string) =>
    it.includes('update catalog_offers as offer') ? it.replace('+ move.change', '+ 0 * move.change') : it
  match(await verdictOn({ sql }), /I1: /)
})

test('detects a shop that reads offers without locking them', async () => {
  const sql = replacing('order by offer.id for update of offer', '')
  match(await verdictOn({ sql }, ['add', 'runConcurrently']), /I1: |I2: |catalog_offers_quantity_check/)
})

test('detects a shop that sells by cached promotions', async () => {
  const sql = replacing(
    '(select version from catalog_promotion_schedule) as "scheduleVersion"',
    '0 as "scheduleVersion"',
  )
  match(
    await verdictOn({ sql }, ['add', 'order', 'promote', 'runConcurrently']),
    /I2: no single instant has these prices/,
  )
})

test('detects a shop that does not lock the cart of a client, so that two orders pass one limit', async () => {
  const sql = replacing(
    'update cart_carts set version = version + 1, updated_at = $2 where client_id = $1 returning id',
    'select id from cart_carts where client_id = $1 and $2::timestamptz is not null',
  )
  match(await verdictOn({ sql }, ['add', 'runConcurrently']), /I3: |I7: /)
})

test('detects a shop that does not count purchases', async () => {
  const sql = (it: string) =>
    it.startsWith('insert into cart_purchases')
      ? 'select $1::int8, $2::text, $3::text, $4::text, $5::text'
      : it
  match(await verdictOn({ sql }), /I7: limits count/)
})

test('detects a shop that leaves ordered lines in the cart', async () => {
  const sql = (it: string) =>
    it.startsWith('delete from cart_items where cart_id = $1 and offer_id = any')
      ? it.replace('where', 'where false and')
      : it
  match(await verdictOn({ sql }), /I1: more units are reserved|I3: /)
})

test('detects a shop that reserves without waiting for a concurrent sale', async () => {
  const sql = (it: string) => (it.includes('from cart_reserved_offers') ? it.replace('for update', '') : it)
  match(await verdictOn({ sql }, ['runConcurrently', 'wait', 'adjust']), /I1: more units are reserved/)
})

test('detects a shop that publishes an order twice or not at all', async () => {
  const isOrder = ({ event }: PendingEvent) => event.type === 'OrdersCreated'
  match(
    await verdictOn({ publish: (it) => (isOrder(it) ? [it, { ...it, id: timedUuid(new Date(0)) }] : [it]) }),
    /I9: every order is published exactly once/,
  )
  match(await verdictOn({ publish: (it) => (isOrder(it) ? [] : [it]) }), /I9: every order/)
})
