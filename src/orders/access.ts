// Who may see and change which orders: clients their own, device applications those of the guest they serve, staff all.
// An order that the caller may not see is reported as not found.

import { Type } from 'typebox'
import type { Reader, Tx } from '../base/database.ts'
import { refuse } from '../base/refusal.ts'
import { sessionId } from '../cart/index.ts'
import type { Principal, RequestContext } from '../http/route.ts'
import { idText } from '../http/schema.ts'
import { type IfMatch, requireVersion } from '../http/version.ts'
import type { Order } from './order.ts'
import type { Caller } from './steps.ts'
import { findOrder, lockOrder } from './store.ts'

/** Whose orders a caller may see; an empty value means all orders. */
export interface Visibility {
  clientId?: number
  sessionId?: string
}

/** Guests are identified by their session. */
export const guestFields = { session_id: Type.Optional(sessionId) }
export const guestQuery = Type.Object(guestFields, { additionalProperties: false })

export const orderId = { id: idText }

interface Query {
  session_id?: string
}

type OrderRequest = Pick<RequestContext, 'principal'> & { query: Query }

export function visibleTo({ principal, query }: OrderRequest): Visibility {
  const { actor, application } = principal!
  if (actor.kind === 'client') {
    if (query.session_id !== undefined) throw refuse('buyer_mismatch', { field: 'session_id' })
    return { clientId: actor.clientId }
  }
  if (query.session_id !== undefined) return { sessionId: query.session_id }
  if (actor.kind === 'member' || application?.type === 'server') return {}
  throw refuse('buyer_required', { accepted: ['session_id'] })
}

/** The client of a route that only clients may call. */
export function clientOf(principal: Principal | null): number {
  const { actor } = principal!
  if (actor.kind !== 'client') throw new Error('the route needs a client')
  return actor.clientId
}

/** As whom the caller acts on orders. */
export function callerOf(request: OrderRequest): Caller {
  const { clientId, sessionId: session } = visibleTo(request)
  if (!request.principal!.scopes.has('orders:write')) return 'reader'
  return clientId === undefined && session === undefined ? 'staff' : 'buyer'
}

const isVisible = ({ clientId, sessionId: session }: Visibility, { buyer }: Order): boolean =>
  (clientId === undefined || (buyer.kind === 'client' && buyer.clientId === clientId)) &&
  (session === undefined || (buyer.kind === 'guest' && buyer.sessionId === session))

/** An order that the caller may see. */
export async function visibleOrder(
  read: Reader,
  request: OrderRequest & { params: { id: string } },
): Promise<Order> {
  const visibility = visibleTo(request)
  const order = await findOrder(read, Number(request.params.id))
  if (!order || !isVisible(visibility, order))
    throw refuse('not_found', { resource: 'order', id: request.params.id })
  return order
}

interface OrderChangeRequest extends OrderRequest {
  params: { id: string }
  ifMatch: IfMatch | undefined
}

/** An order that the caller may change, under its lock. */
export async function lockVisibleOrder(tx: Tx, request: OrderChangeRequest): Promise<Order> {
  const visibility = visibleTo(request)
  const order = await lockOrder(tx, Number(request.params.id))
  if (!order || !isVisible(visibility, order))
    throw refuse('not_found', { resource: 'order', id: request.params.id })
  requireVersion(order, request.ifMatch)
  return order
}

/** The same for staff operations: packing, capturing payments, deciding on returns. */
export async function lockOrderForStaff(tx: Tx, request: OrderChangeRequest): Promise<Order> {
  requireStaff(request)
  return lockVisibleOrder(tx, request)
}

/** The caller has the scope of the route, so the refusal names the role and no scope. */
export function requireStaff(request: OrderRequest): void {
  if (callerOf(request) !== 'staff')
    throw refuse('insufficient_permissions', {
      needs: 'staff',
      current_scopes: [...request.principal!.scopes],
    })
}
