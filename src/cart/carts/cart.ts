// What a cart is, how it changes, and the priced cart: a cart with all data that the rules need, which are current offers,
// available units and the buyer's limits. Pure: no clock, no SQL.

import type { Buyer } from '../../base/buyer.ts'
import type { DeletedOffer, OfferDetails } from '../../catalog/index.ts'
import { type CartCoupon, type DiscountableLine, type JudgedCoupon, judgeCoupon } from '../coupons/coupon.ts'
import { amountAllowed, type Limits, type Spent, unitsPerOrder } from '../limits/limits.ts'

/** Which offer a line holds. Ids of ordinary and of moderated offers overlap. */
export interface LineKey {
  isModerated: boolean
  offerId: number
}

/** What a buyer chooses for a line besides its units. Each has a column of its name in `cart_items`. */
export interface Choices {
  /** The condition under which the line would be paid in instalments; null for none. */
  loanConditionId: number | null
}

/** The choices of a line to which the buyer has added none. Its keys are the names of all choices. */
export const noChoices: Choices = { loanConditionId: null }

const choiceNames = Object.keys(noChoices) as (keyof Choices)[]

/** The choices of a request: undefined keeps what the line has, null clears it. */
export type GivenChoices = { [Name in keyof Choices]?: Choices[Name] | undefined }

export interface Line extends LineKey, Choices {
  quantity: number
  priceAtAddTiyin: number
  addedAt: Date
  updatedAt: Date
  /** Until when its units are reserved; null when they are not. */
  reservedUntil: Date | null
}

/** What a line of a wishlist or a shared cart has in the fields that only lines of carts use. */
export const noCartFields = { ...noChoices, reservedUntil: null } satisfies Partial<Line>

export interface Cart {
  id: string
  buyer: Buyer
  /** The application that opened it; null for none. */
  applicationId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  /** Null for clients. */
  expiresAt: Date | null
  /** Null for none. */
  couponId: number | null
  /** In the order in which they were added. */
  lines: Line[]
}

/** Units to put into a cart. */
export interface AddItem extends LineKey, GivenChoices {
  quantity: number
}

/** What a request changes of a line. */
export type LineChange = Partial<Pick<Line, 'quantity' | keyof Choices>>

export const maxLines = 200
export const maxUnitsPerLine = 9_999

export const isSameOffer = (a: LineKey, b: LineKey): boolean =>
  a.offerId === b.offerId && a.isModerated === b.isModerated

/** A key for maps and sets. */
export const keyOf = ({ isModerated, offerId }: LineKey): string => `${isModerated ? 'm' : 'o'}${offerId}`

export const lineOf = (cart: Cart, key: LineKey): Line | undefined =>
  cart.lines.find((it) => isSameOffer(it, key))

/** The choices of a request; those that it leaves out come from the line. */
const chosen = (given: GivenChoices, held: Choices): Choices =>
  pickChoices((name) => (given[name] === undefined ? held[name] : given[name]))

/** The choices of one line; those that it does not have come from another line. */
export const firstChoices = (line: Choices, other: Choices): Choices =>
  pickChoices((name) => line[name] ?? other[name])

export const hasSameChoices = (a: Choices, b: Choices): boolean =>
  choiceNames.every((name) => a[name] === b[name])

const pickChoices = (pick: <Name extends keyof Choices>(name: Name) => Choices[Name]): Choices =>
  Object.fromEntries(choiceNames.map((name) => [name, pick(name)])) as unknown as Choices

/** The lines with the units added. Units of an offer that is in the cart are added to its line, at today's price. */
export function addUnits(
  lines: readonly Line[],
  item: AddItem,
  { priceTiyin, now }: { priceTiyin: number; now: Date },
): Line[] {
  const held = lines.find((it) => isSameOffer(it, item))
  const line: Line = {
    isModerated: item.isModerated,
    offerId: item.offerId,
    quantity: item.quantity + (held?.quantity ?? 0),
    ...chosen(item, held ?? noChoices),
    priceAtAddTiyin: priceTiyin,
    addedAt: held?.addedAt ?? now,
    updatedAt: now,
    reservedUntil: held?.reservedUntil ?? null,
  }
  return held ? lines.map((it) => (it === held ? line : it)) : [...lines, line].toSorted(byAddition)
}

/** The order of lines, here and in the store: replies list the lines of a cart as a later view does. */
export const byAddition = (a: Line, b: Line): number =>
  a.addedAt.getTime() - b.addedAt.getTime() ||
  a.offerId - b.offerId ||
  Number(a.isModerated) - Number(b.isModerated)

