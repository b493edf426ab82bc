// Short histories of two or three concurrent operations around one offer, checked against the sequential model. They race
// first adds, merges, deletions, wishlists, orders and stock.

import { hourMs } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import type { Buyer } from '../../src/base/buyer.ts'
import type { Database, Tx } from '../../src/base/database.ts'
import { firstUuidAt } from '../../src/base/random.ts'
import { addItems } from '../../src/cart/carts/add-items.ts'
import type { Cart, LineKey } from '../../src/cart/carts/cart.ts'
import { changeLine, clearCart, removeCart, removeItem } from '../../src/cart/carts/change-items.ts'
import { removeUnchanged } from '../../src/cart/carts/clean-up-store.ts'
import { cartSettings, paymentMethods } from '../../src/cart/index.ts'
import { mergeCarts } from '../../src/cart/merging/merge-carts.ts'
import {
  addToWishlist,
  mergeWishlists,
  removeFromWishlist,
} from '../../src/cart/wishlists/change-wishlist.ts'
import { adjustStock } from '../../src/catalog/stock/move-stock.ts'
import { recordKinds } from '../../src/catalog/index.ts'
import { placeOrders } from '../../src/orders/placing/place-orders.ts'
import { type Chance, chanceOf } from './chance.ts'
import { type BuyerName, buyerNames, legalOrder, type Operation, type Reply, type State } from './model.ts'
import { race } from './race.ts'

export class IllegalHistory extends Error {}

const settings = cartSettings(readConfig({}))
const stockAtStart = 3

/** A database, and a clock that only the histories move. */
export interface HistoryShop {
  db: Database
  pass(ms: number): void
}

/** The buyers and the offer of one history; no other history uses them. */
interface Cast {
  offer: LineKey
  buyers: Record<BuyerName, Buyer>
}

/** Runs the history of a seed; throws when no order of its operations explains it. */
export async function runCartHistory(
  shop: HistoryShop,
  { seed, theme: name, sql }: { seed: number; theme: ThemeName; sql: (sql: string) => string },
): Promise<void> {
  const { db } = shop
  const chance = chanceOf(seed)
  const theme = themes[name]
  const isReserved = name === 'reservations'
  const cast = await castOf(db, { isReserved })
  const start = { carts: startUnits(chance, name), listed: startLists(chance) }
  await prepare(db, cast, start)
  // Carts from before this moment are old enough for the clean-up. Reservations must not end.
  const since = db.clock.now()
  if (!isReserved) shop.pass(hourMs)
  const ids = await cartIds(db, cast)
  const operations = Array.from({ length: 2 + chance.below(2) }, () => theme(chance))
  const before = await stateOf(db, cast, isReserved)
  const pauses = operations.map(() => 1 + chance.below(5))
  const works = operations.map((it) => (tx: Tx) => perform(tx, it, { cast, since, ids }))
  const results = await race({ db, sql, pauses }, works)
  const replies = results.map((it): Reply => (it.kind === 'done' ? it.value : 'refused'))
  const after = await stateOf(db, cast, isReserved)
  if (!legalOrder({ before, operations, replies, after }))
    throw new IllegalHistory(
      `${name}, seed ${seed}: no order explains ${JSON.stringify({ before, operations, replies, after })}`,
    )
}

type Theme = (chance: Chance) => Operation

const clients = ['anna', 'bek'] as const
const someUnits = (chance: Chance) => 1 + chance.below(2)
const add = (chance: Chance, buyer: BuyerName): Operation => ({
  kind: 'add',
  buyer,
  units: someUnits(chance),
})

/** One buyer from several devices. */
const oneCart: Theme = (chance) =>
  chance.pick<Operation>([
    add(chance, 'anna'),
    add(chance, 'anna'),
    { kind: 'order', buyer: 'anna' },
    { kind: 'order', buyer: 'anna' },
    { kind: 'remove', buyer: 'anna' },
    { kind: 'set', buyer: 'anna', units: someUnits(chance) },
    { kind: 'set', buyer: 'anna', units: someUnits(chance) },
    { kind: 'clear', buyer: 'anna' },
  ])
const guestCart: Theme = (chance) =>
  chance.pick<Operation>([
    add(chance, 'guest'),
    { kind: 'remove', buyer: 'guest' },
    { kind: 'set', buyer: 'guest', units: someUnits(chance) },
    { kind: 'clear', buyer: 'guest' },
    { kind: 'order', buyer: 'guest' },
  ])
const merges: Theme = (chance) =>
  chance.pick<Operation>([
    { kind: 'merge', client: chance.pick(clients), strategy: chance.pick(['sum', 'max'] as const) },
    { kind: 'merge', client: 'anna', strategy: 'sum' },
    add(chance, 'guest'),
    add(chance, 'anna'),
    { kind: 'order', buyer: 'anna' },
    { kind: 'order', buyer: 'guest' },
  ])
