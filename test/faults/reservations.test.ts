// S1 to S9 for carts: units that are reserved for a period.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type BuyerName, items, newGuest, openCarts, queryOf, statuses, times } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitUntil } from '../support/wait-until.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const carts = openCarts(shop)
const { add, put, view, newClient } = carts
const { call } = shop
const advance = async (duration: string) =>
  equal((await call('POST', '/v1/test/clock', { body: { advance: duration } })).status, 200)
const reserved = (extra = {}) => stock.offer({ quantity: 10, reservation_minutes: 30, ...extra })
/** Units of an offer that a new buyer can add. */
const availableTo = async (buyer: BuyerName, offer: number): Promise<number> => {
  const details = assertRefused('stock_exceeded', await add(buyer, offer, 9_999))
  return details.violations[0].available
}

test('operators see units on hand, reserved and available', async () => {
  const offer = await reserved()
  const moderated = await stock.moderatedOffer({ quantity: 7 })
  const stockOf = async (path: string) => (await call('GET', `/v1/catalog/${path}/stock`)).body.data?.stock
  await put(newClient(), offer, 4)
  deepEqual(await stockOf(`offers/${offer}`), { on_hand: 10, reserved: 4, available: 6 })
  await call('POST', `/v1/catalog/offers/${offer}/stock-adjustments`, {
    body: { change: -9, reason: 'counted' },
  })
  deepEqual(await stockOf(`offers/${offer}`), { on_hand: 1, reserved: 4, available: 0 })
  await advance('PT31M')
  deepEqual(await stockOf(`offers/${offer}`), { on_hand: 1, reserved: 0, available: 1 })
  deepEqual(await stockOf(`moderated-offers/${moderated}`), { on_hand: 7, reserved: 0, available: 7 })
  assertRefused('not_found', await call('GET', '/v1/catalog/offers/999999/stock'))
})

test('reserved units are unavailable to others until the reservation ends, for guests after a third of the time', async () => {
  const [client, guest, other] = [newClient(), newGuest(), newClient()]
  const offer = await reserved()
  const mine = await put(client, offer, 6)
  const { ReservedUntil } = mine.Items[0].PurchaseRestrictions
  equal(new Date(ReservedUntil).getTime() - new Date(mine.UpdatedAt).getTime(), 30 * 60_000)
  equal(mine.Items[0].PurchaseRestrictions.AvailableQuantity, 10)
  const theirs = await put(guest, offer, 3)
  equal(
    new Date(theirs.Items[0].PurchaseRestrictions.ReservedUntil).getTime() -
      new Date(theirs.UpdatedAt).getTime(),
    10 * 60_000,
  )
  equal(theirs.Items[0].PurchaseRestrictions.AvailableQuantity, 4)
  equal(await availableTo(other, offer), 1)
  const untilOf = async (buyer: BuyerName) => (await view(buyer)).Items[0].PurchaseRestrictions.ReservedUntil
  await advance('PT10M1S')
  equal(await availableTo(other, offer), 4)
  deepEqual([await untilOf(guest), await untilOf(client)], [null, ReservedUntil])
  await advance('PT20M')
  equal(await availableTo(other, offer), 10)
  equal(await untilOf(client), null)
})

test('64 concurrent buyers of the last 10 units reserve exactly 10', async () => {
  const offer = await reserved()
  const buyers = times(64, newClient)
  const replies = await Promise.all(buyers.map((it) => add(it, offer)))
  deepEqual(statuses(replies), { 200: 10, 422: 54 })
  const [{ units }] = (await shop.app.shops.test.db
    .read()
    .all<{ units: number }>(`select sum(quantity) as units from cart_items where offer_id = $1`, [
      offer,
    ])) as [{ units: number }]
  equal(units, 10)
})

test('one buyer can reserve only a few lines', async () => {
  const guest = newGuest()
  const offers = await Promise.all(times(7, () => reserved({ quantity: 3, price: 1 })))
  for (const it of offers) await put(guest, it, 3)
  const lines = (await view(guest)).Items.map(
    (it: { PurchaseRestrictions: { ReservedUntil: string | null } }) =>
      it.PurchaseRestrictions.ReservedUntil !== null,
  )
  deepEqual(lines, [true, true, true, true, true, false, false])
  equal((await add(newClient(), offers[6]!, 3)).status, 200)
  assertRefused('stock_exceeded', await add(newClient(), offers[0]!, 1))
})

test('removing, clearing, lowering and merging release exactly what was reserved, once', async () => {
  const offer = await reserved()
  const [buyer, watcher] = [newClient(), newClient()]
  const left = () => availableTo(watcher, offer)
  await put(buyer, offer, 6)
  equal(await left(), 4)
  await carts.setQuantity(buyer, offer, 2)
  equal(await left(), 8)
  equal((await carts.remove(buyer, offer)).status, 200)
  assertRefused('not_found', await carts.remove(buyer, offer))
  equal(await left(), 10)
  await put(buyer, offer, 5)
  for (const _ of [1, 2]) await call('DELETE', `${items}?${queryOf(buyer)}`)
  equal(await left(), 10)
  const guest = newGuest()
  await put(guest, offer, 3)
  const merged = await carts.merge(guest.SessionId, buyer.ClientId)
  equal(merged.body.data.Items[0].Quantity, 3)
  equal(await left(), 7)
})

