// M1 to M11: faults of merging a guest cart into the cart of a client.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { eventColumns, type EventRow, storedEventFrom } from '../../src/base/outbox.ts'
import { cloudEvent } from '../../src/webhooks/events/cloud-event.ts'
import { newGuest, openCarts, statuses, times } from '../support/carts.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const carts = openCarts(shop)
const { put, unitsOf, view, newClient, merge } = carts

test('merging is idempotent, also under 20 parallel calls, and is published once', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [both, guests, clients] = [await stock.offer(), await stock.offer(), await stock.offer()]
  await put(guest, both, 3)
  await put(guest, guests, 2)
  await put(client, both, 1)
  await put(client, clients, 1)
  const replies = await Promise.all(times(20, () => merge(guest.SessionId, client.ClientId)))
  deepEqual(statuses(replies), { 200: 20 })
  equal(replies.filter((it) => it.body.data.Merge.length > 0).length, 1)
  const wanted = { [both]: 3, [clients]: 1, [guests]: 2 }
  deepEqual(await unitsOf(client), wanted)
  const again = await merge(guest.SessionId, client.ClientId, 'sum')
  deepEqual(again.body.data.Merge, [])
  deepEqual(await unitsOf(client), wanted)
  equal((await view(guest)).CartId, null)
  const events = await carts.eventsOf(again.body.data.CartId)
  equal(events.filter((it) => it.type === 'CartsMerged').length, 1)
})

test('items that a guest adds during the merge are in the merged cart or in a new guest cart', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const offers = await Promise.all(times(12, () => stock.offer()))
  await put(guest, offers[0]!)
  await Promise.all([
    ...offers.slice(1, 6).map((it) => put(guest, it)),
    merge(guest.SessionId, client.ClientId),
    ...offers.slice(6).map((it) => put(guest, it)),
  ])
  const held = { ...(await unitsOf(guest)), ...(await unitsOf(client)) }
  deepEqual(held, Object.fromEntries(offers.map((it) => [it, 1])))
})

test('a merged quantity above the stock is reduced to the stock, and the rest is reported', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [offer, other] = [await stock.offer({ quantity: 4 }), await stock.offer()]
  await put(guest, offer, 3)
  await put(guest, other)
  await put(client, offer, 3)
  const { data } = (await merge(guest.SessionId, client.ClientId, 'sum')).body
  deepEqual(data.Merge, [
    { OfferId: offer, From: 'both', Kept: 4, Dropped: 2, Reason: 'stock_exceeded', Messages: [] },
    { OfferId: other, From: 'guest', Kept: 1, Dropped: 0, Reason: null, Messages: [] },
  ])
  deepEqual(await unitsOf(client), { [offer]: 4, [other]: 1 })
})

test('a merge that would break a limit keeps what fits and reports the rest', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [many, dear] = [await stock.offer(), await stock.offer({ price: 4_000_000 })]
  const [filling, pending] = [
    await stock.offer({ price: 48_000_000 }),
    await stock.moderatedOffer({ status: 'pending' }),
  ]
  await put(client, many, 9)
  await put(client, filling)
  await put(guest, many, 3)
  await put(guest, dear)
  equal((await carts.addModerated(guest, pending, 2)).status, 200)
  const { data } = (await merge(guest.SessionId, client.ClientId, 'sum')).body
  deepEqual(data.Merge, [
    { OfferId: many, From: 'both', Kept: 10, Dropped: 2, Reason: 'product_limit_exceeded', Messages: [] },
    { OfferId: dear, From: 'guest', Kept: 0, Dropped: 1, Reason: 'purchase_limit_exceeded', Messages: [] },
    { ModeratedOfferId: pending, From: 'guest', Kept: 2, Dropped: 0, Reason: null, Messages: [] },
  ])
  equal(data.ModeratedItems[0].Quantity, 2)
})

test('an unknown session merges nothing and creates no cart', async () => {
  const client = newClient()
  const reply = await merge(newGuest().SessionId, client.ClientId)
  equal(reply.status, 200)
  deepEqual([reply.body.data.CartId, reply.body.data.Merge], [null, []])
})

test('of two clients who merge one guest cart at once exactly one gets the items', async () => {
  for (let round = 0; round < 5; round++) {
    const guest = newGuest()
    const rivals = times(6, newClient)
    const offer = await stock.offer()
    await put(guest, offer, 3)
    for (const it of rivals.slice(3)) await put(it, await stock.offer())
    deepEqual(statuses(await Promise.all(rivals.map((it) => merge(guest.SessionId, it.ClientId)))), {
      200: 6,
    })
    const units = await Promise.all(rivals.map(async (it) => (await unitsOf(it))[offer] ?? 0))
    deepEqual(units.toSorted(), [0, 0, 0, 0, 0, 3])
  }
})

test('a line that the client removes during the merge stays removed', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [mine, guests] = [await stock.offer(), await stock.offer()]
  await put(client, mine)
  await put(guest, guests)
  const [removed] = await Promise.all([carts.remove(client, mine), merge(guest.SessionId, client.ClientId)])
  equal(removed!.status, 200)
  deepEqual(await unitsOf(client), { [guests]: 1 })
})

