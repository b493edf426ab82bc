// Loads a cart with all data that the rules need. To view it, offers come from this process's cache. To change it, the
// cart is locked and the affected offers are read from the database.

import type { Reader, Tx } from '../../base/database.ts'
import type { CacheKind } from '../../base/cache.ts'
import { publish } from '../../base/outbox.ts'
import * as catalog from '../../catalog/index.ts'
import type { OfferDetails } from '../../catalog/index.ts'
import { findCouponFor, lockCouponFor } from '../coupons/store.ts'
import type { CartCoupon } from '../coupons/coupon.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { type StoredLimits, spentNothing } from '../limits/limits.ts'
import { findLimits } from '../limits/store.ts'
import {
  type Cart,
  keyOf,
  type KnownOffers,
  type Line,
  type LineKey,
  noOffers,
  priceCart,
  type PricedCart,
  withLines,
} from './cart.ts'
import { cartCreated, cartRemoved } from './events.ts'
import { expiryOf, type Shopper } from './shopper.ts'
import * as store from './store.ts'
import { versionOf } from './version.ts'

type OfferDetailsByKey = KnownOffers['details']

const limitsCache: CacheKind<StoredLimits> = {
  max: 1,
  subjects: () => ['limits'],
  alsoAffects: (event) => (event.type === 'LimitsChanged' ? ['limits'] : []),
}

/** The current limits; a change reaches every process within a second. */
export const currentLimits = async (read: Reader): Promise<StoredLimits> =>
  (await read.cached(limitsCache, [0], async () => new Map([[0, await findLimits(read)]]))).get(0)!

/** The buyer's cart to be viewed: offers are at most a second old. */
export async function viewCart(read: Reader, shopper: Shopper): Promise<PricedCart> {
  const { buyer, settings } = shopper
  const loaded = await store.findCart(read, buyer, settings.dayOf(read.now))
  const [limits, offers, coupon] = await Promise.all([
    currentLimits(read),
    offersFor(read, loaded?.cart.lines ?? [], { ownCartIds: loaded ? [loaded.cart.id] : [] }),
    couponOf(read, loaded?.cart),
  ])
  // Without a cart there is nothing to check, so earlier purchases are not loaded.
  return priceCart(
    loaded?.cart,
    { ...buyerTerms(read, shopper), limits, spent: loaded?.spent ?? spentNothing },
    { offers, coupon },
  )
}

const couponOf = async (read: Reader, cart: Cart | undefined): Promise<CartCoupon | null> =>
  cart && cart.couponId !== null
    ? ((await findCouponFor(read, cart.buyer, { id: cart.couponId })) ?? null)
    : null

const buyerTerms = ({ environment }: Reader, { buyer, settings }: Shopper) => ({
  buyer,
  takesCards: settings.takesCards[environment],
})

/** The cart with new lines, the next version and a new expiry. */
export const changedCart = (
  before: PricedCart<Cart>,
  shopper: Shopper,
  { lines, now }: { lines: Line[]; now: Date },
): PricedCart<Cart> => {
  const version = before.cart.version + 1
  const cart = { ...before.cart, version, updatedAt: now, expiresAt: expiryOf(shopper, now) }
  return withLines({ ...before, cart }, lines)
}

export interface LockOptions {
  /** Offers that the request changes: read from the database and locked against other reservations. */
  about: readonly LineKey[]
  ifMatch?: IfMatch | undefined
}

/** Locks the buyer's cart and counts it as changed; creates it when there is none. */
export async function lockOrCreateCart(
  tx: Tx,
  shopper: Shopper,
  { about, ifMatch }: LockOptions,
): Promise<PricedCart<Cart>> {
  const { buyer, settings } = shopper
  const [found, limits, fresh] = await loadTogether(tx, about, () => {
    store.insertOrTouchCart(tx, buyer, {
      expiresAt: expiryOf(shopper, tx.now),
      applicationId: shopper.applicationId,
    })
    return store.findCart(tx, buyer, settings.dayOf(tx.now))
  })
  const { cart, spent } = found ?? (await replaceExpiredCart(tx, shopper))
  const offers = await offersFor(tx, cart.lines, { ownCartIds: [cart.id], about, fresh, tx })
  const coupon = await couponOf(tx, cart)
  const priced = priceCart(cart, { ...buyerTerms(tx, shopper), limits, spent }, { offers, coupon })
  requireVersion({ version: versionOf(priced, cart.version - 1) }, ifMatch)
  if (cart.version === 1) publish(tx, cartCreated(cart, tx.now))
  return priced
}

