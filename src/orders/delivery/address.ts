// Where an order is delivered: a structured address. Pure.

import type { PickupPoint } from '../../catalog/index.ts'

export interface Address {
  /** An ISO 3166-2 code. */
  region: string
  city: string
  street: string
  house: string
  apartment: string | null
  landmark: string | null
  postalCode: string | null
  latitude: number | null
  longitude: number | null
}

/** The address as one line, for labels, messages and callers that know no structured addresses. */
export const addressText = ({ city, street, house, apartment, landmark, postalCode }: Address): string =>
  [postalCode, city, street, house, apartment, landmark && `(${landmark})`]
    .filter((it) => it !== null && it !== '')
    .join(', ')

export const pointText = ({ city, address }: PickupPoint): string => `${city}, ${address}`
