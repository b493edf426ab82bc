import { deepEqual, match, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { Broken, simulate } from './simulate.ts'

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

test('a shop whose check of the stock is broken, so that it sells units twice, is caught', async () => {
  const tamper = (sql: string) =>
    sql.startsWith('update catalog_offers as offer set quantity')
      ? sql.replace('+ move.change', '+ 0 * move.change')
      : sql
  await rejects(simulate(await freshDatabase(), { seed: 5, steps: 150, tamper }), (error: Error) => {
    ok(error instanceof Broken)
    match(error.message, /I1: .*see it again: npm run simulate -- --seed 5 --steps 150/s)
    return true
  })
})

test('a shop that forgets what clients have bought is caught', async () => {
  const tamper = (sql: string) =>
    sql.startsWith('insert into cart_purchases')
      ? 'select $1::int8, $2::text, $3::text, $4::text, $5::text'
      : sql
  await rejects(simulate(await freshDatabase(), { seed: 5, steps: 150, tamper }), /I7: limits remember/)
})

test('a shop that takes the cart along but not the lines is caught', async () => {
  const tamper = (sql: string) =>
    sql.startsWith('delete from cart_items using') ? sql.replace('where', 'where false and') : sql
  await rejects(simulate(await freshDatabase(), { seed: 5, steps: 150, tamper }), /I3: /)
})
