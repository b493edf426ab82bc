// SC1 to SC10: lines of shared carts, their limits, and taking them into the own cart.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { secretUuid } from '../../src/base/random.ts'
import { newGuest, openCarts, statuses, times } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { linesOf, openSharedCarts, sharedCarts } from '../support/shared-carts.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { call } = shop
const carts = openCarts(shop)
const { newClient, put, unitsOf } = carts
const shared = openSharedCarts(shop)
const { create, look, join, add, change, remove, take, close, count, eventsOf } = shared
const { db } = shop.app.shops.test

test('concurrent adds, changes and removals of all participants are all kept', async () => {
  const creator = newClient()
  const { Id, JoinToken } = await create(creator)
  const people = [creator, ...times(4, newClient), ...times(3, newGuest)]
  for (const it of people.slice(1)) await join(it, Id, JoinToken)
  const common = await stock.offer({ quantity: 1_000 })
  const own = await Promise.all(people.map(() => stock.offer()))
  const replies = await Promise.all(
    people.flatMap((who, at) => [
      add(who, Id, { OfferId: common, Quantity: 2 }),
      add(who, Id, { OfferId: own[at] }),
      add(who, Id, { OfferId: common, Quantity: 1 }),
    ]),
  )
  deepEqual(statuses(replies), { 200: 24 })
  const { data } = (await look(creator, Id)).body
  const lines = linesOf(data)
  equal(lines.length, 16)
  equal(data.TotalItemsCount, 8 * 4)
  deepEqual(
    lines.filter(([offer]) => offer === common).map(([, quantity]) => quantity),
    times(8, () => 3),
  )
  const after = await Promise.all(
    people.map((who, at) =>
      at % 2 ? remove(who, Id, common) : change(who, Id, { OfferId: own[at], NewQuantity: 5 }),
    ),
  )
  deepEqual(statuses(after), { 200: 8 })
  equal((await look(creator, Id)).body.data.TotalItemsCount, 4 * 3 + 4 * 5 + 4)
})

test('64 parallel adds of the last 10 units into one shared cart: exactly 10 succeed', async () => {
  const [creator, friend] = [newClient(), newGuest()]
  const offer = await stock.offer({ quantity: 10 })
  const { Id, JoinToken } = await create(creator)
  await join(friend, Id, JoinToken)
  const replies = await Promise.all(times(64, (at) => add(at % 2 ? creator : friend, Id, { OfferId: offer })))
  deepEqual(statuses(replies), { 200: 10, 422: 54 })
  equal((await look(creator, Id)).body.data.TotalItemsCount, 10)
})

test('a participant changes only own lines, the creator all lines', async () => {
  const [creator, friend, guest] = [newClient(), newClient(), newGuest()]
  const [offer, uuid] = [await stock.offer({ quantity: 20 }), secretUuid()]
  const moderated = await stock.moderatedOffer({ uuid, status: 'pending' })
  const { Id, JoinToken } = await create(creator, { Items: [{ OfferId: offer, Quantity: 1 }] })
  await join(friend, Id, JoinToken)
  await join(guest, Id, JoinToken)
  await add(friend, Id, { OfferId: offer, Quantity: 4 })
  await add(guest, Id, { OfferId: offer, Quantity: 2 })
  equal(
    (await add(friend, Id, { ModeratedOfferId: moderated })).body.data.ModeratedItems[0].AddedBy,
    friend.ClientId,
  )
  const others = { OfferId: offer, NewQuantity: 1, AddedBy: creator.ClientId }
  assertRefused('not_found', await change(friend, Id, others))
  assertRefused('not_found', await remove(guest, Id, offer, `&AddedBy=${friend.ClientId}`))
  assertRefused('not_found', await remove(friend, Id, moderated))
  equal((await remove(friend, Id, uuid)).status, 200)
  assertRefused('not_found', await change(friend, Id, { OfferId: 999_999, NewQuantity: 1 }))
  const violations = assertRefused(
    'stock_exceeded',
    await change(friend, Id, { OfferId: offer, NewQuantity: 18 }),
  )
  deepEqual(violations.violations[0].remedy, { action: 'set_quantity', quantity: 17 })
  equal((await change(creator, Id, { ...others, AddedBy: 'guest-2', NewQuantity: 3 })).status, 200)
  equal((await remove(creator, Id, offer, `&AddedBy=${friend.ClientId}`)).status, 200)
  deepEqual(linesOf((await look(guest, Id)).body.data), [
    [offer, 1, creator.ClientId],
    [offer, 3, 'guest-2'],
  ])
})

