// Limits as an import record, which is also the body of a write.

import { type Static, Type } from 'typebox'
import type { RecordKind } from '../../base/records/record-kind.ts'
import { integer } from '../../http/schema.ts'
import { maxUnitsPerLine } from '../carts/cart.ts'
import type { Limits, StoredLimits } from './limits.ts'
import { findLimits } from './store.ts'
import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import * as store from './store.ts'

const amount = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description })
const units = (description: string) => integer(1, maxUnitsPerLine, { description })

export const limitsFields = {
  daily_amount_tiyin: amount('What a client may buy for on a business day, in tiyin.'),
  product_units_per_order: units('Units of one product in one order.'),
  product_units_per_30_days: integer(1, 1_000_000, {
    description: 'Units of one product that a client may order in thirty days.',
  }),
  credit_tiyin: amount('What a client may owe, in tiyin.'),
  guest_units_per_product: units('Units of one product in the cart of a guest.'),
  guest_amount_tiyin: amount('What the cart of a guest may cost, in tiyin.'),
  guest_authorization_tiyin: amount('Above it, a guest must sign in to order, in tiyin.'),
}

const shape = Type.Object(limitsFields, { additionalProperties: false })
export type LimitsRecord = Static<typeof shape>

// oxfmt-ignore
const names: [keyof LimitsRecord, keyof Limits][] = [
  ['daily_amount_tiyin',        'dailyAmountTiyin'],
  ['product_units_per_order',   'productUnitsPerOrder'],
  ['product_units_per_30_days', 'productUnitsPer30Days'],
  ['credit_tiyin',              'creditTiyin'],
  ['guest_units_per_product',   'guestUnitsPerProduct'],
  ['guest_amount_tiyin',        'guestAmountTiyin'],
  ['guest_authorization_tiyin', 'guestAuthorizationTiyin'],
]

export const limitsIn = (record: Partial<LimitsRecord>): Partial<Limits> =>
  Object.fromEntries(
    names.flatMap(([wire, own]) => (record[wire] === undefined ? [] : [[own, record[wire]]])),
  )

export const recordOf = (limits: Limits): LimitsRecord =>
  Object.fromEntries(names.map(([wire, own]) => [wire, limits[own]])) as LimitsRecord

/** A record sets only the limits that it contains. */
const limits: RecordKind = {
  name: 'limits',
  area: 'admin',
  shape: Type.Partial(shape, { additionalProperties: false }),
  load: async (tx, records, counts = { unchanged: 0 }) => {
    for (const record of records) {
      const { version } = await findLimits(tx)
      const after = await setLimits(tx, limitsIn(record as Partial<LimitsRecord>))
      if (after.version === version) counts.unchanged++
    }
    return []
  },
  page: async (read) => ({ records: [recordOf(await findLimits(read))], last: null }),
}

export const recordKinds: RecordKind[] = [limits]

/** Sets the given limits; others stay unchanged. Every process applies them within a second. */
export async function setLimits(
  tx: Tx,
  wanted: Partial<Limits>,
  { ifMatch }: { ifMatch?: IfMatch | undefined } = {},
): Promise<StoredLimits> {
  const before = await store.lockLimits(tx)
  requireVersion(before, ifMatch)
  const names = Object.keys(wanted) as (keyof Limits)[]
  if (names.every((it) => wanted[it] === before[it])) return before
  const after = await store.updateLimits(tx, { ...before, ...wanted })
  publish(tx, { type: 'LimitsChanged', version: after.version, changedAt: tx.now.toISOString() })
  return after
}
