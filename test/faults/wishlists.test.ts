// W1 to W6: what can go wrong with wishlists.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { secretUuid } from '../../src/base/random.ts'
import { newGuest, openCarts, queryOf, statuses, times } from '../support/carts.ts'
import { browserWith, password } from '../support/client.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { ascending, openWishlists, wishlist } from '../support/wishlists.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { call } = shop
const { newClient } = openCarts(shop)
const { wish, wishModerated, unwish, merge, view, wishedBy, factsOf } = openWishlists(shop)
const { db, jobs } = shop.app.shops.test
const hour = 3_600_000
const day = 24 * hour

test('an offer that is wished for fifty times at once is on the list once, and told of once', async () => {
  for (const buyer of [newClient(), newGuest()]) {
    const offer = await stock.offer()
    const replies = await Promise.all(times(50, () => wish(buyer, offer)))
    deepEqual(statuses(replies), { 200: 50 })
    deepEqual(await wishedBy(buyer), [offer])
    const { WishlistId } = replies[0]!.body.data
    equal(new Set(replies.map((it) => it.body.data.WishlistId)).size, 1)
    deepEqual(
      (await factsOf(WishlistId)).map((it) => [it.type, it.fields['offerId']]),
      [['OfferWished', offer]],
    )
  }
})

test('fifty offers that are wished for at once are all on the list', async () => {
  const buyer = newClient()
  const offers = await Promise.all(times(50, () => stock.offer()))
  deepEqual(statuses(await Promise.all(offers.map((it) => wish(buyer, it)))), { 200: 50 })
  deepEqual(ascending(await wishedBy(buyer)), ascending(offers))
})

/** Puts wishes for offers that need not exist on a list that does. */
const fill = (WishlistId: string, count: number) =>
  db.transaction((tx) =>
    tx.all(
      `insert into cart_wishes (wishlist_id, is_moderated, offer_id, price_at_add_tiyin, was_available, added_at)
       select $1, false, 900000 + at, 100, true, $3 from generate_series(1, $2::int) at`,
      [WishlistId, count, tx.now],
    ),
  )

test('the 501st wish is refused, also when twenty race for the last place', async () => {
  const buyer = newClient()
  const [first, second] = [await stock.offer(), await stock.offer()]
  const { WishlistId } = (await wish(buyer, first)).body.data
  await fill(WishlistId, 498)
  const rivals = await Promise.all(times(20, () => stock.offer()))
  const replies = await Promise.all(rivals.map((it) => wish(buyer, it)))
  deepEqual(statuses(replies), { 200: 1, 422: 19 })
  const { violations } = refusedWith('wishlist_full', await wish(buyer, second))
  deepEqual(violations, [{ code: 'wishlist_full', limit: 500, requested: 501, remedy: { action: 'remove' } }])
  equal((await wish(buyer, first)).status, 200)
  equal((await wishedBy(buyer)).length, 500)
  equal((await unwish(buyer, first)).status, 200)
  equal((await wish(buyer, second)).status, 200)
})

test('an unknown offer is 404, and so is one that is not on the list', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  refusedWith('not_found', await wish(buyer, 999_999))
  refusedWith('not_found', await wishModerated(buyer, 999_999))
  refusedWith('not_found', await wishModerated(buyer, secretUuid()))
  equal((await view(buyer)).WishlistId, null)
  refusedWith('not_found', await unwish(buyer, offer))
  await wish(buyer, offer)
  equal((await unwish(buyer, offer)).status, 200)
  refusedWith('not_found', await unwish(buyer, offer))
  for (const id of ['0', '-1', '1e3', '01', '9223372036854775808', 'x', `${secretUuid()}0`])
    refusedWith('not_found', await unwish(buyer, id))
})