test('fields, lines, units and hours of a shared cart are limited', async () => {
  const creator = newClient()
  const offer = await stock.offer({ quantity: 50_000 })
  const post = (more: object) => call('POST', sharedCarts, { body: { ...creator, Items: [], ...more } })
  for (const more of [
    { ExpiresInHours: 0 },
    { ExpiresInHours: 721 },
    { ExpiresInHours: 1.5 },
    { Title: '' },
    { Title: '   ' },
    { Title: 'x'.repeat(201) },
    { Items: [{ OfferId: offer }] },
    { Items: [{ Quantity: 1 }] },
    { Items: [{ OfferId: offer, ModeratedOfferId: 1, Quantity: 1 }] },
    { Items: [{ OfferId: offer, Quantity: 0 }] },
    { Items: times(201, () => ({ OfferId: offer, Quantity: 1 })) },
    { CreatorId: 1 },
    { Items: [{ OfferId: offer, Quantity: 1, Price: 1 }] },
  ])
    assertRefused('validation_failed', await post(more))
  assertRefused('not_found', await post({ Items: [{ OfferId: 999_999, Quantity: 1 }] }))
  const off = await stock.offer({ is_active: false })
  assertRefused('offer_unavailable', await post({ Items: [{ OfferId: off, Quantity: 1 }] }))
  const many = times(3, () => ({ OfferId: offer, Quantity: 9_999 }))
  assertRefused('product_limit_exceeded', await post({ Items: many }))
  const dear = await stock.offer({ price: 99_999_999_999, quantity: 9_999 })
  assertRefused('amount_too_large', await post({ Items: [{ OfferId: dear, Quantity: 9_999 }] }))

  const { Id } = (await post({ ExpiresInHours: 720 })).body.data
  await db.transaction((tx) =>
    tx.all(
      `insert into cart_shared_items select $1, false, 900000 + at, 0, 1, 100, $2, $2 from generate_series(1, 199) at`,
      [Id, tx.now],
    ),
  )
  const more = await Promise.all(times(5, () => stock.offer()))
  const replies = await Promise.all(more.map((it) => add(creator, Id, { OfferId: it })))
  deepEqual(statuses(replies), { 200: 1, 422: 4 })
  assertRefused('cart_full', await add(creator, Id, { OfferId: offer }))
})

test('a shared cart without items starts as a copy of the cart, which is unchanged', async () => {
  const buyer = newClient()
  const [one, two] = [await stock.offer({ loan_condition_ids: [3] }), await stock.offer()]
  await put(buyer, one, 2, { LoanConditionId: 3 })
  await put(buyer, two)
  const copy = await create(buyer, {})
  deepEqual(linesOf(copy), [
    [one, 2, buyer.ClientId],
    [two, 1, buyer.ClientId],
  ])
  equal(copy.Items[0].LoanCondition, null)
  deepEqual(await unitsOf(buyer), { [one]: 2, [two]: 1 })
  deepEqual(linesOf(await create(newClient(), {})), [])
})

