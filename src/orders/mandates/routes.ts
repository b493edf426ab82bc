// Mandates of clients: a client grants and revokes them and confirms orders in their own session; an application reads
// those that were granted to it.

import { Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import { asMoney, inSums } from '../../base/money.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import * as cart from '../../cart/index.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Principal, type Route } from '../../http/route.ts'
import { instant, integer, named, oneOf, strict, uuid } from '../../http/schema.ts'
import { exactly, requireVersion } from '../../http/version.ts'
import { clientOf } from '../access.ts'
import { money } from '../view.ts'
import { type Confirmation, confirmationMs, type Mandate, mandateStatuses, statusAt } from './mandate.ts'
import {
  findMandate,
  insertConfirmation,
  listMandates,
  lockMandate,
  type MandateFilters,
  revokeMandate,
} from './store.ts'
import {
  amountIn,
  grantMandate,
  mandateFields,
  mandateNotFound,
  mandateReply,
  mandatesReply,
  mandateView,
} from './wire.ts'

const params = { mandate_id: uuid }
const oneMandate = Type.Object({ mandate: mandateReply })
const cartVersion = integer(0, 10 ** 15 - 1, {
  description: '`Version` of the cart that the client has seen.',
})

const filters = {
  customer_id: idFilter('Mandates of a client.'),
  status: Type.Optional(oneOf(mandateStatuses)),
}

const confirmationReply = named(
  'MandateConfirmation',
  Type.Object({
    id: uuid,
    mandate_id: uuid,
    cart_version: cartVersion,
    total: money,
    created_at: instant,
    expires_at: instant,
  }),
)

const confirmationView = (it: Confirmation) => ({
  id: it.id,
  mandate_id: it.mandateId,
  cart_version: it.cartVersion,
  total: asMoney(it.totalTiyin),
  created_at: it.createdAt.toISOString(),
  expires_at: it.expiresAt.toISOString(),
})

/** A client sees its own mandates, an application those granted to it, a member all. */
function visibleTo({ actor, application }: Principal): MandateFilters {
  if (actor.kind === 'client') return { clientId: actor.clientId, applicationId: application?.id }
  if (actor.kind === 'member') return {}
  // Keys of web and mobile applications ship to devices, and must not show the mandates of all clients.
  if (application?.type !== 'server') throw refuse('insufficient_permissions', { needs: 'client' })
  return { applicationId: application.id }
}

const isVisible = (it: Mandate, { clientId, applicationId }: MandateFilters): boolean =>
  (clientId === undefined || it.clientId === clientId) &&
  (applicationId === undefined || it.applicationId === applicationId)

/** The locked mandate of a client. */
async function lockOwn(tx: Tx, principal: Principal | null, id: string): Promise<Mandate> {
  const mandate = await lockMandate(tx, id)
  if (!mandate || mandate.clientId !== clientOf(principal)) throw mandateNotFound(id)
  return mandate
}

/** Ends a locked mandate; an ended one stays as it is. */
export async function revoke(tx: Tx, mandate: Mandate): Promise<Mandate> {
  if (mandate.revokedAt) return mandate
  publish(tx, {
    type: 'MandateRevoked',
    mandateId: mandate.id,
    clientId: mandate.clientId,
    applicationId: mandate.applicationId,
  })
  return revokeMandate(tx, mandate.id)
}

export const mandateRoutes = (settings: cart.CartSettings): Route[] => [
  get('/v1/mandates', {
    summary: 'List mandates',
    description:
      'Clients see their own, with a token of an application those that they granted to it; server applications see those granted to them. The newest first.',
    scope: 'orders:read',
    query: listQuery(['created_at'], filters, '-created_at'),
    reply: Type.Object({ ...mandatesReply, pagination }),
    refusals: ['buyer_mismatch'],
    run: async ({ read, query, principal }) => {
      const listing = listingOf(query, '-created_at')
      const visible = visibleTo(principal!)
      const clientId = query.customer_id === undefined ? undefined : Number(query.customer_id)
      if (clientId !== undefined && clientId !== (visible.clientId ?? clientId))
        throw refuse('buyer_mismatch', { field: 'customer_id' })
      const page = await listMandates(read, listing, { clientId, ...visible, status: query.status })
      return {
        data: {
          mandates: page.rows.map((it) => mandateView(it, read.now)),
          pagination: paginationView(listing, page),
        },
      }
    },
  }),
  get('/v1/mandates/{mandate_id}', {
    summary: 'Get a mandate',
    scope: 'orders:read',
    params,
    reply: oneMandate,
    run: async ({ read, principal, params: { mandate_id: id } }) => {
      const mandate = await findMandate(read, id)
      if (!mandate || !isVisible(mandate, visibleTo(principal!))) throw mandateNotFound(id)
      return { data: { mandate: mandateView(mandate, read.now) } }
    },
  }),
  post('/v1/mandates', {
    summary: 'Grant a mandate',
    description:
      'Lets an application, such as an agent, order for the client up to a budget. From then on the application orders for this client within a mandate only.',
    scope: 'orders:write',
    needs: 'session',
    body: strict(mandateFields),
    reply: oneMandate,
    creates: true,
    run: async ({ tx, principal, body }) => ({
      data: { mandate: mandateView(await grantMandate(tx, clientOf(principal), body), tx.now) },
    }),
  }),
  post('/v1/mandates/{mandate_id}/revoke', {
    summary: 'Revoke a mandate',
    description: 'No further order is placed under it. Placed orders stay as they are.',
    scope: 'orders:write',
    needs: 'session',
    params,
    reply: oneMandate,
    run: async ({ tx, principal, params: { mandate_id: id } }) => {
      const mandate = await revoke(tx, await lockOwn(tx, principal, id))
      return { data: { mandate: mandateView(mandate, tx.now) } }
    },
  }),
  post('/v1/mandates/{mandate_id}/confirmations', {
    summary: 'Confirm an order under a mandate',
    description:
      'The application may then order the cart in this version, once, within an hour, for at most this total. A later confirmation replaces one that was not used.',
    scope: 'orders:write',
    needs: 'session',
    params,
    body: strict({
      cart_version: cartVersion,
      total: amountIn('The most that the order may cost, with delivery.'),
    }),
    reply: Type.Object({ confirmation: confirmationReply }),
    creates: true,
    refusals: ['version_mismatch', 'invalid_transition'],
    run: async ({ tx, principal, params: { mandate_id: id }, body }) => {
      const mandate = await lockOwn(tx, principal, id)
      const status = statusAt(mandate, tx.now)
      if (status !== 'active')
        throw refuse('invalid_transition', { state: status, requested: 'confirm', allowed: [] })
      const buyer = { kind: 'client', clientId: mandate.clientId } as const
      const seen = cart.cartVersionOf(await cart.viewCart(tx, { buyer, settings }))
      requireVersion({ version: seen }, exactly(body.cart_version))
      const confirmation = await insertConfirmation(tx, {
        id: timedUuid(tx.now),
        mandateId: id,
        cartVersion: body.cart_version,
        totalTiyin: body.total.amount,
        expiresAt: new Date(tx.now.getTime() + confirmationMs),
      })
      publish(tx, {
        type: 'MandateOrderConfirmed',
        mandateId: id,
        clientId: mandate.clientId,
        applicationId: mandate.applicationId,
        cartVersion: body.cart_version,
        total: inSums(body.total.amount),
      })
      return { data: { confirmation: confirmationView(confirmation) } }
    },
  }),
]