const deletions: Theme = (chance) =>
  chance.pick<Operation>([
    { kind: 'clean-up' },
    { kind: 'clean-up' },
    { kind: 'drop-cart', buyer: 'anna' },
    add(chance, chance.pick(buyerNames)),
    { kind: 'order', buyer: 'anna' },
    { kind: 'merge', client: 'anna', strategy: 'sum' },
  ])
const wishlists: Theme = (chance) =>
  chance.pick<Operation>([
    { kind: 'list', buyer: chance.pick(['anna', 'guest'] as const) },
    { kind: 'unlist', buyer: chance.pick(['anna', 'guest'] as const) },
    { kind: 'merge-wishlists', client: chance.pick(clients) },
    { kind: 'merge-wishlists', client: 'anna' },
  ])
const sales: Theme = (chance) =>
  chance.pick<Operation>([
    { kind: 'order', buyer: chance.pick(buyerNames) },
    { kind: 'order', buyer: chance.pick(clients) },
    { kind: 'adjust', units: chance.pick([-3, -2, -1, 2]) },
    { kind: 'adjust', units: -2 },
  ])
const reservations: Theme = (chance) =>
  chance.pick<Operation>([
    add(chance, 'anna'),
    add(chance, 'bek'),
    { kind: 'order', buyer: chance.pick(clients) },
  ])

export const themes = { oneCart, guestCart, merges, deletions, wishlists, sales, reservations }
export type ThemeName = keyof typeof themes

/** A cart without units does not exist, so that first adds race too. In sales, two carts want more than there is. */
function startUnits(chance: Chance, name: ThemeName): Record<BuyerName, number> {
  if (name === 'sales') return { anna: 2, bek: 2, guest: 2 }
  if (name === 'reservations') return { anna: chance.below(2), bek: 0, guest: 0 }
  const units = () => (chance.percent(35) ? 0 : 1 + chance.below(2))
  return { anna: units(), bek: units(), guest: units() }
}

const startLists = (chance: Chance): Record<BuyerName, boolean> => ({
  anna: chance.percent(40),
  bek: false,
  guest: chance.percent(60),
})

interface Scene {
  cast: Cast
  since: Date
  ids: ReadonlyMap<string, BuyerName>
}

async function perform(tx: Tx, operation: Operation, { cast, since, ids }: Scene): Promise<Reply> {
  const { offer, buyers } = cast
  const shopperOf = (name: BuyerName) => ({ buyer: buyers[name], settings })
  const merging = (client: BuyerName) =>
    ({ guest: buyers.guest, client: buyers[client] }) as Parameters<typeof mergeWishlists>[1]
  switch (operation.kind) {
    case 'add':
      return inCart((await addItems(tx, shopperOf(operation.buyer), itemsOf(offer, operation.units))).cart)
    case 'set': {
      const wanted = { key: offer, ifMatch: undefined, change: { quantity: operation.units } }
      return inCart((await changeLine(tx, shopperOf(operation.buyer), wanted)).cart)
    }
    case 'remove':
      return inCart(
        (await removeItem(tx, shopperOf(operation.buyer), { key: offer, ifMatch: undefined })).cart,
      )
    case 'clear':
      return inCart((await clearCart(tx, shopperOf(operation.buyer), { ifMatch: undefined })).cart)
    case 'order': {
      const { orders } = await placeOrders(tx, shopperOf(operation.buyer), checkout)
      return { units: orders.flatMap((it) => it.lines).reduce((sum, it) => sum + it.quantity, 0) }
    }
    case 'drop-cart':
      await removeCart(tx, (buyers[operation.buyer] as { clientId: number }).clientId)
      return 'ok'
    case 'merge': {
      const given = { ...merging(operation.client), strategy: operation.strategy }
      return inCart((await mergeCarts(tx, settings, given)).priced.cart)
    }
    case 'clean-up': {
      const range = { after: undefined, until: firstUuidAt(new Date(since.getTime() + 1)) }
      const { removed } = await removeUnchanged(tx, range, since)
      return { removed: removed.map((it) => ids.get(it) ?? 'guest').toSorted() }
    }
    case 'adjust':
      await adjustStock(tx, { kind: 'offer', offerId: offer.offerId, change: operation.units }, 'counted')
      return 'ok'
    case 'list':
      return onList((await addToWishlist(tx, buyers[operation.buyer], offer)).items)
    case 'unlist':
      return onList((await removeFromWishlist(tx, buyers[operation.buyer], offer)).items)
    case 'merge-wishlists':
      return onList((await mergeWishlists(tx, merging(operation.client))).list?.items ?? [])
  }
}