export const replaceLine = (lines: readonly Line[], line: Line): Line[] =>
  lines.map((it) => (isSameOffer(it, line) ? line : it))

export interface PricedLine {
  line: Line
  /** Undefined when the offer was deleted. */
  offer: OfferDetails | undefined
  /** What is shown of an offer that was deleted. */
  deleted?: DeletedOffer | undefined
  /** Units available to this buyer: stock minus reservations of others. */
  availableUnits: number
}

/** A line whose offer can be bought. */
export type BuyableLine = PricedLine & { offer: OfferDetails }

/** The buyer and their limits. */
export interface BuyerLimits {
  buyer: Buyer
  limits: Limits
  spent: Spent
  /** Whether the shop takes cards. */
  takesCards: boolean
}

/** Offers by `keyOf`. An offer that is not in `reserved` has nothing reserved. */
export interface KnownOffers {
  details: Map<string, OfferDetails>
  reserved: Map<string, number>
  /** What is shown of offers that were deleted. */
  deleted?: ReadonlyMap<string, DeletedOffer>
}

export interface PricedCart<C extends Cart | undefined = Cart | undefined> extends BuyerLimits {
  /** Undefined when the buyer has no cart, and for lines that are in no cart. */
  cart: C
  lines: PricedLine[]
  totals: Totals
  offers: KnownOffers
  /** The coupon of the cart, judged for these lines; null for none. */
  coupon: JudgedCoupon | null
}

/** Of the lines that can be ordered now. */
export interface Totals {
  /** May exceed what a number holds exactly; a rule refuses that. */
  amountTiyin: number
  /** Of lines with a loan condition: what would be owed. */
  creditTiyin: number
  /** Units by product. */
  units: ReadonlyMap<number, number>
}

export const noOffers: KnownOffers = { details: new Map(), reserved: new Map() }

/** Prices a cart, or some of its lines. */
export function priceCart<C extends Cart | undefined>(
  cart: C,
  { buyer, limits, spent, takesCards }: BuyerLimits,
  {
    offers,
    lines = cart?.lines ?? [],
    coupon = null,
  }: { offers: KnownOffers; lines?: readonly Line[]; coupon?: CartCoupon | null },
): PricedCart<C> {
  const priced = lines.map((it) => pricedLine(offers, it))
  return {
    cart,
    buyer,
    limits,
    spent,
    takesCards,
    lines: priced,
    totals: totalsOf(priced),
    offers,
    coupon: judged(coupon, priced),
  }
}

const judged = (coupon: CartCoupon | null, lines: readonly PricedLine[]): JudgedCoupon | null =>
  coupon && judgeCoupon(coupon, lines.filter(isAvailable).map(discountable))

const discountable = ({ line, offer }: BuyableLine): DiscountableLine => ({
  key: keyOf(line),
  amountTiyin: offer.priceTiyin * line.quantity,
  promotionIds: offer.promotions.map((it) => it.id),
})

/** What the coupon takes off a line. */
export const lineDiscountTiyin = ({ coupon }: Pick<PricedCart, 'coupon'>, line: LineKey): number =>
  coupon?.discounts.get(keyOf(line)) ?? 0

export function pricedLine({ details, reserved, deleted }: KnownOffers, line: Line): PricedLine {
  const offer = details.get(keyOf(line))
  const availableUnits = Math.max(0, (offer?.quantity ?? 0) - (reserved.get(keyOf(line)) ?? 0))
  return { line, offer, availableUnits, ...(!offer && { deleted: deleted?.get(keyOf(line)) }) }
}

/** The same cart with other lines. */
export const withLines = (priced: PricedCart<Cart>, lines: Line[]): PricedCart<Cart> =>
  priceCart({ ...priced.cart, lines }, priced, {
    offers: priced.offers,
    coupon: priced.coupon?.coupon ?? null,
  })

/** The same buyer, limits and offers with other priced lines. */
export const withPricedLines = (priced: PricedCart, lines: PricedLine[]): PricedCart => ({
  ...priced,
  lines,
  totals: totalsOf(lines),
  coupon: judged(priced.coupon?.coupon ?? null, lines),
})

function totalsOf(lines: readonly PricedLine[]): Totals {
  const units = new Map<number, number>()
  let [amount, credit] = [0, 0]
  for (const it of lines) {
    if (!isAvailable(it)) continue
    units.set(it.offer.productId, (units.get(it.offer.productId) ?? 0) + it.line.quantity)
    amount += lineAmountTiyin(it)
    credit += lineCreditTiyin(it)
  }
  return { amountTiyin: amount, creditTiyin: credit, units }
}

