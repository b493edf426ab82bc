// How a partner delivers: by courier, to a pick-up point or by post; where, for how much and in how many days. Pure.

import type { FieldFault } from '../../base/validation.ts'
import type { LocalizedText } from '../../http/language.ts'
import type { Entity, EntityInput } from '../entities/entities.ts'

export const deliveryKinds = ['courier', 'pickup', 'post'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/** A place where buyers collect their orders. */
export interface PickupPoint {
  /** Unique within its method. */
  id: string
  name: LocalizedText
  /** An ISO 3166-2 code. */
  region: string
  city: string
  address: string
  hours: string | null
  latitude: number | null
  longitude: number | null
}

export interface DeliveryMethod extends Entity {
  partnerId: number
  kind: DeliveryKind
  name: LocalizedText
  /** ISO 3166 codes. A country includes its regions; an empty list is everywhere. */
  regions: string[]
  priceTiyin: number
  /** Orders of at least this amount are delivered free of charge. */
  freeFromTiyin: number | null
  daysMin: number
  daysMax: number
  /** Of pick-up methods only. */
  pickupPoints: PickupPoint[]
  isActive: boolean
}

/** Whether the method delivers to a region. An unknown region is reached by methods without regions only. */
export const deliversTo = ({ regions }: Pick<DeliveryMethod, 'regions'>, region: string | null): boolean =>
  regions.length === 0 ||
  (region !== null && regions.some((it) => it === region || region.startsWith(`${it}-`)))

/** What the delivery of an order of this amount costs: nothing from the amount that the partner has set. */
export const deliveryPriceTiyin = (
  { priceTiyin, freeFromTiyin }: Pick<DeliveryMethod, 'priceTiyin' | 'freeFromTiyin'>,
  amountTiyin: number,
): number => (freeFromTiyin !== null && amountTiyin >= freeFromTiyin ? 0 : priceTiyin)

/** Contradictions within a method. */
export function contradictions(input: EntityInput<DeliveryMethod>): FieldFault[] {
  const { kind, daysMin, daysMax, pickupPoints } = input
  const faults: FieldFault[] = []
  if (daysMax < daysMin) faults.push({ path: 'days_max', rule: 'minimum', limit: daysMin })
  if (kind === 'pickup' && pickupPoints.length === 0)
    faults.push({ path: 'pickup_points', rule: 'min_items', limit: 1 })
  if (kind !== 'pickup' && pickupPoints.length > 0)
    faults.push({ path: 'pickup_points', rule: 'max_items', limit: 0 })
  if (new Set(pickupPoints.map((it) => it.id)).size < pickupPoints.length)
    faults.push({ path: 'pickup_points', rule: 'unique' })
  return faults
}
