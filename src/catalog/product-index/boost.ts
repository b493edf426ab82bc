// What the text does not say: availability, popularity and price order rows that match alike.

import type { Columns } from './columns.ts'
import type { Region } from './indexed-product.ts'

/** Factors of a search score: unavailable products rank lower. */
const availability = { inStock: 1, outOfStock: 0.7, notOffered: 0.5 }
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
      const unsold = Number.isNaN(price[slot]!) ? availability.notOffered : availability.outOfStock
      const available = inStock[slot] === 1 ? availability.inStock : unsold
      const boost = weight[slot]! * available * (1 + priceBandBoost * priceBand[slot]!)
      scores[slot] = scores[slot]! * (1 - boostShare + boostShare * Math.min(1, boost / maxBoost))
    }
  }
}