/** Whether an offer can be bought at all. One that waits for moderation can be put into a cart. */
export const isForSale = (offer: OfferDetails | undefined): offer is OfferDetails =>
  offer !== undefined &&
  offer.isVisible &&
  offer.isActive &&
  (offer.moderation === null || offer.moderation.status === 'approved' || isPending(offer))

/** Why a line cannot be ordered now, in the order of the rules. Such a line stays in the cart and counts in no total. */
export const unavailableReasons = ['offer_unavailable', 'moderation_pending', 'out_of_stock'] as const
export type Unavailable = (typeof unavailableReasons)[number]

export function whyUnavailable({ offer, availableUnits }: PricedLine): Unavailable | undefined {
  if (!isForSale(offer)) return 'offer_unavailable'
  if (isPending(offer)) return 'moderation_pending'
  return availableUnits > 0 ? undefined : 'out_of_stock'
}

export const isAvailable = (it: PricedLine): it is BuyableLine => whyUnavailable(it) === undefined

/** Whether units can be put into a cart now. Those of an offer that waits for moderation can. */
export const isAddable = (it: PricedLine): it is BuyableLine => isForSale(it.offer) && it.availableUnits > 0

export const isPending = (offer: OfferDetails): boolean => offer.moderation?.status === 'pending'

export const buyableLines = (lines: readonly PricedLine[]): BuyableLine[] =>
  lines.filter((it): it is BuyableLine => isForSale(it.offer))

export const findLine = (priced: PricedCart, key: LineKey): PricedLine | undefined =>
  priced.lines.find(({ line }) => isSameOffer(line, key))

export const lineAmountTiyin = ({ line, offer }: PricedLine): number =>
  isForSale(offer) ? offer.priceTiyin * line.quantity : 0

export const lineCreditTiyin = (it: PricedLine): number =>
  it.line.loanConditionId === null ? 0 : lineAmountTiyin(it)

/** Units of the line's product: those of lines that can be ordered, and its own. */
export const productUnits = ({ totals }: PricedCart, it: BuyableLine): number =>
  (totals.units.get(it.offer.productId) ?? 0) + (whyUnavailable(it) ? it.line.quantity : 0)

/** The most units that a line could hold without breaking a rule, if nothing else changed. */
export function maxUnits({ buyer, limits, spent, totals }: PricedCart, it: PricedLine): number {
  const { offer, line } = it
  if (!isForSale(offer)) return 0
  const isCounted = isAvailable(it)
  const otherUnits = (totals.units.get(offer.productId) ?? 0) - (isCounted ? line.quantity : 0)
  const otherAmount = totals.amountTiyin - (isCounted ? lineAmountTiyin(it) : 0)
  const bounds = [
    maxUnitsPerLine,
    it.availableUnits,
    unitsPerOrder(buyer, limits) - otherUnits,
    (amountAllowed(buyer, limits, spent) - otherAmount) / offer.priceTiyin,
  ]
  if (buyer.kind === 'client') {
    bounds.push(limits.productUnitsPer30Days - (spent.units.get(offer.productId) ?? 0) - otherUnits)
    if (line.loanConditionId !== null) {
      const otherCredit = totals.creditTiyin - (isCounted ? lineCreditTiyin(it) : 0)
      bounds.push((limits.creditTiyin - spent.creditTiyin - otherCredit) / offer.priceTiyin)
    }
  }
  return Math.max(0, Math.floor(Math.min(...bounds)))
}

/** How many lines of a buyer may reserve units. Guest sessions are free to create, so guests get fewer. */
const maxReservedLines = { client: 20, guest: 5 }

/** Guests reserve for a third of the offer's time. */
const guestDivisor = 3

/**
 * Until when a line that has grown reserves its units (SPEC-2 4.6.7): a date on the line, so that whatever ends the line
 * ends the reservation; ADR 0015. Null when the offer or the buyer's number of reserved lines allows none, and when fewer
 * units are left than the line holds.
 */
export function reservedUntil(
  { line, offer, availableUnits }: PricedLine,
  { buyer, lines, now }: { buyer: Buyer; lines: readonly Line[]; now: Date },
): Date | null {
  if (offer?.reservationMinutes == null || line.quantity > availableUnits) return null
  const others = lines.filter((it) => isReserved(it, now) && !isSameOffer(it, line))
  if (others.length >= maxReservedLines[buyer.kind]) return null
  const ms = offer.reservationMinutes * 60_000
  return new Date(now.getTime() + (buyer.kind === 'guest' ? Math.ceil(ms / guestDivisor) : ms))
}

export const isReserved = (line: Line, now: Date): boolean =>
  line.reservedUntil !== null && line.reservedUntil > now
