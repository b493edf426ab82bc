// What the shelf is told of a product: everything by which it is found, counted and put in order.

import type { Words } from '../../http/language.ts'

export const regions = ['home', 'global'] as const
export type Region = (typeof regions)[number]

export interface ShelfItem {
  id: number
  /** Its category and all above it. */
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
  /** Only what may be sold: visible and active. */
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
}

/** What a product shows in a region: its best offer's price, and whether anybody there has it. */
export interface Shown {
  priceTiyin: number | null
  rating: number | null
  /** Percent off a valid old price, unrounded; 0 for none. */
  discount: number | null
  inStock: boolean
  partnerIds: number[]
}

const nothingShown: Shown = { priceTiyin: null, rating: null, discount: null, inStock: false, partnerIds: [] }

/** An old price counts when it makes the discount at least so many percent. */
const leastDiscount = 1

export function shownIn(item: ShelfItem, region: Region): Shown {
  const here = item.offers.filter((it) => it.regions.includes(region))
  const best = here.reduce<ShelfOffer | undefined>(
    (kept, it) => (kept && !isBetter(it, kept) ? kept : it),
    undefined,
  )
  if (!best) return nothingShown
  return {
    priceTiyin: best.priceTiyin,
    rating: best.rating,
    discount: discountOf(best),
    inStock: best.quantity > 0,
    partnerIds: [...new Set(here.map((it) => it.partnerId))].sort((a, b) => a - b),
  }
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
