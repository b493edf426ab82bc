// W1 to W6: faults of wishlists.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { secretUuid } from '../../src/base/random.ts'
import { saveWishlistItems } from '../../src/cart/wishlists/store.ts'
import { newGuest, openCarts, queryOf, statuses, times } from '../support/carts.ts'
import { browserWith, password } from '../support/client.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { ascending, openWishlists, wishlist } from '../support/wishlists.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { call } = shop
const { newClient } = openCarts(shop)
const { addToWishlist, addModeratedToWishlist, removeFromWishlist, merge, view, wishlistOfferIds, eventsOf } =
  openWishlists(shop)
const { db, jobs } = shop.app.shops.test
const hour = 3_600_000
const day = 24 * hour

test('fifty concurrent adds of one offer store it once and publish it once', async () => {
  for (const buyer of [newClient(), newGuest()]) {
    const offer = await stock.offer()
    const replies = await Promise.all(times(50, () => addToWishlist(buyer, offer)))
    deepEqual(statuses(replies), { 200: 50 })
    deepEqual(await wishlistOfferIds(buyer), [offer])
    const { WishlistId } = replies[0]!.body.data
    equal(new Set(replies.map((it) => it.body.data.WishlistId)).size, 1)
    deepEqual(
      (await eventsOf(WishlistId)).map((it) => [it.type, it.fields['offerId']]),
      [['OfferAddedToWishlist', offer]],
    )
  }
})

test('concurrent adds of fifty offers are all stored', async () => {
  const buyer = newClient()
  const offers = await Promise.all(times(50, () => stock.offer()))
  deepEqual(statuses(await Promise.all(offers.map((it) => addToWishlist(buyer, it)))), { 200: 50 })
  deepEqual(ascending(await wishlistOfferIds(buyer)), ascending(offers))
})

/** Fills a wishlist with items whose offers need not exist. */
const fill = (wishlistId: string, count: number) =>
  db.transaction(async (tx) =>
    saveWishlistItems(
      tx,
      wishlistId,
      times(count, (at) => ({
        isModerated: false,
        offerId: 900_001 + at,
        priceAtAddTiyin: 100,
        wasAvailable: true,
        addedAt: tx.now,
      })),
    ),
  )

test('the 501st item is refused, also when twenty requests compete for the last place', async () => {
  const buyer = newClient()
  const [first, second] = [await stock.offer(), await stock.offer()]
  const { WishlistId } = (await addToWishlist(buyer, first)).body.data
  await fill(WishlistId, 498)
  const rivals = await Promise.all(times(20, () => stock.offer()))
  const replies = await Promise.all(rivals.map((it) => addToWishlist(buyer, it)))
  deepEqual(statuses(replies), { 200: 1, 422: 19 })
  const { violations } = assertRefused('wishlist_full', await addToWishlist(buyer, second))
  deepEqual(violations, [{ code: 'wishlist_full', limit: 500, requested: 501, remedy: { action: 'remove' } }])
  equal((await addToWishlist(buyer, first)).status, 200)
  equal((await wishlistOfferIds(buyer)).length, 500)
  equal((await removeFromWishlist(buyer, first)).status, 200)
  equal((await addToWishlist(buyer, second)).status, 200)
})

test('an unknown offer is 404, and so is removing one that is not on the wishlist', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  assertRefused('not_found', await addToWishlist(buyer, 999_999))
  assertRefused('not_found', await addModeratedToWishlist(buyer, 999_999))
  assertRefused('not_found', await addModeratedToWishlist(buyer, secretUuid()))
  equal((await view(buyer)).WishlistId, null)
  assertRefused('not_found', await removeFromWishlist(buyer, offer))
  await addToWishlist(buyer, offer)
  equal((await removeFromWishlist(buyer, offer)).status, 200)
  assertRefused('not_found', await removeFromWishlist(buyer, offer))
  for (const id of ['0', '-1', '1e3', '01', '9223372036854775808', 'x', `${secretUuid()}0`])
    assertRefused('not_found', await removeFromWishlist(buyer, id))
})

test('a request names exactly one offer, by number or UUID, and no other fields', async () => {
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
    assertRefused('validation_failed', await post(body))
  assertRefused('buyer_required', await call('POST', `${wishlist}/offers`, { body: { OfferId: 1 } }))
  assertRefused(
    'buyer_required',
    await call('POST', `${wishlist}/offers`, { body: { OfferId: 1, ...buyer, ...newGuest() } }),
  )
})

test('an inactive offer stays on the wishlist with a flag, also when it is back and cheaper', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 10_000, is_active: false })
  equal((await addToWishlist(buyer, offer)).status, 200)
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

