// Puts a cart and all that it is judged by together: for showing, from what this process remembers; for changing, under
// the cart's lock and with the offers in question read afresh.

import type { Reader, Tx } from '../base/db.ts'
import type { MemoryKind } from '../base/memory.ts'
import { publish } from '../base/outbox.ts'
import * as catalog from '../catalog/index.ts'
import type { OfferSheet } from '../catalog/index.ts'
import { refuseStale } from '../http/version.ts'
import { type Cart, keyOf, type Line, type LineKey } from './cart.ts'
import { cartCreated, cartRemoved } from './facts.ts'
import { type KeptLimits, spentNothing } from './limits.ts'
import { type Entry, type Parties, type Purchase, purchaseOf } from './purchase.ts'
import { expiryOf, type Shopper } from './shopper.ts'
import * as store from './store/carts.ts'
import { lockReservations, reservedByOthers } from './store/items.ts'
import { findLimits } from './store/limits.ts'

/** A cart, if the buyer has one, and the purchase that it would make. */
export interface Basket<C extends Cart | undefined = Cart | undefined> {
  cart: C
  purchase: Purchase
  shelf: Shelf
}

export type Sheets = Map<string, OfferSheet>

/** What is known of offers, by their keys. Offers without reservations have nothing reserved. */
export interface Shelf {
  sheets: Sheets
  reserved: Map<string, number>
}

const noShelf: Shelf = { sheets: new Map(), reserved: new Map() }

/** A line beside its offer, as the shelf knows it. */
export function entryFrom({ sheets, reserved }: Shelf, line: Line): Entry {
  const offer = sheets.get(keyOf(line))
  const availableUnits = Math.max(0, (offer?.quantity ?? 0) - (reserved.get(keyOf(line)) ?? 0))
  return { line, offer, availableUnits }
}

const limitsMemory: MemoryKind<KeptLimits> = {
  max: 1,
  subjects: () => ['limits'],
  touches: (event) => (event.type === 'LimitsChanged' ? ['limits'] : []),
}

/** The limits that hold; a change reaches every process within a second. */
export const limitsNow = async (read: Reader): Promise<KeptLimits> =>
  (await read.recall(limitsMemory, [0], async () => new Map([[0, await findLimits(read)]]))).get(0)!

/** The buyer's cart as it is shown: offers are at most a second old. */
export async function shownBasket(read: Reader, shopper: Shopper): Promise<Basket> {
  const { buyer, terms } = shopper
  const today = terms.dayOf(read.now)
  const loaded = await store.findCart(read, buyer, today)
  const [limits, shelf] = await Promise.all([
    limitsNow(read),
    shelfFor(read, loaded?.cart.lines ?? [], {
      cartIds: loaded ? [loaded.cart.id] : [],
      about: [],
      fresh: new Map(),
    }),
  ])
  // Nothing in the cart, nothing to hold against what was bought before.
  return basketOf(
    loaded?.cart,
    { ...termsAt(read, shopper), limits, spent: loaded?.spent ?? spentNothing },
    shelf,
  )
}

const termsAt = ({ environment }: Reader, { buyer, terms }: Shopper) => ({
  buyer,
  takesCards: terms.takesCards[environment],
})

const basketOf = <C extends Cart | undefined>(cart: C, parties: Parties, shelf: Shelf): Basket<C> => ({
  cart,
  purchase: purchaseOf(
    parties,
    (cart?.lines ?? []).map((it) => entryFrom(shelf, it)),
  ),
  shelf,
})

/** The basket once its cart has other lines. */
export const withLines = (basket: Basket<Cart>, lines: Line[]): Basket<Cart> =>
  basketOf({ ...basket.cart, lines }, basket.purchase, basket.shelf)

/** The basket with other lines, counted as changed. */
export const changedNow = (
  before: Basket<Cart>,
  shopper: Shopper,
  { lines, now }: { lines: Line[]; now: Date },
): Basket<Cart> =>
  withLines(
    {
      ...before,
      cart: {
        ...before.cart,
        version: before.cart.version + 1,
        updatedAt: now,
        expiresAt: expiryOf(shopper, now),
      },
    },
    lines,
  )

