// A cart beside all that it is judged by: the offers as they are now, what is left of them, and what the buyer may.

import type { Buyer } from '../base/buyer.ts'
import type { OfferSheet } from '../catalog/index.ts'
import { isSameOffer, type Line, type LineKey, maxUnitsPerLine } from './cart.ts'
import { amountAllowed, type Limits, type Spent, unitsPerOrder } from './limits.ts'

/** A line beside its offer; undefined when the offer is gone for good. */
export interface Entry {
  line: Line
  offer: OfferSheet | undefined
  /** Units that this buyer could have: the stock without what others have reserved. */
  availableUnits: number
}

/** Who buys, under which terms. */
export interface Parties {
  buyer: Buyer
  limits: Limits
  spent: Spent
  /** Whether the shop takes cards. */
  takesCards: boolean
}

export interface Purchase extends Parties {
  entries: Entry[]
  /** Counted once, so that judging many lines costs no more than their number. */
  sums: Sums
}

export interface Sums {
  /** Of lines that can be bought. May be more than a number holds exactly; a rule says so before anybody counts on it. */
  amountTiyin: number
  /** What would be owed: lines with a loan condition. */
  creditTiyin: number
  /** Units by product in all lines, whoever offers it. */
  units: ReadonlyMap<number, number>
}

export const purchaseOf = ({ buyer, limits, spent, takesCards }: Parties, entries: Entry[]): Purchase => ({
  buyer,
  limits,
  spent,
  takesCards,
  entries,
  sums: sumsOf(entries),
})

function sumsOf(entries: readonly Entry[]): Sums {
  const units = new Map<number, number>()
  let [amount, credit] = [0, 0]
  for (const entry of entries) {
    const { line, offer } = entry
    if (offer) units.set(offer.productId, (units.get(offer.productId) ?? 0) + line.quantity)
    amount += amountOf(entry)
    if (line.loanConditionId !== null) credit += amountOf(entry)
  }
  return { amountTiyin: amount, creditTiyin: credit, units }
}

/** Whether an offer can be bought at all. One that waits for moderation can be put into a cart. */
export const isForSale = (offer: OfferSheet | undefined): offer is OfferSheet =>
  offer !== undefined &&
  offer.isVisible &&
  offer.isActive &&
  (offer.moderation === null || offer.moderation.status === 'approved' || isPending(offer))

export const isPending = (offer: OfferSheet): boolean => offer.moderation?.status === 'pending'

export const entryOf = (purchase: Purchase, key: LineKey): Entry | undefined =>
  purchase.entries.find(({ line }) => isSameOffer(line, key))

export const amountOf = ({ line, offer }: Entry): number =>
  isForSale(offer) ? offer.priceTiyin * line.quantity : 0

/** The most units that a line of the purchase could hold without breaking a rule, were nothing else changed. */
export function mostUnits({ buyer, limits, spent, sums }: Purchase, entry: Entry): number {
  const { offer, line } = entry
  if (!isForSale(offer)) return 0
  const otherUnits = sums.units.get(offer.productId)! - line.quantity
  const otherAmount = sums.amountTiyin - amountOf(entry)
  const bounds = [
    maxUnitsPerLine,
    entry.availableUnits,
    unitsPerOrder(buyer, limits) - otherUnits,
    (amountAllowed(buyer, limits, spent) - otherAmount) / offer.priceTiyin,
  ]
  if (buyer.kind === 'client') {
    bounds.push(limits.productUnitsPer30Days - (spent.units.get(offer.productId) ?? 0) - otherUnits)
    if (line.loanConditionId !== null) {
      const otherCredit = sums.creditTiyin - amountOf(entry)
      bounds.push((limits.creditTiyin - spent.creditTiyin - otherCredit) / offer.priceTiyin)
    }
  }
  return Math.max(0, Math.floor(Math.min(...bounds)))
}
