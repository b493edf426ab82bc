// Who the buyer of a request is: the credential decides, and the buyer named in the request must agree with it.

import type { Buyer } from '../../base/buyer.ts'
import { refuse } from '../../base/refusal.ts'
import type { Principal } from '../../http/route.ts'

/** The buyer named in a request. */
export interface Named {
  clientId?: number | undefined
  sessionId?: string | undefined
}

/** The field names of a call; calls without `sessionId` are for clients only. */
interface BuyerFields {
  clientId: string
  sessionId?: string
}

const cartFields: BuyerFields = { clientId: 'ClientId', sessionId: 'SessionId' }

/** The buyer of a request. A client acts for itself; applications and members name the buyer. */
export function buyerOf(principal: Principal, named: Named, fields: BuyerFields = cartFields): Buyer {
  const { actor } = principal
  if (actor.kind !== 'client') return namedBuyer(principal, named, fields)
  const self: Buyer = { kind: 'client', clientId: actor.clientId }
  if (named.sessionId !== undefined) throw mismatch('SessionId')
  if (named.clientId !== undefined && named.clientId !== actor.clientId) throw mismatch(fields.clientId)
  return self
}

/** Keys of web and mobile applications ship to devices, so they may act for guests only. */
function namedBuyer(principal: Principal, { clientId, sessionId }: Named, fields: BuyerFields): Buyer {
  if ((clientId === undefined) === (sessionId === undefined))
    throw refuse('buyer_required', { accepted: Object.values(fields) })
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
  if (sessionId === undefined) throw refuse('buyer_required', { accepted: ['SessionId'] })
  const client = buyerOf(principal, { clientId })
  if (client.kind !== 'client') throw mismatch('ClientId')
  return { guest: { kind: 'guest', sessionId }, client }
}

const wholeForm = /^[0-9]+$/
const sessionForm = /^[\x21-\x7e]{8,128}$/

/** `customer_id`: digits are a client id, anything else is a session id. */
export function namedByCustomerId(customerId: string): Named {
  if (wholeForm.test(customerId)) {
    const clientId = Number(customerId)
    if (customerId.startsWith('0') || !Number.isSafeInteger(clientId)) throw unreadable('customer_id')
    return { clientId }
  }
  if (!sessionForm.test(customerId)) throw unreadable('customer_id')
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
    fields: [{ path, rule: 'format', limit: '1, or a session of 8 to 128 characters' }],
  })
