// Statements over the orders on credit of all clients read these orders alone, however many others there are.

import { match } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { Database, type Reader } from '../../base/database.ts'
import { firstOrdersOnCredit, ordersOwedSince } from './credit-store.ts'

const db = new Database({
  connection: await freshDatabase(),
  environment: 'test',
  clock: systemClock(),
  poolSize: 1,
})
after(() => db.close())

/** One order in 200 is on credit, by both methods in turn. */
const insertOrders = `
  insert into orders_orders (checkout_id, client_id, partner_id, payment_method_id, delivery_address, amount_tiyin, day,
    status, payment_status, fulfilment_status, version, created_at, updated_at)
  select gen_random_uuid(), 1 + (it * 7919) % 2000, 1, case it % 400 when 0 then 2 when 200 then 4 else 1 + 2 * (it % 2) end,
    'Toshkent', 100, '2026-01-01', 'completed', 'paid', 'delivered', 1, at, at
  from generate_series(1, 20000) it, lateral (select timestamptz '2026-01-01' + it * interval '1 minute') moment (at)`

await db.transaction((tx) => tx.all(insertOrders))
await db.transaction((tx) => tx.all('analyze orders_orders'))

const literal = (value: unknown) =>
  value instanceof Date ? `'${value.toISOString()}'` : Array.isArray(value) ? `'{${value}}'` : String(value)

/** The plan of the statement that `ask` sends, as PostgreSQL makes it without knowing the values. */
async function genericPlanOf(ask: (read: Reader) => Promise<unknown>): Promise<string> {
  const lines: string[] = []
  await db.transaction(async (tx) => {
    await tx.all('set local plan_cache_mode = force_generic_plan')
    const all = async (sql: string, values: readonly unknown[] = []) => {
      await tx.all(`prepare asked as ${sql}`)
      const plan = await tx.all<{ 'QUERY PLAN': string }>(
        `explain (costs off) execute asked (${values.map(literal).join(', ')})`,
      )
      lines.push(...plan.map((it) => it['QUERY PLAN']))
      await tx.all('deallocate asked')
      return []
    }
    await ask({ all } as unknown as Reader)
  })
  return lines.join('\n')
}

test('the first orders on credit of all clients come from an index of orders on credit', async () => {
  const page = { after: 0, limit: 500 }
  match(
    await genericPlanOf((read) => firstOrdersOnCredit(read, page)),
    /using orders_orders_credit_clients\b/,
  )
})

test('open and changed orders on credit come from an index of orders on credit', async () => {
  const page = { after: 0, since: new Date('2026-01-10'), limit: 500 }
  match(await genericPlanOf((read) => ordersOwedSince(read, page)), /using orders_orders_credit\b/)
})