const inCart = (cart: Cart | undefined): Reply => ({ units: cart?.lines[0]?.quantity ?? 0 })
const onList = (items: readonly unknown[]): Reply => ({ units: items.length })
const itemsOf = (offer: LineKey, quantity: number) => ({ items: [{ ...offer, quantity }] })
const checkout = {
  method: paymentMethods.find((it) => it.id === 3)!,
  delivery: { address: null, text: 'Toshkent', choices: [] },
  contact: null,
}

let lastId = 0

async function castOf(db: Database, { isReserved }: { isReserved: boolean }): Promise<Cast> {
  const id = ++lastId
  const load = async (record: string, fields: Record<string, unknown>): Promise<void> => {
    const kind = recordKinds.find((it) => it.name === record)!
    const refused = await db.transaction((tx) => kind.load(tx, [fields]))
    if (refused.length > 0) throw new Error(`${record}: ${JSON.stringify(refused)}`)
  }
  await db.transaction((tx) => tx.all(`delete from cart_carts`))
  await db.transaction((tx) => tx.all(`delete from cart_wishlists`))
  await load('category', { id: 1, slug: 'phones', name: { ru: 'Телефоны' } })
  await load('partner', { id: 1, slug: 'partner', name: 'Partner' })
  await load('product', { id, category_id: 1, slug: `product-${id}`, name: { ru: `Товар ${id}` } })
  await load('offer', {
    id,
    product_id: id,
    partner_id: 1,
    price_tiyin: 100_000,
    quantity: stockAtStart,
    reservation_minutes: isReserved ? 600 : null,
  })
  return {
    offer: { isModerated: false, offerId: id },
    buyers: {
      anna: { kind: 'client', clientId: 2 * id },
      bek: { kind: 'client', clientId: 2 * id + 1 },
      guest: { kind: 'guest', sessionId: `session-of-history-${id}` },
    },
  }
}

async function prepare(
  db: Database,
  { offer, buyers }: Cast,
  { carts, listed }: Pick<State, 'carts' | 'listed'>,
): Promise<void> {
  for (const name of buyerNames) {
    const buyer = buyers[name]
    if (carts[name] > 0)
      await db.transaction((tx) => addItems(tx, { buyer, settings }, itemsOf(offer, carts[name])))
    if (listed[name]) await db.transaction((tx) => addToWishlist(tx, buyer, offer))
  }
}

const ownerOf = ({ buyers }: Cast, row: { clientId: number | null; sessionId: string | null }) =>
  buyerNames.find((it) => {
    const buyer = buyers[it]
    return buyer.kind === 'client' ? buyer.clientId === row.clientId : buyer.sessionId === row.sessionId
  })!

async function cartIds(db: Database, cast: Cast): Promise<Map<string, BuyerName>> {
  const rows = await db
    .read()
    .all<{ id: string; clientId: number | null; sessionId: string | null }>(
      `select id, client_id as "clientId", session_id as "sessionId" from cart_carts`,
    )
  return new Map(rows.map((it) => [it.id, ownerOf(cast, it)]))
}

/** The state in the database, read with statements other than those of the shop. */
async function stateOf(db: Database, cast: Cast, isReserved: boolean): Promise<State> {
  const read = db.read()
  const held = await read.all<{ clientId: number | null; sessionId: string | null; units: number }>(
    `select client_id as "clientId", session_id as "sessionId", sum(quantity) as units
     from cart_carts join cart_items on cart_id = cart_carts.id group by 1, 2`,
  )
  const listedRows = await read.all<{ clientId: number | null; sessionId: string | null }>(
    `select client_id as "clientId", session_id as "sessionId"
     from cart_wishlists join cart_wishlist_items on wishlist_id = cart_wishlists.id`,
  )
  const { offerId } = cast.offer
  const figures = await read.one<Pick<State, 'stock' | 'sold' | 'mergedCarts' | 'mergedWishlists'>>(
    `select (select quantity from catalog_offers where id = $1) as stock,
       coalesce((select sum(quantity) from orders_lines where offer_id = $1 and not is_moderated), 0) as sold,
       (select count(*) from outbox_events where type = 'CartsMerged') as "mergedCarts",
       (select count(*) from outbox_events where type = 'WishlistsMerged') as "mergedWishlists"`,
    [offerId],
  )
  const unitsOf = (name: BuyerName) => held.find((it) => ownerOf(cast, it) === name)?.units ?? 0
  return {
    ...figures,
    isReserved,
    carts: { anna: unitsOf('anna'), bek: unitsOf('bek'), guest: unitsOf('guest') },
    listed: {
      anna: listedRows.some((it) => ownerOf(cast, it) === 'anna'),
      bek: listedRows.some((it) => ownerOf(cast, it) === 'bek'),
      guest: listedRows.some((it) => ownerOf(cast, it) === 'guest'),
    },
    changed: [],
  }
}
