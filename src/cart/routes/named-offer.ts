// Bodies that name one offer of either kind.

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { id } from '../../http/schema.ts'
import type { LineKey } from '../cart.ts'
import { moderatedId, moderatedKey, ordinary } from './buyer.ts'

/** Exactly one of them. */
export const offerFields = { OfferId: Type.Optional(id), ModeratedOfferId: Type.Optional(moderatedId) }

export interface OfferNames {
  OfferId?: number
  ModeratedOfferId?: number | string
}

/** The offer that a call names; none and two are refused alike. */
export async function offerNamed(read: Reader, given: OfferNames, at = ''): Promise<LineKey> {
  const { OfferId, ModeratedOfferId } = given
  if ((OfferId === undefined) === (ModeratedOfferId === undefined))
    throw refuse('validation_failed', {
      fields: [{ path: `${at}OfferId`, rule: OfferId === undefined ? 'required' : 'one_of' }],
    })
  return OfferId === undefined ? moderatedKey(read, ModeratedOfferId!) : ordinary(OfferId)
}

/** A key as the wire names it. */
export const wireName = ({ isModerated, offerId }: LineKey) =>
  isModerated ? { ModeratedOfferId: offerId } : { OfferId: offerId }