/** A guest whose cart has expired gets a new, empty one. */
async function replaceExpiredCart(tx: Tx, shopper: Shopper): Promise<store.LoadedCart> {
  const { buyer, settings } = shopper
  if (buyer.kind === 'guest') {
    const expired = await store.deleteExpiredCart(tx, buyer.sessionId)
    if (expired) publish(tx, cartRemoved(expired.id, 'expired', tx.now))
  }
  store.insertOrTouchCart(tx, buyer, {
    expiresAt: expiryOf(shopper, tx.now),
    applicationId: shopper.applicationId,
  })
  return (await store.findCart(tx, buyer, settings.dayOf(tx.now)))!
}

/** Locks the buyer's cart, if there is one. */
export async function lockCart(
  tx: Tx,
  shopper: Shopper,
  { about, ifMatch }: LockOptions,
): Promise<PricedCart> {
  const { buyer, settings } = shopper
  const today = settings.dayOf(tx.now)
  const [found, limits, fresh] = await loadTogether(tx, about, () => store.lockCart(tx, buyer, today))
  const terms = { ...buyerTerms(tx, shopper), limits, spent: found?.spent ?? spentNothing }
  const offers = found
    ? await offersFor(tx, found.cart.lines, { ownCartIds: [found.cart.id], about, fresh, tx })
    : noOffers
  const priced = priceCart(found?.cart, terms, { offers, coupon: await couponOf(tx, found?.cart) })
  requireVersion({ version: versionOf(priced) }, ifMatch)
  return priced
}

export interface OrderedLines {
  /** Undefined orders all lines. */
  chosen?: readonly LineKey[] | undefined
  ifMatch?: IfMatch | undefined
}

/**
 * Locks the buyer's cart, counts it as changed and prices the chosen lines, or all of them. Their offers and reservations
 * are locked too: what `brokenAtOrder` accepts can be sold at exactly these prices.
 */
export async function lockCartForOrder(
  tx: Tx,
  shopper: Shopper,
  { chosen, ifMatch }: OrderedLines = {},
): Promise<PricedCart> {
  const { buyer, settings } = shopper
  const expiresAt = expiryOf(shopper, tx.now)
  const [found, limits] = await Promise.all([
    store.lockAndTouchCart(tx, buyer, { today: settings.dayOf(tx.now), expiresAt }),
    currentLimits(tx),
  ])
  const terms = { ...buyerTerms(tx, shopper), limits, spent: found?.spent ?? spentNothing }
  if (!found) {
    requireVersion({ version: 0 }, ifMatch)
    return priceCart(undefined, terms, { offers: noOffers })
  }
  const { cart } = found
  const wanted = chosen && new Set(chosen.map(keyOf))
  const lines = cart.lines.filter((it) => wanted?.has(keyOf(it)) ?? true)
  const details = await lockOffers(tx, lines)
  const reserved = await lockReservedUnits(tx, reservableAmong(details, lines), cart.id)
  // Locked last: many carts share a coupon, and its row is held until the transaction ends.
  const coupon = cart.couponId === null ? null : await lockCouponFor(tx, buyer, cart.couponId)
  const priced = priceCart(cart, terms, { offers: { details, reserved }, lines, coupon })
  if (ifMatch !== undefined) requireVersion({ version: await versionBeforeOrder(tx, priced) }, ifMatch)
  return priced
}

/** The version that the buyer saw of a cart that `lockCartForOrder` has counted as changed. */
export const versionBeforeOrder = async (tx: Tx, priced: PricedCart): Promise<number> =>
  priced.cart
    ? versionOf(await withOtherLines(tx, priced, priced.cart), priced.cart.version - 1)
    : versionOf(priced)

/** The whole cart: what was locked, and the other lines as they are viewed. */
async function withOtherLines(tx: Tx, priced: PricedCart, cart: Cart): Promise<PricedCart> {
  const others = cart.lines.filter((it) => !priced.lines.some(({ line }) => line === it))
  if (others.length === 0) return priced
  const viewed = await offersFor(tx, others, { ownCartIds: [cart.id] })
  const offers = {
    details: new Map([...viewed.details, ...priced.offers.details]),
    reserved: new Map([...viewed.reserved, ...priced.offers.reserved]),
  }
  return priceCart(cart, priced, { offers, coupon: priced.coupon?.coupon ?? null })
}

/** Prices lines that are in no cart of the buyer. Offers are at most a second old, unless given. */
export async function priceLines(
  read: Reader,
  { buyer, settings }: Shopper,
  { lines, fresh = new Map() }: { lines: readonly Line[]; fresh?: OfferDetailsByKey },
): Promise<PricedCart> {
  const [limits, spent, cartId] = await Promise.all([
    currentLimits(read),
    store.findSpent(read, buyer, settings.dayOf(read.now)),
    store.findCartId(read, buyer),
  ])
  const offers = await offersFor(read, lines, { ownCartIds: cartId ? [cartId] : [], fresh })
  const terms = { buyer, limits, spent, takesCards: settings.takesCards[read.environment] }
  return priceCart(undefined, terms, { offers, lines })
}

