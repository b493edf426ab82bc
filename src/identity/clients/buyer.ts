// Who the buyer of a request is: the credential decides, and the buyer named in the request must agree with it.

import type { Buyer } from '../../base/buyer.ts'
import { refuse } from '../../base/refusal.ts'
import type { Principal } from '../../http/route.ts'

/** The buyer named in a request. */
export interface Named {
  clientId?: number | undefined
  sessionId?: string | undefined
}

/** The field names of a call, as refusals name them; calls without `sessionId` are for clients only. */
export interface BuyerFields {
  clientId: string
  sessionId?: string
  requesterId?: string
}

export const cartFields: BuyerFields = { clientId: 'ClientId', sessionId: 'SessionId' }

/** One field names a client or a guest. */
export const fieldForBoth = (field: string): BuyerFields => ({ clientId: field, sessionId: field })

/** The buyer of a request. A client acts for itself; applications and members name the buyer. */
export function buyerOf(principal: Principal, named: Named, fields: BuyerFields = cartFields): Buyer {
  const { actor } = principal
  if (actor.kind !== 'client') return namedBuyer(principal, named, fields)
  const self: Buyer = { kind: 'client', clientId: actor.clientId }
  if (named.sessionId !== undefined) throw mismatch(fields.sessionId ?? fields.clientId)
  if (named.clientId !== undefined && named.clientId !== actor.clientId) throw mismatch(fields.clientId)
  return self
}

/** Keys of web and mobile applications ship to devices, so they may act for guests only. */
function namedBuyer(principal: Principal, { clientId, sessionId }: Named, fields: BuyerFields): Buyer {
  if ((clientId === undefined) === (sessionId === undefined))
    throw refuse('buyer_required', { accepted: [...new Set(Object.values(fields))] })
  if (sessionId !== undefined) return { kind: 'guest', sessionId }
  if (!mayNameClients(principal)) throw mismatch(fields.clientId)
  return { kind: 'client', clientId: clientId! }
}

const mayNameClients = ({ actor, application }: Principal): boolean =>
  actor.kind === 'member' || (actor.kind === 'application' && application?.type === 'server')

/** The guest and the client of a merge. A client's own id may be omitted. */
export function mergingBuyers(
  principal: Principal,
  named: Named,
): { guest: Extract<Buyer, { kind: 'guest' }>; client: Extract<Buyer, { kind: 'client' }> } {
  const { clientId, sessionId } = named
  const missing = [
    ...(sessionId === undefined ? ['SessionId'] : []),
    ...(clientId === undefined && principal.actor.kind !== 'client' ? ['ClientId'] : []),
  ]
  if (sessionId === undefined || missing.length > 0)
    throw refuse('buyer_required', { reason: 'merge', accepted: missing })
  const client = buyerOf(principal, { clientId })
  if (client.kind !== 'client') throw mismatch('ClientId')
  return { guest: { kind: 'guest', sessionId }, client }
}

const wholeForm = /^[0-9]+$/
const sessionForm = /^[\x21-\x7e]{8,128}$/

/** `customer_id` or another field: digits are a client id, anything else is a session id. */
export function namedByCustomerId(customerId: string, field = 'customer_id'): Named {
  if (wholeForm.test(customerId)) {
    const clientId = Number(customerId)
    if (customerId.startsWith('0') || !Number.isSafeInteger(clientId)) throw unreadable(field)
    return { clientId }
  }
  if (!sessionForm.test(customerId)) throw unreadable(field)
  return { sessionId: customerId }
}

/** Refuses a `RequesterId` that differs from the buyer. */
export function refuseOtherRequester(buyer: Buyer, requesterId: string | number | undefined): void {
  if (requesterId === undefined) return
  const own = buyer.kind === 'client' ? String(buyer.clientId) : buyer.sessionId
  if (String(requesterId) !== own) throw mismatch('RequesterId')
}

const mismatch = (field: string) => refuse('buyer_mismatch', { field })

const unreadable = (path: string) =>
  refuse('validation_failed', {
    fields: [{ path, rule: 'format', limit: '42, gs_test_4f1c9a7be03d' }],
  })