export interface Grip {
  /** Offers that the call is about. They are read afresh, and nobody else reserves them meanwhile. */
  about: readonly LineKey[]
  ifMatch?: number | undefined
}

/** The buyer's cart, opened on first use and counted as changed, with the offers that the call is about. */
export async function openBasket(tx: Tx, shopper: Shopper, { about, ifMatch }: Grip): Promise<Basket<Cart>> {
  const { buyer, terms } = shopper
  const [found, limits, fresh] = await gripped(tx, about, () => {
    store.openCart(tx, buyer, expiryOf(shopper, tx.now))
    return store.findCart(tx, buyer, terms.dayOf(tx.now))
  })
  const { cart, spent } = found ?? (await reopened(tx, shopper))
  refuseStale({ version: cart.version - 1 }, ifMatch)
  if (cart.version === 1) await publish(tx, cartCreated(cart, tx.now))
  const shelf = await shelfFor(tx, cart.lines, { cartIds: [cart.id], about, fresh, tx })
  return basketOf(cart, { ...termsAt(tx, shopper), limits, spent }, shelf)
}

/** A guest whose cart has expired gets a new one; nothing of the old is revived. */
async function reopened(tx: Tx, shopper: Shopper): Promise<store.Loaded> {
  const { buyer, terms } = shopper
  if (buyer.kind === 'guest') {
    const expired = await store.deleteExpiredCart(tx, buyer.sessionId)
    if (expired) await publish(tx, cartRemoved(expired.id, 'expired', tx.now))
  }
  store.openCart(tx, buyer, expiryOf(shopper, tx.now))
  return (await store.findCart(tx, buyer, terms.dayOf(tx.now)))!
}

/** The buyer's cart under its lock, if he has one. */
export async function lockedBasket(tx: Tx, shopper: Shopper, { about, ifMatch }: Grip): Promise<Basket> {
  const { buyer, terms } = shopper
  const today = terms.dayOf(tx.now)
  const [found, limits, fresh] = await gripped(tx, about, () => {
    store.lockCart(tx, buyer)
    return store.findCart(tx, buyer, today)
  })
  refuseStale({ version: found?.cart.version ?? 0 }, ifMatch)
  if (!found) return basketOf(undefined, { ...termsAt(tx, shopper), limits, spent: spentNothing }, noShelf)
  const { cart, spent } = found
  const shelf = await shelfFor(tx, cart.lines, { cartIds: [cart.id], about, fresh, tx })
  return basketOf(cart, { ...termsAt(tx, shopper), limits, spent }, shelf)
}

/**
 * The buyer's cart under its lock and counted as changed, and the purchase of its chosen lines, or of all: their offers
 * are held, their reservations too, so that what `brokenAtOrder` finds good can be sold at these very prices.
 */
export async function orderBasket(tx: Tx, shopper: Shopper, chosen?: readonly LineKey[]): Promise<Basket> {
  const { buyer, terms } = shopper
  store.takeUpCart(tx, buyer, expiryOf(shopper, tx.now))
  const [limits, found] = await Promise.all([limitsNow(tx), store.findCart(tx, buyer, terms.dayOf(tx.now))])
  if (!found) return basketOf(undefined, { ...termsAt(tx, shopper), limits, spent: spentNothing }, noShelf)
  const wanted = chosen && new Set(chosen.map(keyOf))
  const lines = found.cart.lines.filter((it) => wanted?.has(keyOf(it)) ?? true)
  const sheets = await heldSheets(tx, lines)
  const shelf = { sheets, reserved: await reservedUnits(tx, reservableOf(sheets, lines), found.cart.id) }
  const whole = basketOf(found.cart, { ...termsAt(tx, shopper), limits, spent: found.spent }, shelf)
  return { ...whole, purchase: withLines(whole, lines).purchase }
}

