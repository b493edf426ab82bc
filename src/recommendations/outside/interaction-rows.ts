import type { Database } from '../../base/db.ts'
import { productsOfOffers } from '../../catalog/index.ts'
import { worth } from '../behaviour/interaction.ts'
import { type DeedPlace, deedsAfter } from '../store/training-data.ts'
import type { Cell, Rows } from './written-rows.ts'

const pageSize = 2_000
const columns = ['buyer', 'product_id', 'offer_id', 'kind', 'weight', 'at'] as const

export interface Period {
  from?: Date
  to?: Date
}

/**
 * What buyers did, in the order of time, under the names that they are known by now. Deeds with offers that nobody knows
 * are left out.
 */
export const interactionRows = (db: Database, period: Period): Rows => ({
  columns,
  batches: batches(db, period),
})

async function* batches(db: Database, period: Period): AsyncGenerator<Cell[][], void> {
  let after: DeedPlace | undefined
  do {
    const deeds = await deedsAfter(db.read(), { ...period, after, limit: pageSize })
    const productOf = await productsOfOffers(db.read(), [...new Set(deeds.map((it) => it.offer))])
    yield deeds.flatMap(({ known, offer, kind, at }): Cell[][] => {
      const productId = productOf.get(offer)
      return productId === undefined ? [] : [[known, productId, offer, kind, worth[kind], at.toISOString()]]
    })
    after = deeds.length < pageSize ? undefined : deeds.at(-1)
  } while (after)
}
