// Who asks for a shared cart, and which.

import { Type } from 'typebox'
import type { RefusalCode } from '../../http/refusals.ts'
import type { Circumstances } from '../../http/route.ts'
import { refuseOtherRequester } from '../../identity/index.ts'
import { buyerFields, shopperOf, uuidForm } from '../routes/buyer.ts'
import type { Shopper, Terms } from '../shopper.ts'
import { memberName } from './view.ts'

export const sharedCartId = {
  id: Type.String({ pattern: `^${uuidForm}$`, examples: ['3f1c2d7e-8a41-4b6f-9c05-d2e7b8a1f604'] }),
}

/** Who asks. `RequesterId` may be sent and must then agree: it never makes anybody somebody. */
export const requesterFields = { ...buyerFields, RequesterId: Type.Optional(memberName) }

export interface RequesterNames {
  ClientId?: number
  SessionId?: string
  RequesterId?: number | string
}

export function requesterOf(
  terms: Terms,
  call: Pick<Circumstances, 'principal'>,
  ...places: RequesterNames[]
): Shopper {
  const shopper = shopperOf(terms, call, ...places)
  for (const it of places) refuseOtherRequester(shopper.buyer, it.RequesterId)
  return shopper
}

export const sharedRefusals: RefusalCode[] = ['buyer_required', 'buyer_mismatch', 'not_found']
export const openRefusals: RefusalCode[] = [...sharedRefusals, 'shared_cart_closed', 'version_mismatch']
