// What the shelf is told of a product: everything by which it is found, counted and put in order.

import type { Words } from '../../http/language.ts'

export const regions = ['home', 'global'] as const
export type Region = (typeof regions)[number]

export interface ShelfItem {
  id: number
  /** From the top of the tree to its own category. */
  categoryPath: number[]
  brandId: number | null
  createdAtMs: number
  /** 0 or more; only the order matters, and by its logarithm the rank in a search. */
  popularity: number
  name: Words
  description: Words
  /** The brand's name; empty when it has none. */
  brand: string
  /** Names of `categoryPath`, in its order. */
  categoryNames: Words[]
  variants: { name: Words; attributes: Record<string, string> }[]
  /** Only what may be sold: visible and active; at its usual price. Moderated ones are approved, and no list shows them. */
  offers: ShelfOffer[]
}

export interface ShelfOffer {
  id: number
  partnerId: number
  priceTiyin: number
  oldPriceTiyin: number | null
  quantity: number
  rating: number
  regions: Region[]
  /** Sent in by a seller; it has a number of its own among such. */
  isModerated?: boolean
}

/** An offer at the price that it has now, by where its product stands. */
export type Pricing = (offer: ShelfOffer, product: Pick<ShelfItem, 'brandId' | 'categoryPath'>) => ShelfOffer

/** What stands under any of these. */
export interface Scope {
  productIds: readonly number[]
  categoryIds: readonly number[]
  brandIds: readonly number[]
  partnerIds: readonly number[]
}

/** What a product shows in a region: its best offer's price, and whether anybody there has it. */
export interface Shown {
  priceTiyin: number | null
  rating: number | null
  /** Percent off a valid old price, unrounded; 0 for none. */
  discount: number | null
  inStock: boolean
  /** What can be bought: the best of the shop's own offers in stock, and of those that sellers sent in. */
  own: ShelfOffer | undefined
  sentIn: ShelfOffer | undefined
  /** Of the two, a buyer would take the latter. */
  isSentInBetter: boolean
}

/** An old price counts when it makes the discount at least so many percent. */
const leastDiscount = 1

export function shownIn({ offers }: Pick<ShelfItem, 'offers'>, region: Region): Shown {
  let best: ShelfOffer | undefined
  let sentIn: ShelfOffer | undefined
  for (const it of offers) {
    if (!it.regions.includes(region)) continue
    if (!it.isModerated) best = best && !isBetter(it, best) ? best : it
    else if (it.quantity > 0) sentIn = sentIn && !isBetter(it, sentIn) ? sentIn : it
  }
  const own = best && best.quantity > 0 ? best : undefined
  return {
    priceTiyin: best?.priceTiyin ?? null,
    rating: best?.rating ?? null,
    discount: best ? discountOf(best) : null,
    inStock: own !== undefined,
    own,
    sentIn,
    isSentInBetter: sentIn !== undefined && (!own || isBetter(sentIn, own)),
  }
}

/** Who offers a product in a region. */
export const partnersIn = ({ offers }: Pick<ShelfItem, 'offers'>, region: Region): number[] => {
  const here = offers.filter((it) => it.regions.includes(region) && !it.isModerated)
  return [...new Set(here.map((it) => it.partnerId))].sort((a, b) => a - b)
}

/** In stock first, then the cheaper, then the better rated, then the older. */
function isBetter(one: ShelfOffer, other: ShelfOffer): boolean {
  if (one.quantity > 0 !== other.quantity > 0) return one.quantity > 0
  return (one.priceTiyin - other.priceTiyin || other.rating - one.rating || one.id - other.id) < 0
}

function discountOf({ priceTiyin, oldPriceTiyin }: ShelfOffer): number {
  if (oldPriceTiyin === null || oldPriceTiyin <= priceTiyin) return 0
  const percent = (100 * (oldPriceTiyin - priceTiyin)) / oldPriceTiyin
  return percent >= leastDiscount ? percent : 0
}
