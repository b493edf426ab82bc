// Request fields that the shared cart routes share: the requester and the cart.

import { Type } from 'typebox'
import type { RefusalCode } from '../../http/refusals.ts'
import type { RequestContext } from '../../http/route.ts'
import { cartFields, fieldForBoth, namedByCustomerId, refuseOtherRequester } from '../../identity/index.ts'
import { buyerFields, namedIn, shopperFor, uuidInAnyCase } from '../carts/request.ts'
import type { Shopper, CartSettings } from '../carts/shopper.ts'
import { memberName } from './view.ts'

export const sharedCartId = {
  id: Type.String({ pattern: `^${uuidInAnyCase}$`, examples: ['3f1c2d7e-8a41-4b6f-9c05-d2e7b8a1f604'] }),
}

/** The buyer of a request. `RequesterId` alone names the buyer (SPEC-2 4.4), beside another name it must agree. */
export const requesterFields = { ...buyerFields, RequesterId: Type.Optional(memberName) }

const sharedFields = { ...cartFields, requesterId: 'RequesterId' }

export interface RequesterNames {
  ClientId?: number
  SessionId?: string
  RequesterId?: number | string
}

export function requesterOf(
  settings: CartSettings,
  call: Pick<RequestContext, 'principal'>,
  ...places: RequesterNames[]
): Shopper {
  const named = namedIn(...places)
  const requesters = new Set(places.flatMap((it) => it.RequesterId ?? []).map(String))
  const isAlone = named.clientId === undefined && named.sessionId === undefined && requesters.size === 1
  // A client acts for itself; the RequesterId of a client is only compared.
  const shopper =
    isAlone && call.principal!.actor.kind !== 'client'
      ? shopperFor(settings, call, {
          named: namedByCustomerId([...requesters][0]!, 'RequesterId'),
          fields: fieldForBoth('RequesterId'),
        })
      : shopperFor(settings, call, { named, fields: sharedFields })
  for (const it of places) refuseOtherRequester(shopper.buyer, it.RequesterId)
  return shopper
}

export const sharedRefusals: RefusalCode[] = ['buyer_required', 'buyer_mismatch', 'not_found']
export const openRefusals: RefusalCode[] = [...sharedRefusals, 'shared_cart_closed', 'version_mismatch']
