import { deepEqual, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { ToldFact } from '../../src/base/db.ts'
import { timedUuid } from '../../src/base/random.ts'
import { freshDatabase } from '../support/database.ts'
import { Broken, simulate } from './simulate.ts'
import type { Tamper } from './world.ts'

test('a shop lives through the fates of three seeds with every invariant intact', async () => {
  for (const seed of [1, 2, 3]) {
    const { orders, done } = await simulate(await freshDatabase(), { seed, steps: 150 })
    ok(orders > 3, 'the fate must reach orders')
    ok(Object.keys(done).length > 8, 'and do most of what can be done')
  }
})

test('one fate is the same twice', async () => {
  const [one, two] = [await freshDatabase(), await freshDatabase()]
  const fate = { seed: 4, steps: 60 }
  const told = [await simulate(one, fate), await simulate(two, fate)]
  deepEqual(told[0], told[1])
})

/** What the simulation says of a shop that is broken in this way; the seeds are tried until one meets it. */
async function verdictOn(tamper: Tamper, only?: string[]): Promise<string> {
  for (let seed = 1; seed <= 20; seed++)
    try {
      await simulate(await freshDatabase(), { seed, steps: 150, tamper, ...(only && { only }) })
    } catch (error) {
      ok(error instanceof Broken, String(error))
      match(error.message, new RegExp(`see it again: npm run simulate -- --seed ${seed} --steps 150`))
      return error.message
    }
  return 'nothing'
}

const replacing =
  (what: string, by: string) =>
  (sql: string): string =>
    sql.replace(what, by)

test('a shop whose check of the stock is broken, so that it sells units twice, is caught', async () => {
  const sql = (it: string) =>
    it.includes('update catalog_offers as offer') ? it.replace('+ move.change', '+ 0 * move.change') : it
  match(await verdictOn({ sql }), /I1: /)
})

test('a shop that reads offers without holding them is caught', async () => {
  const sql = replacing('order by offer.id for update of offer', '')
  match(await verdictOn({ sql }, ['add', 'meanwhile']), /I1: |I2: |catalog_offers_quantity_check/)
})

test('a shop that sells by the promotions that it remembers is caught', async () => {
  const sql = (it: string) =>
    it
      .replace('(select page from catalog_promotion_book) as "bookPage"', '0 as "bookPage"')
      .replace('select book.page,', 'select 0 as page,')
  match(
    await verdictOn({ sql }, ['add', 'order', 'promote', 'meanwhile']),
    /I2: sold at the prices of no one moment/,
  )
})

test('a shop that does not lock the cart of a client, so that two orders fit under one limit, is caught', async () => {
  const sql = replacing(
    'update cart_carts set version = version + 1, updated_at = $2 where client_id = $1',
    'select $1::int8, $2::timestamptz',
  )
  match(await verdictOn({ sql }, ['add', 'meanwhile']), /I3: |I7: /)
})

test('a shop that forgets what clients have bought is caught', async () => {
  const sql = (it: string) =>
    it.startsWith('insert into cart_purchases')
      ? 'select $1::int8, $2::text, $3::text, $4::text, $5::text'
      : it
  match(await verdictOn({ sql }), /I7: limits remember/)
})

test('a shop that takes the cart along but not the lines is caught', async () => {
  const sql = (it: string) =>
    it.startsWith('delete from cart_items where cart_id = $1 and offer_id = any')
      ? it.replace('where', 'where false and')
      : it
  match(await verdictOn({ sql }), /I1: more is reserved|I3: /)
})

test('a shop that reserves without waiting for whoever sells is caught', async () => {
  const sql = (it: string) => (it.includes('from cart_reserved_offers') ? it.replace('for update', '') : it)
  match(await verdictOn({ sql }, ['meanwhile', 'wait', 'adjust']), /I1: more is reserved/)
})

test('a shop that tells of an order twice, or not at all, is caught', async () => {
  const isOrder = ({ event }: ToldFact) => event.type === 'OrdersCreated'
  match(
    await verdictOn({ tell: (it) => (isOrder(it) ? [it, { ...it, id: timedUuid(new Date(0)) }] : [it]) }),
    /I9: every order was told of exactly once/,
  )
  match(await verdictOn({ tell: (it) => (isOrder(it) ? [] : [it]) }), /I9: every order/)
})