test('of concurrent buyers who take a shared cart one gets all of it, and it is closed', async () => {
  const creator = newClient()
  const [offer, other] = [await stock.offer(), await stock.offer()]
  const { Id, JoinToken } = await create(creator, { Items: [{ OfferId: offer, Quantity: 2 }] })
  const friends = times(5, newClient)
  for (const it of friends) await join(it, Id, JoinToken)
  await add(friends[0]!, Id, { OfferId: offer, Quantity: 1 })
  await add(friends[1]!, Id, { OfferId: other, Quantity: 1 })
  const participants = [creator, ...friends]
  const replies = await Promise.all(participants.map((it) => take(it, Id)))
  deepEqual(statuses(replies), { 200: 1, 422: 5 })
  for (const it of replies.filter((one) => one.status === 422)) assertRefused('shared_cart_closed', it)
  const units = await Promise.all(participants.map(unitsOf))
  deepEqual(
    units.filter((it) => Object.keys(it).length > 0),
    [{ [offer]: 3, [other]: 1 }],
  )
  const winner = participants[replies.findIndex((it) => it.status === 200)]!
  const { data } = (await look(creator, Id)).body
  deepEqual([data.IsOpen, data.TakenBy], [false, winner.ClientId])
  for (const attempt of [
    add(creator, Id, { OfferId: offer }),
    change(creator, Id, { OfferId: offer, NewQuantity: 1 }),
    remove(creator, Id, offer),
    close(creator, Id),
    join(newClient(), Id, JoinToken),
  ])
    assertRefused('shared_cart_closed', await attempt)
  equal(await count(creator), 0)
  equal((await eventsOf(Id)).at(-1), 'SharedCartTaken')
})

test('taking applies the limits of the own cart, all or nothing, and reports every violation', async () => {
  const guest = newGuest()
  const [many, few, dear] = [
    await stock.offer(),
    await stock.offer({ quantity: 4 }),
    await stock.offer({ price: 6_000_000 }),
  ]
  const { Id, JoinToken } = await create(guest, {
    Items: [
      { OfferId: many, Quantity: 4 },
      { OfferId: dear, Quantity: 1 },
    ],
  })
  const friend = newClient()
  await join(friend, Id, JoinToken)
  equal((await add(friend, Id, { OfferId: few, Quantity: 2 })).status, 200)
  await put(guest, few, 3)
  const { violations } = assertRefused('stock_exceeded', await take(guest, Id))
  deepEqual(
    violations.map((it: { code: string; offer_id?: number }) => [it.code, it.offer_id]),
    [
      ['stock_exceeded', few],
      ['guest_limit_exceeded', many],
      ['guest_limit_exceeded', few],
      ['guest_limit_exceeded', undefined],
    ],
  )
  deepEqual(await unitsOf(guest), { [few]: 3 })
  equal((await look(guest, Id)).body.data.IsOpen, true)
  const taken = await take(friend, Id)
  equal(taken.status, 200, taken.text)
  deepEqual(await unitsOf(friend), { [many]: 4, [few]: 2, [dear]: 1 })
})

test('unavailable offers are not taken and are reported', async () => {
  const buyer = newClient()
  const [good, gone] = [await stock.offer(), await stock.offer()]
  const { Id } = await create(buyer, {
    Items: [
      { OfferId: good, Quantity: 1 },
      { OfferId: gone, Quantity: 2 },
    ],
  })
  await call('PATCH', `/v1/catalog/offers/${gone}`, { body: { is_active: false } })
  const { data } = (await look(buyer, Id)).body
  equal(data.Items[1].PurchaseRestrictions.IsAvailable, false)
  equal(data.TotalItemsCount, 1)
  const taken = (await take(buyer, Id)).body.data
  deepEqual(taken.Skipped, [{ OfferId: gone, Quantity: 2, Reason: 'offer_unavailable' }])
  deepEqual(await unitsOf(buyer), { [good]: 1 })
  const empty = await create(buyer, { Items: [] })
  assertRefused('cart_empty', await take(buyer, empty.Id))
})

test('a shared cart that was copied from the own cart is not added to it again', async () => {
  const [creator, friend] = [newClient(), newGuest()]
  const [one, two] = [await stock.offer(), await stock.offer()]
  await put(creator, one, 2)
  const { Id, JoinToken } = await create(creator, {})
  await join(friend, Id, JoinToken)
  for (const OfferId of [one, two]) equal((await add(friend, Id, { OfferId })).status, 200)
  const taken = await take(creator, Id)
  equal(taken.status, 200, taken.text)
  deepEqual(await unitsOf(creator), { [one]: 3, [two]: 1 })
})

test('taking a shared cart adds what the own cart lost or never had', async () => {
  const creator = newClient()
  const offer = await stock.offer()
  await put(creator, offer, 1)
  const { Id } = await create(creator, { Items: [{ OfferId: offer, Quantity: 3 }] })
  equal((await take(creator, Id)).status, 200)
  deepEqual(await unitsOf(creator), { [offer]: 3 })
})
