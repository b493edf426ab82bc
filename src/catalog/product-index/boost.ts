// What the text does not say: availability, popularity and price order rows that match alike.

import type { Region } from './indexed-product.ts'

/** Factors of a search score: unavailable products rank lower. */
const availabilityFactors = { in_stock: 1, out_of_stock: 0.7, not_offered: 0.5 }
export type Availability = keyof typeof availabilityFactors
export const availabilities = Object.keys(availabilityFactors) as Availability[]
/** Per price band: of equal matches the dearer is more likely the product, the cheaper an accessory for it. */
const priceBandBoost = 0.005
/** It changes a score by no more than this share. */
const boostShare = 0.12
const maxBoost = 1.6

/** Multiplies the scores of the rows, which are by place. */
export function boostIn(
  columns: { in: Record<Region, { boost: Float64Array }> },
  region: Region,
): (slots: Int32Array, scores: Float64Array) => void {
  return (slots, scores) => {
    const { boost } = columns.in[region]
    for (let at = 0; at < slots.length; at++) scores[at] = scores[at]! * boost[slots[at]!]!
  }
}

/** The factor of a row's score. `weight` is what popularity and the length of the name give. */
export function boostOf(weight: number, availability: Availability, priceBand: number): number {
  const boost = weight * availabilityFactors[availability] * (1 + priceBandBoost * priceBand)
  return 1 - boostShare + boostShare * Math.min(1, boost / maxBoost)
}

export function availabilityOf(
  { inStock, price }: { inStock: Uint8Array; price: Float64Array },
  slot: number,
): Availability {
  if (inStock[slot] === 1) return 'in_stock'
  return Number.isNaN(price[slot]!) ? 'not_offered' : 'out_of_stock'
}