test('a hidden offer cannot be put on a wishlist to read its name and price', async () => {
  const buyer = newGuest()
  const hidden = await stock.offer({ is_visible: false })
  assertRefused('offer_unavailable', await addToWishlist(buyer, hidden))
  const moderated = await stock.moderatedOffer({ is_visible: false })
  assertRefused('offer_unavailable', await addModeratedToWishlist(buyer, moderated))
  const list = await view(buyer)
  deepEqual([list.Offers, list.ModeratedOffers], [[], []])
})

test('a wishlist item looks like a cart line without a quantity', async () => {
  const buyer = newGuest()
  const offer = await stock.offer({ price: 12_000, old_price_tiyin: 1_500_000, loan_condition_ids: [3] })
  const { Offers, UpdatedAt } = (await addToWishlist(buyer, offer)).body.data
  const { Images, Title, ...rest } = Offers[0]
  ok(Images[0].MdPath && Title.length > 0)
  deepEqual(rest, {
    OfferId: offer,
    Price: 12_000,
    OldPrice: 15_000,
    Events: [],
    BnplDetails: { HasDailyPayment: false, PrepaymentAmount: null },
    LoanCondition: {
      Id: 3,
      Duration: 12,
      Commission: 24,
      EarlyCommissionPercent: 100,
      MonthlyRepayment: 1_240,
      EventId: null,
    },
    LoanConditions: [
      {
        Id: 3,
        Duration: 12,
        Commission: 24,
        EarlyCommissionPercent: 100,
        MonthlyRepayment: 1_240,
        EventId: null,
      },
    ],
    PurchaseRestrictions: {
      IsAvailable: true,
      Reason: null,
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

test('moderated offers are listed separately, by number and by UUID', async () => {
  const buyer = newClient()
  const uuid = secretUuid()
  const moderated = await stock.moderatedOffer({ uuid })
  const pending = await stock.moderatedOffer({ status: 'pending' })
  const twin = await stock.offer({ id: moderated + 5_000_000 })
  await addModeratedToWishlist(buyer, uuid)
  await addModeratedToWishlist(buyer, moderated)
  await addModeratedToWishlist(buyer, pending)
  await addToWishlist(buyer, twin)
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
    assertRefused(
      'offer_unavailable',
      await addModeratedToWishlist(buyer, await stock.moderatedOffer({ status })),
    )
  assertRefused('not_found', await removeFromWishlist(buyer, moderated))
  equal((await removeFromWishlist(buyer, uuid)).status, 200)
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

test('a buyer cannot reach the wishlist of another buyer', async () => {
  const me = await signedIn()
  const [other, guest] = [newClient(), newGuest()]
  const offer = await stock.offer()
  await addToWishlist(other, offer)
  await addToWishlist(guest, offer)
  for (const whose of [other, guest]) {
    const attempts = await Promise.all([
      me.call('GET', `${wishlist}?${queryOf(whose)}`),
      me.call('POST', `${wishlist}/offers`, { body: { ...whose, OfferId: offer } }),
      me.call('DELETE', `${wishlist}/offers/${offer}?${queryOf(whose)}`),
      me.call('DELETE', `${wishlist}/offers`, { body: { ...whose, OfferId: offer } }),
    ])
    for (const it of attempts) assertRefused('buyer_mismatch', it)
  }
  assertRefused(
    'buyer_mismatch',
    await me.call('POST', `${wishlist}/merge-wishlists`, { body: { ...other, ...guest } }),
  )
  const device = await shop.makeKey({ type: 'web' })
  assertRefused('buyer_mismatch', await call('GET', `${wishlist}?${queryOf(other)}`, { key: device }))
  equal((await call('GET', `${wishlist}?${queryOf(guest)}`, { key: device })).status, 200)
  deepEqual((await me.call('GET', wishlist)).body.data.Offers, [])
  const live = await call('GET', `${wishlist}?${queryOf(other)}`, { key: shop.keys.live })
  deepEqual(live.body.data.Offers, [])
  const reader = await shop.makeKey({ scopes: ['cart:read'] })
  assertRefused(
    'insufficient_permissions',
    await call('POST', `${wishlist}/offers`, { key: reader, body: { ...other, OfferId: offer } }),
  )
  deepEqual([await wishlistOfferIds(other), await wishlistOfferIds(guest)], [[offer], [offer]])
})

test('merging wishlists is idempotent, also under 20 parallel calls, and is published once', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [both, guests, clients] = [await stock.offer(), await stock.offer(), await stock.offer()]
  const moderated = await stock.moderatedOffer()
  for (const it of [both, guests]) await addToWishlist(guest, it)
  await addModeratedToWishlist(guest, moderated)
  for (const it of [clients, both]) await addToWishlist(client, it)
  const replies = await Promise.all(times(20, () => merge(guest.SessionId, client.ClientId)))
  deepEqual(statuses(replies), { 200: 20 })
  deepEqual(replies.map((it) => it.body.data.Merge.Added).toSorted(), [...times(19, () => 0), 2])
  const wanted = ascending([both, guests, clients])
  deepEqual(ascending(await wishlistOfferIds(client)), wanted)
  equal((await view(client)).ModeratedOffers[0].ModeratedOfferId, moderated)
  equal((await view(guest)).WishlistId, null)
  const again = await merge(guest.SessionId, client.ClientId)
  deepEqual(again.body.data.Merge, { Added: 0, Dropped: [] })
  deepEqual(ascending(await wishlistOfferIds(client)), wanted)
  const events = await eventsOf(again.body.data.WishlistId)
  equal(events.filter((it) => it.type === 'WishlistsMerged').length, 1)
})

test('of two clients who merge one guest wishlist at once exactly one gets it', async () => {
  const guest = newGuest()
  const offer = await stock.offer()
  await addToWishlist(guest, offer)
  const rivals = times(6, newClient)
  await Promise.all(rivals.map((it) => merge(guest.SessionId, it.ClientId)))
  const held = await Promise.all(rivals.map(wishlistOfferIds))
  deepEqual(held.flat(), [offer])
})

test('a merge beyond 500 keeps the items of the client and the latest of the guest, and reports the dropped ones', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [first, last, own] = [await stock.offer(), await stock.offer(), await stock.offer()]
  await addToWishlist(guest, first)
  await addToWishlist(guest, last)
  const { WishlistId } = (await addToWishlist(client, own)).body.data
  await fill(WishlistId, 498)
  const { Merge, Offers } = (await merge(guest.SessionId, client.ClientId)).body.data
  deepEqual(Merge, { Added: 1, Dropped: [{ OfferId: first, Reason: 'wishlist_full' }] })
  equal(Offers.length, 500)
})

test('an unknown session merges nothing and creates no wishlist', async () => {
  const reply = await merge(newGuest().SessionId, newClient().ClientId)
  deepEqual([reply.status, reply.body.data.WishlistId], [200, null])
})

// The following tests move the clock.
const moveTo = async (at: Date) => {
  const seconds = Math.ceil((at.getTime() - db.clock.now().getTime()) / 1000)
  const reply = await call('POST', '/v1/test/clock', { body: { advance: `PT${seconds}S` } })
  equal(reply.status, 200, reply.text)
}

test('the run at 03:00 keeps a wishlist of 59 days and 23 hours and deletes one of 60 days and 1 hour', async () => {
  const [old, young] = [newClient(), newGuest()]
  const offer = await stock.offer()
  const inDays = new Date(db.clock.now().getTime() + 62 * day).toISOString().slice(0, 10)
  const three = new Date(`${inDays}T03:00:00+05:00`)
  await moveTo(new Date(three.getTime() - 60 * day - hour))
  const { WishlistId } = (await addToWishlist(old, offer)).body.data
  await moveTo(new Date(three.getTime() - 60 * day + hour))
  await addToWishlist(young, offer)
  await moveTo(new Date(three.getTime() + 1_000))
  equal((await view(old)).WishlistId, null)
  deepEqual(await wishlistOfferIds(young), [offer])
  deepEqual((await eventsOf(WishlistId)).at(-1)!.type, 'WishlistRemoved')
  const { last_run, cron } = (await call('GET', '/v1/admin/jobs')).body.data.jobs.find(
    (it: { name: string }) => it.name === 'clean-up-wishlists',
  )
  deepEqual([last_run.outcome, cron], ['done', '0 0 3 * * ?'])
})

test('adding, repeating and removing an item restart the 60 days', async () => {
  const offer = await stock.offer()
  const buyers = times(3, newClient)
  for (const it of buyers) await addToWishlist(it, offer)
  await moveTo(new Date(db.clock.now().getTime() + 40 * day))
  await addToWishlist(buyers[0]!, await stock.offer())
  await addToWishlist(buyers[1]!, offer)
  await removeFromWishlist(buyers[2]!, offer)
  await moveTo(new Date(db.clock.now().getTime() + 40 * day))
  deepEqual((await wishlistOfferIds(buyers[0]!)).length, 2)
  deepEqual(await wishlistOfferIds(buyers[1]!), [offer])
  ok((await view(buyers[2]!)).WishlistId)
})

test('a wishlist that is changed during the clean-up is kept, and thousands are deleted in batches', async () => {
  const buyer = newClient()
  const { WishlistId } = (await addToWishlist(buyer, await stock.offer())).body.data
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
