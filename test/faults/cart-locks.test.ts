// X1 and X2: concurrent calls of one buyer while the cart does not exist yet, or is deleted and created again.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Buyer } from '../../src/base/buyer.ts'
import type { Tx } from '../../src/base/database.ts'
import { lockCart, lockAndTouchCart } from '../../src/cart/carts/store.ts'
import { lockWishlist } from '../../src/cart/wishlists/store.ts'
import { timedUuid } from '../../src/base/random.ts'
import { moveCart } from '../../src/cart/index.ts'
import { lockOrder } from '../../src/orders/store.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type BuyerName, newGuest, statuses, times } from '../support/carts.ts'
import { openOrdering } from '../support/orders.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { openWishlists } from '../support/wishlists.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const wishlists = openWishlists(platform)
const { add, put, merge, unitsOf, newClient, stock } = shop
const { db } = platform.app.shops.test
const today = '2026-11-16'
const rounds = 12

const soldIn = (replies: readonly Reply[]): number =>
  replies
    .filter((it) => it.status === 201)
    .flatMap((it) => it.body.data.Orders)
    .flatMap((it: { Items: { Quantity: number }[] }) => it.Items)
    .reduce((sum, it) => sum + it.Quantity, 0)

const sum = (units: Record<string, number>): number => Object.values(units).reduce((a, b) => a + b, 0)

for (const [kind, newBuyer] of [
  ['client', newClient],
  ['guest', newGuest],
] as [string, () => BuyerName][])
  test(`a new ${kind} who adds and orders at once is sold no more units than were added`, async () => {
    const offer = await stock.offer({ quantity: 1_000_000 })
    for (let round = 0; round < rounds; round++) {
      const buyer = newBuyer()
      const [adds, orders] = await Promise.all([
        Promise.all([add(buyer, offer, 2), add(buyer, offer, 1)]),
        Promise.all(times(4, () => shop.order(buyer))),
      ])
      deepEqual(statuses(adds), { 200: 2 })
      equal(soldIn(orders) + sum(await unitsOf(buyer)), 3, `round ${round}`)
    }
  })

test('parallel merges with guest adds lose nothing and publish one CartsMerged for each guest cart', async () => {
  const offer = await stock.offer({ quantity: 1_000_000 })
  for (let round = 0; round < rounds; round++) {
    const [guest, client] = [newGuest(), newClient()]
    const [adds, merges] = await Promise.all([
      Promise.all(times(3, () => add(guest, offer))),
      Promise.all(times(4, () => merge(guest.SessionId, client.ClientId, 'sum'))),
    ])
    deepEqual({ ...statuses(adds), merges: statuses(merges) }, { 200: 3, merges: { 200: 4 } })
    equal(sum(await unitsOf(guest)) + sum(await unitsOf(client)), 3, `round ${round}`)
  }
  const merged = (await shop.events('CartsMerged')).map((it) => it.fields['guestCartId'])
  ok(merged.length > 0)
  equal(new Set(merged).size, merged.length)
})

test('parallel wishlist merges with guest adds lose nothing and publish one WishlistsMerged for each guest wishlist', async () => {
  const offers = await Promise.all(times(3, () => stock.offer()))
  for (let round = 0; round < rounds; round++) {
    const [guest, client] = [newGuest(), newClient()]
    const [adds, merges] = await Promise.all([
      Promise.all(offers.map((it) => wishlists.addToWishlist(guest, it))),
      Promise.all(times(3, () => wishlists.merge(guest.SessionId, client.ClientId))),
    ])
    deepEqual({ ...statuses(adds), merges: statuses(merges) }, { 200: 3, merges: { 200: 3 } })
    const kept = [...(await wishlists.wishlistOfferIds(guest)), ...(await wishlists.wishlistOfferIds(client))]
    deepEqual(new Set(kept), new Set(offers), `round ${round}`)
  }
  const merged = (await shop.events('WishlistsMerged')).map((it) => it.fields['guestWishlistId'])
  equal(new Set(merged).size, merged.length)
})