/** Units that others have reserved. Other requests cannot reserve these offers until the transaction ends. */
async function lockReservedUnits(
  tx: Tx,
  keys: readonly LineKey[],
  cartId: string,
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  store.lockReservations(tx, keys)
  return store.reservedByOthers(tx, keys, [cartId])
}

/** Sends the cart's lock first, so that everything else in the pipeline is read under it. */
const loadTogether = <T>(
  tx: Tx,
  about: readonly LineKey[],
  lock: () => Promise<T>,
): Promise<[T, StoredLimits, OfferDetailsByKey]> =>
  tx.pipeline(() => Promise.all([lock(), currentLimits(tx), readOffers(tx, about)]))

/** The offers as this transaction sees them. */
export const readOffers = async (tx: Tx, keys: readonly LineKey[]): Promise<OfferDetailsByKey> =>
  byKey(await catalog.loadOffers(tx, idsOf(keys)))

/** The same, locked until the transaction ends. */
const lockOffers = async (tx: Tx, keys: readonly LineKey[]): Promise<OfferDetailsByKey> =>
  byKey(await tx.pipeline(() => catalog.lockOffers(tx, idsOf(keys))))

/** Offers to be viewed, at most a second old. */
export async function cachedOffers(read: Reader, keys: readonly LineKey[]): Promise<OfferDetailsByKey> {
  if (keys.length === 0) return new Map()
  const { ordinaryIds, moderatedIds } = idsOf(keys)
  const [ordinary, moderated] = await Promise.all([
    catalog.findOffers(read, ordinaryIds),
    catalog.findModeratedOffers(read, moderatedIds),
  ])
  return byKey({ ordinary, moderated })
}

const idsOf = (keys: readonly LineKey[]): catalog.OfferIds => ({
  ordinaryIds: keys.filter((it) => !it.isModerated).map((it) => it.offerId),
  moderatedIds: keys.filter((it) => it.isModerated).map((it) => it.offerId),
})

const byKey = ({ ordinary, moderated }: catalog.LoadedOffers): Map<string, OfferDetails> =>
  new Map([
    ...[...ordinary].map(([offerId, it]) => [keyOf({ isModerated: false, offerId }), it] as const),
    ...[...moderated].map(([offerId, it]) => [keyOf({ isModerated: true, offerId }), it] as const),
  ])

interface OfferSources {
  /** Carts whose reservations belong to the buyer. */
  ownCartIds: string[]
  about?: readonly LineKey[]
  fresh?: OfferDetailsByKey
  /** Given when other requests must not reserve the affected offers meanwhile. */
  tx?: Tx
}

/** The offers of lines and of a request, and the units of them that others have reserved. */
async function offersFor(
  read: Reader,
  lines: readonly LineKey[],
  { ownCartIds, about = [], fresh = new Map(), tx }: OfferSources,
): Promise<KnownOffers> {
  const asked = new Set(about.map(keyOf))
  const others = lines.filter((it) => !asked.has(keyOf(it)))
  const details = new Map([...(await cachedOffers(read, others)), ...fresh])
  const deleted = await deletedAmong(read, details, lines)
  const reservable = reservableAmong(details, [...others, ...about])
  if (reservable.length === 0) return { details, reserved: new Map(), deleted }
  const contested = reservable.filter((it) => asked.has(keyOf(it)))
  if (!tx || contested.length === 0)
    return { details, reserved: await store.reservedByOthers(read, reservable, ownCartIds), deleted }
  // The previous holder of the reservation lock may have sold units since the offers were read.
  const [reread, reserved] = await tx.pipeline(() => {
    store.lockReservations(tx, contested)
    return Promise.all([readOffers(tx, contested), store.reservedByOthers(tx, reservable, ownCartIds)])
  })
  return { details: new Map([...details, ...reread]), reserved, deleted }
}

/** What is shown of lines whose offers were deleted. */
async function deletedAmong(
  read: Reader,
  details: OfferDetailsByKey,
  lines: readonly LineKey[],
): Promise<ReadonlyMap<string, catalog.DeletedOffer>> {
  const missing = lines.filter((it) => !details.has(keyOf(it)))
  const rows = missing.length > 0 ? await catalog.findDeletedOffers(read, idsOf(missing)) : []
  return new Map(rows.map((it) => [keyOf(it), it.details]))
}

const reservableAmong = (details: OfferDetailsByKey, keys: readonly LineKey[]): LineKey[] =>
  keys.filter((it) => (details.get(keyOf(it))?.reservationMinutes ?? null) !== null)