test('exactly one offer is named, by number or UUID, and nothing else is taken', async () => {
  const buyer = newClient()
  const post = (body: object) => call('POST', `${wishlist}/offers`, { body: { ...buyer, ...body } })
  for (const body of [
    {},
    { OfferId: 1, ModeratedOfferId: 1 },
    { OfferId: '1' },
    { OfferId: 1.5 },
    { OfferId: null },
    { OfferId: 1, Price: 1 },
    { ModeratedOfferId: 'x' },
  ])
    refusedWith('validation_failed', await post(body))
  refusedWith('buyer_required', await call('POST', `${wishlist}/offers`, { body: { OfferId: 1 } }))
  refusedWith(
    'buyer_required',
    await call('POST', `${wishlist}/offers`, { body: { OfferId: 1, ...buyer, ...newGuest() } }),
  )
})

test('an offer that is taken off sale stays on the list and says so, and says when it is back and cheaper', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 10_000, is_active: false })
  equal((await wish(buyer, offer)).status, 200)
  const seen = async () => {
    const [it] = (await view(buyer)).Offers
    const codes = it.PurchaseRestrictions.Messages.map((one: { Code: string }) => one.Code)
    return [it.IsAvailable, it.Price, it.PriceAtAdd, it.PurchaseRestrictions.AvailableQuantity, codes]
  }
  deepEqual(await seen(), [false, 10_000, 10_000, 0, ['offer_unavailable']])
  const change = (body: object) => call('PATCH', `/v1/catalog/offers/${offer}`, { body })
  equal((await change({ is_active: true, price_tiyin: 900_000 })).status, 200)
  deepEqual(await seen(), [true, 9_000, 10_000, 100, ['back_in_stock', 'price_lowered']])
  equal((await change({ quantity: 0 })).status, 200)
  deepEqual(await seen(), [false, 9_000, 10_000, 0, ['out_of_stock', 'price_lowered']])
})

test('a wish is shown as a line of a cart is, without a quantity', async () => {
  const buyer = newGuest()
  const offer = await stock.offer({ price: 12_000, old_price_tiyin: 1_500_000, loan_condition_ids: [3] })
  const { Offers, UpdatedAt } = (await wish(buyer, offer)).body.data
  const { Images, Title, ...rest } = Offers[0]
  ok(Images[0].MdPath && Title.length > 0)
  deepEqual(rest, {
    OfferId: offer,
    Price: 12_000,
    OldPrice: 15_000,
    Events: [],
    BnplDetails: { HasDailyPayment: false, PrepaymentAmount: null },
    LoanCondition: { Id: 3, Duration: 12, Commission: 24, MonthlyRepayment: 1_240, EventId: null },
    PurchaseRestrictions: {
      IsAvailable: true,
      AvailableQuantity: 100,
      MaxQuantity: 3,
      ReservedUntil: null,
      Messages: [],
    },
    PriceAtAdd: 12_000,
    IsAvailable: true,
    AddedAt: UpdatedAt,
  })
})

test('moderated offers have a list of their own, by number and by UUID', async () => {
  const buyer = newClient()
  const uuid = secretUuid()
  const moderated = await stock.moderatedOffer({ uuid })
  const pending = await stock.moderatedOffer({ status: 'pending' })
  const twin = await stock.offer({ id: moderated + 5_000_000 })
  await wishModerated(buyer, uuid)
  await wishModerated(buyer, moderated)
  await wishModerated(buyer, pending)
  await wish(buyer, twin)
  const list = await view(buyer)
  deepEqual(
    list.ModeratedOffers.map((it: Record<string, unknown>) => [
      it['ModeratedOfferId'],
      it['ModerationStatus'],
    ]),
    [
      [pending, 'pending'],
      [moderated, 'approved'],
    ],
  )
  equal(list.ModeratedOffers[1].ModeratedOfferUuid, uuid)
  equal(list.Offers.length, 1)
  for (const status of ['draft', 'rejected'])
    refusedWith('offer_unavailable', await wishModerated(buyer, await stock.moderatedOffer({ status })))
  refusedWith('not_found', await unwish(buyer, moderated))
  equal((await unwish(buyer, uuid)).status, 200)
  const byName = await call('DELETE', `${wishlist}/offers?${queryOf(buyer)}&ModeratedOfferId=${pending}`)
  deepEqual(byName.body.data.ModeratedOffers, [])
  equal((await call('DELETE', `${wishlist}/offers`, { body: { ...buyer, OfferId: twin } })).status, 200)
})

