// Mandates for staff: for clients whose accounts are kept elsewhere, and to stop an application.

import { Type } from 'typebox'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Route } from '../../http/route.ts'
import { idInput, strict, text, uuid } from '../../http/schema.ts'
import { revoke } from './routes.ts'
import { listMandates, lockMandate } from './store.ts'
import {
  grantMandate,
  mandateFields,
  mandateNotFound,
  mandateReply,
  mandatesReply,
  mandateView,
} from './wire.ts'

const oneMandate = Type.Object({ mandate: mandateReply })

export const mandateAdminRoutes: Route[] = [
  get('/v1/admin/mandates', {
    summary: 'List the mandates of all clients',
    description: 'The newest first.',
    scope: 'admin:read',
    query: listQuery(
      ['created_at'],
      {
        customer_id: idFilter('Mandates of a client.'),
        application_id: Type.Optional(text({ max: 100, description: 'Mandates of an application.' })),
      },
      '-created_at',
    ),
    reply: Type.Object({ ...mandatesReply, pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, '-created_at')
      const page = await listMandates(read, listing, {
        clientId: query.customer_id === undefined ? undefined : Number(query.customer_id),
        applicationId: query.application_id,
      })
      return {
        data: {
          mandates: page.rows.map((it) => mandateView(it, read.now)),
          pagination: paginationView(listing, page),
        },
      }
    },
  }),
  post('/v1/admin/mandates', {
    summary: 'Grant a mandate for a client',
    description: 'For clients whose accounts are kept elsewhere: record what the client has agreed to.',
    scope: 'admin:write',
    body: strict({ customer_id: idInput, ...mandateFields }),
    reply: oneMandate,
    creates: true,
    run: async ({ tx, body: { customer_id: clientId, ...sent } }) => ({
      data: { mandate: mandateView(await grantMandate(tx, Number(clientId), sent), tx.now) },
    }),
  }),
  post('/v1/admin/mandates/{mandate_id}/revoke', {
    summary: 'Revoke a mandate of any client',
    scope: 'admin:write',
    params: { mandate_id: uuid },
    reply: oneMandate,
    run: async ({ tx, params: { mandate_id: id } }) => {
      const mandate = await lockMandate(tx, id)
      if (!mandate) throw mandateNotFound(id)
      return { data: { mandate: mandateView(await revoke(tx, mandate), tx.now) } }
    },
  }),
]
