// J1 to J9: abandoned carts are deleted once, and no others.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { findStaleCarts } from '../../src/cart/index.ts'
import { newGuest, openCarts } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { put, view, newClient, add, eventsOf } = openCarts(shop)
const { call } = shop
const { db, jobs } = shop.app.shops.test
const hour = 3_600_000
const day = 24 * hour

const moveTo = async (at: Date) => {
  const seconds = Math.ceil((at.getTime() - db.clock.now().getTime()) / 1000)
  const reply = await call('POST', '/v1/test/clock', { body: { advance: `PT${seconds}S` } })
  equal(reply.status, 200, reply.text)
}

test('the run at 02:00 keeps a cart of 13 days and 23 hours and deletes one of 14 days and 1 hour', async () => {
  const [old, young] = [newClient(), newClient()]
  const offer = await stock.offer()
  const reserved = await stock.offer({ quantity: 3, reservation_minutes: 43_200 })
  const inDays = new Date(db.clock.now().getTime() + 16 * day).toISOString().slice(0, 10)
  const two = new Date(`${inDays}T02:00:00+05:00`)
  await moveTo(new Date(two.getTime() - 14 * day - hour))
  const { CartId } = await put(old, offer)
  await put(old, reserved, 3)
  await moveTo(new Date(two.getTime() - 14 * day + hour))
  await put(young, offer)
  assertRefused('stock_exceeded', await add(young, reserved))
  await moveTo(new Date(two.getTime() + 1_000))
  equal((await view(old)).CartId, null)
  equal((await view(young)).Items.length, 1)
  // The units that the old cart reserved are available again.
  await put(young, reserved, 3)
  deepEqual((await eventsOf(CartId)).at(-1)!.fields['reason'], 'abandoned')
  const { last_run } = (await call('GET', '/v1/admin/jobs')).body.data.jobs.find(
    (it: { name: string }) => it.name === 'clean-up-carts',
  )
  deepEqual([last_run.outcome, last_run.note], ['done', 'removed 1 carts'])
})

test('a change restarts the period of 14 days', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  await put(buyer, offer)
  await moveTo(new Date(db.clock.now().getTime() + 10 * day))
  await put(buyer, offer)
  await moveTo(new Date(db.clock.now().getTime() + 10 * day))
  equal((await view(buyer)).Items[0].Quantity, 2)
})

test('a guest cart is unavailable after it expires and is deleted soon after', async () => {
  const guest = newGuest()
  const { CartId, ExpiresAt, UpdatedAt } = await put(guest, await stock.offer())
  equal(new Date(ExpiresAt).getTime() - new Date(UpdatedAt).getTime(), 14 * day)
  await moveTo(new Date(new Date(ExpiresAt).getTime() + 1_000))
  equal((await view(guest)).CartId, null)
  assertRefused('not_found', await call('GET', `/v1/cart/${CartId}`))
  await moveTo(new Date(db.clock.now().getTime() + hour))
  const rows = await db.read().all(`select 1 from cart_carts where id = $1`, [CartId])
  equal(rows.length, 0)
})

/** Old carts, also by the time in their ids; returns the ids. */
const agedCarts = async (count: number, prefix: string): Promise<string[]> =>
  (
    await db.transaction((tx) =>
      tx.all<{ id: string }>(
        `insert into cart_carts (id, client_id, created_at, updated_at)
         select ($2 || '-0000-7000-8000-' || lpad(at::text, 12, '0'))::uuid, 5000000 + at, $1, $1
         from generate_series(1, $3::int) at returning id`,
        [new Date(tx.now.getTime() - 60 * day), prefix, count],
      ),
    )
  ).map((it) => it.id)

test('of two processes that run the job at once one does the work', async () => {
  const other = await openPlatform({ connection: shop.connection })
  const ids = await agedCarts(30, '00000001')
  const runs = [jobs, other.app.shops.test.jobs, jobs].map((it) => it.runNow('clean-up-carts'))
  equal((await Promise.all(runs)).filter(Boolean).length >= 1, true)
  for (const id of ids)
    deepEqual(
      (await eventsOf(id)).map((it) => it.type),
      ['CartRemoved'],
    )
  const { count } = await db
    .read()
    .one<{ count: number }>(
      `select count(*) from job_runs where name = 'clean-up-carts' and note = 'removed 30 carts'`,
    )
  equal(count, 1)
})

test('a cart that is changed while the job runs is kept', async () => {
  const buyer = newClient()
  const { CartId } = await put(buyer, await stock.offer())
  await moveTo(new Date(db.clock.now().getTime() + 13 * day))
  await shop.app.shops.test.jobs.close()
  await moveTo(new Date(db.clock.now().getTime() + 2 * day))
  await db.transaction(async (tx) => {
    await tx.all(`update cart_carts set updated_at = $2 where id = $1`, [CartId, tx.now])
    await jobs.runNow('clean-up-carts')
  })
  equal((await view(buyer)).CartId, CartId)
})

test('thousands of abandoned carts are deleted in batches and listed in pages', async () => {
  await agedCarts(2_500, '00000002')
  const first = await findStaleCarts(db.read(), 50)
  equal(first.clientIds.length, 1_000)
  const third = await findStaleCarts(db.read(), 50, (await findStaleCarts(db.read(), 50, first.next)).next)
  deepEqual([third.clientIds.length, third.next], [500, undefined])
  await jobs.runNow('clean-up-carts')
  deepEqual((await findStaleCarts(db.read(), 50)).clientIds, [])
})