test('the loan condition of the client wins over that of the guest', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const offer = await stock.offer({ loan_condition_ids: [3, 4] })
  await put(guest, offer, 2, { LoanConditionId: 4 })
  await put(client, offer, 1, { LoanConditionId: 3 })
  const { data } = (await merge(guest.SessionId, client.ClientId)).body
  deepEqual([data.Items[0].Quantity, data.Items[0].LoanCondition.Id], [2, 3])
})

test('a guest line with a loan condition keeps its units when the client’s credit is full', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [owed, wanted] = [
    await stock.offer({ price: 29_900_000, loan_condition_ids: [3] }),
    await stock.offer({ price: 100_000, loan_condition_ids: [3] }),
  ]
  await put(client, owed, 1, { LoanConditionId: 3 })
  await put(guest, wanted, 3, { LoanConditionId: 3 })
  const { data } = (await merge(guest.SessionId, client.ClientId)).body
  const [merged] = data.Merge
  deepEqual([merged.Kept, merged.Dropped, merged.Reason], [3, 0, null])
  deepEqual(
    merged.Messages.map((it: { Code: string }) => it.Code),
    ['loan_condition_cleared'],
  )
  const line = data.Items.find((it: { OfferId: number }) => it.OfferId === wanted)
  deepEqual([line.Quantity, line.LoanCondition], [3, null])
})

test('the lines of a merged cart are listed in the same order by the merge and by later views', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const offers = await Promise.all(times(6, () => stock.offer()))
  for (const [at, offer] of offers.toReversed().entries()) await put(at % 2 === 0 ? guest : client, offer)
  const idsOf = (data: { Items: { OfferId: number }[] }) => data.Items.map((it) => it.OfferId)
  const before = idsOf(await view(client))
  const merged = idsOf((await merge(guest.SessionId, client.ClientId)).body.data)
  deepEqual(idsOf(await view(client)), merged)
  deepEqual(
    merged.filter((it) => before.includes(it)),
    before,
  )
})

test('a merge publishes the units that moved, each once', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [both, mine, guests] = [await stock.offer(), await stock.offer(), await stock.offer()]
  await put(client, both, 2)
  await put(client, mine)
  const { CartId: guestCartId } = await put(guest, both, 3)
  await put(guest, guests, 2)
  const { CartId } = (await merge(guest.SessionId, client.ClientId, 'max')).body.data
  const moved = (await carts.eventsOf(CartId)).filter((it) => it.fields['guestCartId'] !== undefined)
  deepEqual(
    moved.map(({ type, fields }) => [type, fields['offerId'] ?? null, fields['quantity'] ?? null]),
    [
      ['ItemAddedToCart', both, 1],
      ['ItemAddedToCart', guests, 2],
      ['CartsMerged', null, null],
    ],
  )
  deepEqual(new Set(moved.map((it) => it.fields['guestCartId'])), new Set([guestCartId]))
})

test('the session of a guest is the buyer of CartCreated, for callers with admin:read alone', async () => {
  const guest = newGuest()
  const { CartId } = await put(guest, await stock.offer())
  const [created] = await carts.eventsOf(CartId)
  equal(created!.fields['buyerId'], guest.SessionId)
  await shop.app.shops.test.relay.catchUp()
  const list = await shop.call('GET', `/v1/events?subject=cart/${CartId}`)
  equal(list.body.data.events[0].data.BuyerId, guest.SessionId, list.text)
  const [stored] = await shop.app.shops.test.db
    .read()
    .all<EventRow>(`select ${eventColumns} from outbox_events where subject = $1`, [`cart/${CartId}`])
  match(String(cloudEvent(storedEventFrom(stored!), 'test').data['BuyerId']), /^guest-[0-9a-f]{32}$/)
})

test('a session of the test environment is unknown to live', async () => {
  const guest = newGuest()
  await put(guest, await stock.offer(), 2)
  const reply = await callAt(shop.url, 'POST', '/api/cart/merge-carts', {
    key: shop.keys.live,
    body: { SessionId: guest.SessionId, ClientId: 5 },
  })
  equal(reply.status, 200)
  deepEqual([reply.body.data.CartId, reply.body.data.Merge], [null, []])
  equal(Object.keys(await unitsOf(guest)).length, 1)
})

// Moves the clock, so it is last.
test('an expired cart is not merged and not restored, before or after the clean-up', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const offer = await stock.offer()
  const { CartId } = await put(guest, offer, 2)
  await shop.app.shops.test.jobs.close()
  await shop.call('POST', '/v1/test/clock', { body: { advance: 'P14DT1S' } })
  equal((await view(guest)).CartId, null)
  deepEqual((await merge(guest.SessionId, client.ClientId)).body.data.Merge, [])
  deepEqual(await unitsOf(client), {})
  const fresh = await put(guest, offer)
  equal(fresh.Items[0].Quantity, 1)
  equal(fresh.CartId === CartId, false)
})