test('the events of a new guest who adds at once are relayed in their sequence', async () => {
  const offer = await stock.offer({ quantity: 1_000_000 })
  const guests = times(rounds, newGuest)
  await Promise.all(guests.flatMap((it) => times(3, () => add(it, offer))))
  await platform.app.shops.test.relay.catchUp()
  for (const guest of guests) {
    const { CartId } = await shop.view(guest)
    const events = await db
      .read()
      .all<{ type: string; sequence: number }>(
        `select type, sequence from outbox_events where subject = $1 order by position`,
        [`cart/${CartId}`],
      )
    deepEqual(
      events.map((it) => it.type),
      ['CartCreated', ...times(3, () => 'ItemAddedToCart')],
    )
    deepEqual(
      events,
      events.toSorted((a, b) => a.sequence - b.sequence),
    )
  }
})

/** Calls `before` between the first statement that waits for a lock and the first one after it. */
function interrupted(tx: Tx, before: () => Promise<unknown>): Tx {
  let statements = 0
  const maybe: Tx['maybe'] = async (sql, values) => {
    if (++statements === 2) await before()
    return tx.maybe(sql, values)
  }
  return { ...tx, maybe }
}

/** Whether another transaction could lock the row now. */
const isFree = (table: string, id: string | number): Promise<boolean> =>
  db.transaction(
    async (tx) =>
      (await tx.all(`select 1 from ${table} where id = $1 for update skip locked`, [id])).length > 0,
  )

interface Found {
  id: string | number
}

const reads: [name: string, table: string, read: (tx: Tx, buyer: Buyer) => Promise<Found | undefined>][] = [
  ['lockCart', 'cart_carts', (tx, buyer) => lockCart(tx, buyer, today)],
  ['lockAndTouchCart', 'cart_carts', (tx, buyer) => lockAndTouchCart(tx, buyer, { today, expiresAt: null })],
  ['lockWishlist', 'cart_wishlists', (tx, buyer) => lockWishlist(tx, buyer)],
]

for (const [name, table, read] of reads)
  test(`${name} locks what is committed after it looked for a row to lock`, async () => {
    const offer = await stock.offer()
    const { ClientId: clientId } = newClient()
    await db.transaction(async (tx) => {
      const slow = interrupted(tx, async () => {
        await put({ ClientId: clientId }, offer)
        equal((await wishlists.addToWishlist({ ClientId: clientId }, offer)).status, 200)
      })
      const found = await read(slow, { kind: 'client', clientId })
      ok(found)
      equal(await isFree(table, found.id), false)
    })
  })

test('an order that is committed after the first lookup is locked when it is read', async () => {
  const buyer = newClient()
  await put(buyer, await stock.offer())
  const { last } = await shop.read().one<{ last: number }>(`select nextval('orders_orders_id_seq') as last`)
  await db.transaction(async (tx) => {
    const slow = interrupted(tx, () => shop.ordered(buyer))
    const found = await lockOrder(slow, last + 1)
    equal(found?.id, last + 1)
    equal(await isFree('orders_orders', last + 1), false)
  })
})

test('a cart and a wishlist that are committed while two clients are merged are moved too', async () => {
  const [from, into] = [newClient().ClientId, newClient().ClientId]
  const offer = await stock.offer()
  const { promise: isInserted, resolve: inserted } = Promise.withResolvers<void>()
  const { promise: isMoving, resolve: moving } = Promise.withResolvers<void>()
  const adding = db.transaction(async (tx) => {
    const ids = [timedUuid(tx.now), timedUuid(tx.now)]
    await tx.all(`insert into cart_carts (id, client_id, created_at, updated_at) values ($1, $2, $3, $3)`, [
      ids[0],
      from,
      tx.now,
    ])
    await tx.all(
      `insert into cart_items (cart_id, is_moderated, offer_id, quantity, price_at_add_tiyin, added_at, updated_at)
       values ($1, false, $2, 2, 100, $3, $3)`,
      [ids[0], offer, tx.now],
    )
    await tx.all(
      `insert into cart_wishlists (id, client_id, created_at, updated_at) values ($1, $2, $3, $3)`,
      [ids[1], into, tx.now],
    )
    inserted()
    await isMoving
  })
  await isInserted
  const merging = db.transaction((tx) => moveCart(tx, { from, into }))
  await waitUntil(
    async () =>
      (
        await db
          .read()
          .all(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
      ).length > 0,
    { what: 'the merge waits for the uncommitted cart' },
  )
  moving()
  await Promise.all([adding, merging])
  deepEqual(await unitsOf({ ClientId: into }), { [offer]: 2 })
  deepEqual(await unitsOf({ ClientId: from }), {})
})