let lastPhone = 0

async function signedIn() {
  const phone = `+9989012${String(++lastPhone).padStart(5, '0')}`
  const reply = await call('POST', '/v1/auth/register', {
    body: { name: 'Buyer', phone, password },
    headers: { origin: shop.url },
  })
  return browserWith(shop.url, reply)
}

test('nobody reaches the wishlist of somebody else, by whatever name', async () => {
  const me = await signedIn()
  const [other, guest] = [newClient(), newGuest()]
  const offer = await stock.offer()
  await wish(other, offer)
  await wish(guest, offer)
  for (const whose of [other, guest]) {
    const attempts = await Promise.all([
      me.call('GET', `${wishlist}?${queryOf(whose)}`),
      me.call('POST', `${wishlist}/offers`, { body: { ...whose, OfferId: offer } }),
      me.call('DELETE', `${wishlist}/offers/${offer}?${queryOf(whose)}`),
      me.call('DELETE', `${wishlist}/offers`, { body: { ...whose, OfferId: offer } }),
    ])
    for (const it of attempts) refusedWith('buyer_mismatch', it)
  }
  refusedWith(
    'buyer_mismatch',
    await me.call('POST', `${wishlist}/merge-wishlists`, { body: { ...other, ...guest } }),
  )
  const device = await shop.makeKey({ type: 'web' })
  refusedWith('buyer_mismatch', await call('GET', `${wishlist}?${queryOf(other)}`, { key: device }))
  equal((await call('GET', `${wishlist}?${queryOf(guest)}`, { key: device })).status, 200)
  deepEqual((await me.call('GET', wishlist)).body.data.Offers, [])
  const live = await call('GET', `${wishlist}?${queryOf(other)}`, { key: shop.keys.live })
  deepEqual(live.body.data.Offers, [])
  const reader = await shop.makeKey({ scopes: ['cart:read'] })
  refusedWith(
    'insufficient_permissions',
    await call('POST', `${wishlist}/offers`, { key: reader, body: { ...other, OfferId: offer } }),
  )
  deepEqual([await wishedBy(other), await wishedBy(guest)], [[offer], [offer]])
})

test('merging wishlists twice equals once, also under 20 parallel calls, and is told once', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [both, guests, clients] = [await stock.offer(), await stock.offer(), await stock.offer()]
  const moderated = await stock.moderatedOffer()
  for (const it of [both, guests]) await wish(guest, it)
  await wishModerated(guest, moderated)
  for (const it of [clients, both]) await wish(client, it)
  const replies = await Promise.all(times(20, () => merge(guest.SessionId, client.ClientId)))
  deepEqual(statuses(replies), { 200: 20 })
  deepEqual(replies.map((it) => it.body.data.Merge.Added).toSorted(), [...times(19, () => 0), 2])
  const wanted = ascending([both, guests, clients])
  deepEqual(ascending(await wishedBy(client)), wanted)
  equal((await view(client)).ModeratedOffers[0].ModeratedOfferId, moderated)
  equal((await view(guest)).WishlistId, null)
  const again = await merge(guest.SessionId, client.ClientId)
  deepEqual(again.body.data.Merge, { Added: 0, Dropped: [] })
  deepEqual(ascending(await wishedBy(client)), wanted)
  const facts = await factsOf(again.body.data.WishlistId)
  equal(facts.filter((it) => it.type === 'WishlistsMerged').length, 1)
})

test('two clients who merge one guest’s wishlist at once: exactly one gets it', async () => {
  const guest = newGuest()
  const offer = await stock.offer()
  await wish(guest, offer)
  const rivals = times(6, newClient)
  await Promise.all(rivals.map((it) => merge(guest.SessionId, it.ClientId)))
  const held = await Promise.all(rivals.map(wishedBy))
  deepEqual(held.flat(), [offer])
})

test('a merge beyond 500 keeps the client’s and the guest’s latest, and says what was dropped', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [first, last, own] = [await stock.offer(), await stock.offer(), await stock.offer()]
  await wish(guest, first)
  await wish(guest, last)
  const { WishlistId } = (await wish(client, own)).body.data
  await fill(WishlistId, 498)
  const { Merge, Offers } = (await merge(guest.SessionId, client.ClientId)).body.data
  deepEqual(Merge, { Added: 1, Dropped: [{ OfferId: first, Reason: 'wishlist_full' }] })
  equal(Offers.length, 500)
})