/** What others have reserved of offers; nobody reserves them meanwhile. */
async function reservedUnits(tx: Tx, keys: readonly LineKey[], cartId: string): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  lockReservations(tx, keys)
  return reservedByOthers(tx, keys, [cartId])
}

/** What a call needs, in one packet: the lock goes out first, so that all the rest is read under it. */
const gripped = <T>(
  tx: Tx,
  about: readonly LineKey[],
  take: () => Promise<T>,
): Promise<[T, KeptLimits, Sheets]> =>
  tx.together(() => Promise.all([take(), limitsNow(tx), freshSheets(tx, about)]))

/** The offers as they stand in this transaction. */
export const freshSheets = async (tx: Tx, keys: readonly LineKey[]): Promise<Sheets> =>
  sheetsOf(await catalog.offersForSale(tx, wantedOf(keys)))

/** The same, held until the transaction ends. */
const heldSheets = async (tx: Tx, keys: readonly LineKey[]): Promise<Sheets> =>
  sheetsOf(await tx.together(() => catalog.offersHeld(tx, wantedOf(keys))))

/** Offers for showing, at most a second old. */
export async function shownSheets(read: Reader, keys: readonly LineKey[]): Promise<Sheets> {
  if (keys.length === 0) return new Map()
  const { ordinaryIds, moderatedIds } = wantedOf(keys)
  const [ordinary, moderated] = await Promise.all([
    catalog.offersShown(read, ordinaryIds),
    catalog.moderatedOffersShown(read, moderatedIds),
  ])
  return sheetsOf({ ordinary, moderated })
}

const wantedOf = (keys: readonly LineKey[]): catalog.WantedOffers => ({
  ordinaryIds: keys.filter((it) => !it.isModerated).map((it) => it.offerId),
  moderatedIds: keys.filter((it) => it.isModerated).map((it) => it.offerId),
})

const sheetsOf = ({ ordinary, moderated }: catalog.OffersForSale): Sheets =>
  new Map([
    ...[...ordinary].map(([offerId, it]) => [keyOf({ isModerated: false, offerId }), it] as const),
    ...[...moderated].map(([offerId, it]) => [keyOf({ isModerated: true, offerId }), it] as const),
  ])

interface Looking {
  /** Carts whose reservations are the buyer's own. */
  cartIds: string[]
  about: readonly LineKey[]
  fresh: Sheets
  /** In a transaction, nobody else reserves meanwhile what the call is about. */
  tx?: Tx
}

/** The offers of a cart's lines and of a call, and what others have reserved of them. */
export async function shelfFor(
  read: Reader,
  lines: readonly LineKey[],
  { cartIds, about, fresh, tx }: Looking,
): Promise<Shelf> {
  const asked = new Set(about.map(keyOf))
  const shown = await shownSheets(
    read,
    lines.filter((it) => !asked.has(keyOf(it))),
  )
  const sheets = new Map([...shown, ...fresh])
  const reservable = reservableOf(sheets, [...lines.filter((it) => !asked.has(keyOf(it))), ...about])
  if (reservable.length === 0) return { sheets, reserved: new Map() }
  const contested = reservable.filter((it) => asked.has(keyOf(it)))
  if (!tx || contested.length === 0)
    return { sheets, reserved: await reservedByOthers(read, reservable, cartIds) }
  // Whoever held the reservations before may have sold units that were read before he was waited for.
  const [afresh, reserved] = await tx.together(() => {
    lockReservations(tx, contested)
    return Promise.all([freshSheets(tx, contested), reservedByOthers(tx, reservable, cartIds)])
  })
  return { sheets: new Map([...sheets, ...afresh]), reserved }
}

/** Those of which a buyer can keep units from others. */
const reservableOf = (sheets: Sheets, keys: readonly LineKey[]): LineKey[] =>
  keys.filter((it) => (sheets.get(keyOf(it))?.reservationMinutes ?? null) !== null)