test('a merge does not reserve units that others reserved after the reservation of the client ended', async () => {
  const offer = await reserved()
  const [client, other, guest] = [newClient(), newClient(), newGuest()]
  await put(client, offer, 6)
  await advance('PT30M1S')
  await put(other, offer, 8)
  await put(guest, offer, 2)
  const merged = await carts.merge(guest.SessionId, client.ClientId)
  equal(merged.body.data.Items[0].Quantity, 6)
  equal(merged.body.data.Items[0].PurchaseRestrictions.ReservedUntil, null)
  equal(await availableTo(newClient(), offer), 2)
})

test('stock below the reserved units changes no cart and nothing becomes negative', async () => {
  const offer = await reserved()
  const [one, two] = [newClient(), newClient()]
  await put(one, offer, 6)
  await put(two, offer, 4)
  await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { quantity: 3 } })
  for (const [buyer, quantity, available] of [
    [one, 6, 0],
    [two, 4, 0],
  ] as const) {
    const [item] = (await view(buyer)).Items
    equal(item.Quantity, quantity)
    equal(item.PurchaseRestrictions.AvailableQuantity, available)
    equal(item.PurchaseRestrictions.Reason, 'out_of_stock')
    ok(item.PurchaseRestrictions.Messages.some((it: { Code: string }) => it.Code === 'out_of_stock'))
  }
  assertRefused('stock_exceeded', await add(newClient(), offer))
})

test('a deactivated offer loses its reservations and keeps its lines', async () => {
  const offer = await reserved()
  const buyer = newClient()
  await put(buyer, offer, 6)
  await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { is_active: false } })
  await waitUntil(async () => (await view(buyer)).Items[0].PurchaseRestrictions.ReservedUntil === null)
  await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { is_active: true } })
  equal(await availableTo(newClient(), offer), 10)
  equal((await view(buyer)).Items[0].Quantity, 6)
})

test('two concurrent runs of the clean-up job end each reservation once', async () => {
  const offer = await reserved()
  await put(newClient(), offer, 2)
  await advance('PT31M')
  const { jobs } = shop.app.shops.test
  await Promise.all([jobs.runNow('tidy-reservations'), jobs.runNow('tidy-reservations')])
  const rows = await shop.app.shops.test.db
    .read()
    .all(`select 1 from cart_items where offer_id = $1 and reserved_until is not null`, [offer])
  equal(rows.length, 0)
})

test('setting the clock back ends no reservation twice and restores none', async () => {
  const offer = await reserved()
  const [buyer, other] = [newClient(), newClient()]
  await put(buyer, offer, 6)
  await advance('P1D')
  equal(await availableTo(other, offer), 10)
  await call('DELETE', '/v1/test/clock')
  await put(other, offer, 4)
  equal(await availableTo(newClient(), offer), 6)
})

test('buyers who reserve several offers in any sequence do not deadlock', async () => {
  const offers = await Promise.all(times(4, () => reserved({ quantity: 1_000 })))
  const guests = times(20, newGuest)
  for (const [at, guest] of guests.entries())
    for (const it of at % 2 ? offers : offers.toReversed()) await put(guest, it)
  const clients = times(20, newClient)
  const replies = await Promise.all(clients.map((it, at) => carts.merge(guests[at]!.SessionId, it.ClientId)))
  deepEqual(statuses(replies), { 200: 20 })
})

test('a late OfferDeactivated event after a new activation releases no later reservation', async () => {
  const { db, relay } = shop.app.shops.test
  const offer = await reserved()
  const set = (is_active: boolean) => call('PATCH', `/v1/catalog/offers/${offer}`, { body: { is_active } })
  for (const it of [false, true]) equal((await set(it)).status, 200)
  await relay.catchUp()
  const buyer = newClient()
  await put(buyer, offer, 4)
  // As if the first attempt of the reaction had failed.
  await db.transaction(async (tx) => {
    const { id } = await tx.one<{ id: string }>(
      `insert into outbox_failures (reaction, sequence, attempts, retry_at, error)
       select 'cart.release-units', sequence, 1, $1, 'x' from outbox_events
       where type = 'OfferDeactivated' and subject = $2
       returning (select event_id from outbox_events where sequence = outbox_failures.sequence) as id`,
      [tx.now, `offer/${offer}`],
    )
    await tx.all(`delete from outbox_inbox where reaction = 'cart.release-units' and event_id = $1`, [id])
  })
  await relay.catchUp()
  equal((await db.read().all(`select 1 from outbox_failures`)).length, 0)
  equal(await availableTo(newClient(), offer), 6)
})
