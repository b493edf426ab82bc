// What the text does not say: availability, popularity and price order rows that match alike.

import type { Columns } from './columns.ts'
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

/** Multiplies the scores of the rows. */
export function boostIn(columns: Columns, region: Region): (slots: Int32Array, scores: Float64Array) => void {
  return (slots, scores) => {
    const { weight } = columns
    const { inStock, price, priceBand } = columns.in[region]
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!
      const available =
        inStock[slot] === 1
          ? availabilityFactors.in_stock
          : Number.isNaN(price[slot]!)
            ? availabilityFactors.not_offered
            : availabilityFactors.out_of_stock
      scores[slot] = scores[slot]! * boostFrom(weight[slot]!, available, priceBand[slot]!)
    }
  }
}

/** The factor of a row's score. */
export function boostOf(columns: Columns, region: Region, slot: number): number {
  const available = availabilityFactors[availabilityOf(columns, region, slot)]
  return boostFrom(columns.weight[slot]!, available, columns.in[region].priceBand[slot]!)
}

function boostFrom(weight: number, available: number, priceBand: number): number {
  const boost = weight * available * (1 + priceBandBoost * priceBand)
  return 1 - boostShare + boostShare * Math.min(1, boost / maxBoost)
}

export function availabilityOf(columns: Columns, region: Region, slot: number): Availability {
  const { inStock, price } = columns.in[region]
  if (inStock[slot] === 1) return 'in_stock'
  return Number.isNaN(price[slot]!) ? 'not_offered' : 'out_of_stock'
}