test('a session that nobody knows merges nothing and makes no wishlist', async () => {
  const reply = await merge(newGuest().SessionId, newClient().ClientId)
  deepEqual([reply.status, reply.body.data.WishlistId], [200, null])
})

// From here on the clock is moved.
const moveTo = async (at: Date) => {
  const seconds = Math.ceil((at.getTime() - db.clock.now().getTime()) / 1000)
  const reply = await call('POST', '/v1/test/clock', { body: { advance: `PT${seconds}S` } })
  equal(reply.status, 200, reply.text)
}

test('a wishlist of 59 days and 23 hours survives the run of 03:00, one of 60 days and 1 hour does not', async () => {
  const [old, young] = [newClient(), newGuest()]
  const offer = await stock.offer()
  const inDays = new Date(db.clock.now().getTime() + 62 * day).toISOString().slice(0, 10)
  const three = new Date(`${inDays}T03:00:00+05:00`)
  await moveTo(new Date(three.getTime() - 60 * day - hour))
  const { WishlistId } = (await wish(old, offer)).body.data
  await moveTo(new Date(three.getTime() - 60 * day + hour))
  await wish(young, offer)
  await moveTo(new Date(three.getTime() + 1_000))
  equal((await view(old)).WishlistId, null)
  deepEqual(await wishedBy(young), [offer])
  deepEqual((await factsOf(WishlistId)).at(-1)!.type, 'WishlistRemoved')
  const { last_run, cron } = (await call('GET', '/v1/admin/jobs')).body.data.jobs.find(
    (it: { name: string }) => it.name === 'clean-up-wishlists',
  )
  deepEqual([last_run.outcome, cron], ['done', '0 0 3 * * ?'])
})

test('a wish begins the 60 days anew, also one that is repeated and one that is taken back', async () => {
  const offer = await stock.offer()
  const buyers = times(3, newClient)
  for (const it of buyers) await wish(it, offer)
  await moveTo(new Date(db.clock.now().getTime() + 40 * day))
  await wish(buyers[0]!, await stock.offer())
  await wish(buyers[1]!, offer)
  await unwish(buyers[2]!, offer)
  await moveTo(new Date(db.clock.now().getTime() + 40 * day))
  deepEqual((await wishedBy(buyers[0]!)).length, 2)
  deepEqual(await wishedBy(buyers[1]!), [offer])
  ok((await view(buyers[2]!)).WishlistId)
})

test('a wishlist that somebody adds to while the clean-up runs survives, and thousands go in stretches', async () => {
  const buyer = newClient()
  const { WishlistId } = (await wish(buyer, await stock.offer())).body.data
  await jobs.close()
  await moveTo(new Date(db.clock.now().getTime() + 61 * day))
  await db.transaction(async (tx) => {
    await tx.all(`update cart_wishlists set updated_at = $2 where id = $1`, [WishlistId, tx.now])
    await jobs.runNow('clean-up-wishlists')
  })
  equal((await view(buyer)).WishlistId, WishlistId)

  await db.transaction((tx) =>
    tx.all(
      `insert into cart_wishlists (id, client_id, created_at, updated_at)
       select ('00000001-0000-7000-8000-' || lpad(at::text, 12, '0'))::uuid, 5000000 + at, $1, $1
       from generate_series(1, 2500) at`,
      [new Date(tx.now.getTime() - 90 * day)],
    ),
  )
  const other = await openPlatform({ connection: shop.connection })
  const rival = other.app.shops.test.jobs
  await Promise.all([jobs, rival].map((it) => it.runNow('clean-up-wishlists')))
  const { count } = await db
    .read()
    .one<{ count: number }>(
      `select count(*) from outbox_events where type = 'WishlistRemoved' and subject like 'wishlist/00000001-%'`,
    )
  equal(count, 2_500)
  equal((await view(buyer)).WishlistId, WishlistId)
})
