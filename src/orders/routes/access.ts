// Who may see and change which orders: a client his own, an application on a device those of the guest it serves, and
// whoever runs the shop all of them. What is not yours is as absent as what never was.

import { Type } from 'typebox'
import type { Reader, Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { sessionId } from '../../cart/index.ts'
import type { Circumstances } from '../../http/route.ts'
import { idText } from '../../http/schema.ts'
import { refuseStale } from '../../http/version.ts'
import type { Order } from '../order.ts'
import { findOrder, lockOrder } from '../store/orders.ts'

/** Whose orders a caller reaches; an empty answer means everybody's. */
export interface Reach {
  clientId?: number
  sessionId?: string
}

/** For guests: their session opens their orders. */
export const guestFields = { session_id: Type.Optional(sessionId) }
export const guestQuery = Type.Object(guestFields, { additionalProperties: false })

export const orderId = { id: idText }

interface Query {
  session_id?: string
}

type Call = Pick<Circumstances, 'principal'> & { query: Query }

export function reachOf({ principal, query }: Call): Reach {
  const { actor, application } = principal!
  if (actor.kind === 'client') {
    if (query.session_id !== undefined) throw refuse('buyer_mismatch', { field: 'session_id' })
    return { clientId: actor.clientId }
  }
  if (query.session_id !== undefined) return { sessionId: query.session_id }
  if (actor.kind === 'member' || application?.type === 'server') return {}
  throw refuse('buyer_required', { accepted: ['session_id'] })
}

const reaches = ({ clientId, sessionId: session }: Reach, { buyer }: Order): boolean =>
  (clientId === undefined || (buyer.kind === 'client' && buyer.clientId === clientId)) &&
  (session === undefined || (buyer.kind === 'guest' && buyer.sessionId === session))

/** An order that the caller may see. */
export async function seenOrder(read: Reader, call: Call & { params: { id: string } }): Promise<Order> {
  const reach = reachOf(call)
  const order = await findOrder(read, Number(call.params.id))
  if (!order || !reaches(reach, order)) throw refuse('not_found')
  return order
}

interface Change extends Call {
  params: { id: string }
  ifMatch: number | undefined
}

/** An order that the caller may change, under its lock. */
export async function heldOrder(tx: Tx, call: Change): Promise<Order> {
  const reach = reachOf(call)
  const order = await lockOrder(tx, Number(call.params.id))
  if (!order || !reaches(reach, order)) throw refuse('not_found')
  refuseStale(order, call.ifMatch)
  return order
}

/** The same for what those who run the shop do: packing, taking money, deciding on returns. */
export async function heldByStaff(tx: Tx, call: Change): Promise<Order> {
  const { clientId, sessionId: session } = reachOf(call)
  if (clientId !== undefined || session !== undefined)
    throw refuse('insufficient_permissions', {
      required_scopes: ['orders:write'],
      current_scopes: [...call.principal!.scopes],
      needs: 'staff',
    })
  return heldOrder(tx, call)
}
