// HTTP routes of the administration of clients.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { orderStatuses } from '../../events.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import {
  changes,
  flag,
  id,
  idInput,
  idText,
  instant,
  integer,
  list,
  nullable,
  oneOf,
  strict,
  text,
  named,
} from '../../http/schema.ts'
import * as store from './admin-store.ts'
import { type ClientData, type ClientSummary, summaryOf } from './client-data.ts'
import { changeClient, eraseClient, mergeClients } from './manage-clients.ts'
import { maxSessions } from './session.ts'
import { openSessions, sessionId, sessionReply, sessionView } from './session-wire.ts'
import { signOut, signOutEverywhere } from './sign-in.ts'

const clientReply = named(
  'Client',
  Type.Object({
    id: idText,
    name: Type.String({ examples: ['Aziza'] }),
    phone: nullable(Type.String({ examples: ['+998901234567'] })),
    email: nullable(Type.String({ examples: ['name@mail.uz'] })),
    external_ids: list(Type.String({ examples: ['8b1f3c7e-4a51-4b7a-9a0e-3d5b0c9f1e22'] })),
    has_password: flag,
    merged_into: nullable(idText),
    erased_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  }),
)
const clientView = (it: store.AdminClient) => ({
  id: String(it.id),
  name: it.name,
  phone: it.phone,
  email: it.email,
  external_ids: it.externalIds,
  has_password: it.hasPassword,
  merged_into: it.mergedInto === null ? null : String(it.mergedInto),
  erased_at: it.erasedAt?.toISOString() ?? null,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const money = Type.Object({
  amount: integer(0, Number.MAX_SAFE_INTEGER),
  currency: oneOf(['UZS']),
})
const moneyView = (amountTiyin: number) => ({ amount: amountTiyin, currency: 'UZS' as const })
const count = integer(0, Number.MAX_SAFE_INTEGER)

const detailReply = Type.Object({
  client: clientReply,
  orders: Type.Object({
    count,
    recent: list(
      Type.Object({
        id: idText,
        status: oneOf(orderStatuses),
        amount: money,
        created_at: instant,
      }),
      10,
    ),
  }),
  cart: nullable(
    Type.Object({
      id: Type.String({ examples: ['019a8a52-7c00-7d3f-9d3a-5b1f0a2c4e6f'] }),
      units: count,
      updated_at: instant,
    }),
  ),
  limits: Type.Object({ ordered_today: money, credit_outstanding: money }),
})
const summaryView = ({ orders, cart, limits }: ClientSummary) => ({
  orders: {
    count: orders.count,
    recent: orders.recent.map((it) => ({
      id: String(it.id),
      status: it.status,
      amount: moneyView(it.amountTiyin),
      created_at: it.createdAt.toISOString(),
    })),
  },
  cart: cart && { id: cart.id, units: cart.units, updated_at: cart.updatedAt.toISOString() },
  limits: {
    ordered_today: moneyView(limits.todayTiyin),
    credit_outstanding: moneyView(limits.creditTiyin),
  },
})

const params = { client_id: id }
const profile = {
  name: text({ min: 0, description: 'Up to 200 characters.', examples: ['Aziza'] }),
  phone: nullable(text({ max: 40, examples: ['+998901234567'] })),
  email: nullable(text({ max: 254, examples: ['name@mail.uz'] })),
}
const oneClient = Type.Object({ client: clientReply })

export const clientAdminRoutes = (data: readonly ClientData[]): Route[] => [
  ...recordRoutes(data),
  ...sessionRoutes,
]

const recordRoutes = (data: readonly ClientData[]): Route[] => [
  get('/v1/admin/clients', {
    summary: 'Search clients',
    description:
      'By `q`: the id, a phone number or an external id, or the beginning of a name or an e-mail address. Without `q`, all clients.',
    scope: 'admin:read',
    query: listQuery(
      store.clientSorts,
      { q: Type.Optional(text({ max: 256, examples: ['+998901234567'] })) },
      '-created_at',
    ),
    reply: Type.Object({ clients: list(clientReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, '-created_at')
      const page = await store.searchClients(read, query.q, listing)
      return { data: { clients: page.rows.map(clientView), pagination: paginationView(listing, page) } }
    },
  }),
  get('/v1/admin/clients/{client_id}', {
    summary: 'Get a client with orders, cart and limits',
    scope: 'admin:read',
    params,
    reply: detailReply,
    run: async ({ read, params }) => {
      const client = await store.findAdminClient(read, params.client_id)
      if (!client) throw refuse('not_found')
      const summary = await summaryOf(read, client.id, data)
      return { data: { client: clientView(client), ...summaryView(summary) }, version: client.version }
    },
  }),
  patch('/v1/admin/clients/{client_id}', {
    summary: 'Change a client',
    description: 'At least a phone number or an e-mail address remains.',
    scope: 'admin:write',
    params,
    body: changes(profile),
    reply: oneClient,
    versioned: true,
    run: async ({ tx, params, body, ifMatch }) => {
      await changeClient(tx, params.client_id, { changes: body, ifMatch })
      const client = await store.findAdminClient(tx, params.client_id)
      return { data: { client: clientView(client!) }, version: client!.version }
    },
  }),
  post('/v1/admin/clients/{client_id}/merge', {
    summary: 'Merge a duplicate into another client',
    description:
      'Moves orders, cart, wishlist, limits and external ids of this client to `into`, which also gets a phone number or e-mail address that it lacks. The duplicate can no longer sign in. Idempotent.',
    scope: 'admin:write',
    params,
    body: strict({ into: idInput }),
    reply: oneClient,
    refusals: ['conflict'],
    run: async ({ tx, params, body }) => {
      const client = await mergeClients(tx, { from: params.client_id, into: Number(body.into) }, data)
      return { data: { client: clientView(client) }, version: client.version }
    },
  }),
  post('/v1/admin/clients/{client_id}/erase', {
    summary: 'Erase a client',
    description:
      'Removes name, contacts, password, sessions, consents, cart, wishlist, devices and messages. Orders and payments stay, because accounting law requires them, without the name. Cannot be undone. Idempotent.',
    scope: 'admin:write',
    params,
    reply: oneClient,
    run: async ({ tx, params }) => {
      const client = await eraseClient(tx, params.client_id, data)
      return { data: { client: clientView(client) }, version: client.version }
    },
  }),
]

const ended = Type.Object({ ended: integer(0, maxSessions) })

const sessionRoutes: Route[] = [
  get('/v1/admin/clients/{client_id}/sessions', {
    summary: 'List the sessions of a client',
    description: 'Where the client is signed in, newest first. Tokens of applications are no sessions.',
    scope: 'admin:read',
    params,
    reply: Type.Object({ sessions: list(sessionReply, 100) }),
    run: async ({ read, params }) => {
      if (!(await store.findAdminClient(read, params.client_id))) throw refuse('not_found')
      const sessions = await openSessions(read, params.client_id)
      return { data: { sessions: sessions.map((it) => sessionView(it, undefined)) } }
    },
  }),
  del('/v1/admin/clients/{client_id}/sessions/{session_id}', {
    summary: 'End a session of a client',
    description: 'The browser of the client is signed out at its next call.',
    scope: 'admin:write',
    params: { ...params, session_id: sessionId },
    reply: ended,
    run: async ({ tx, params }) => {
      if (!(await signOut(tx, params.client_id, params.session_id))) throw refuse('not_found')
      return { data: { ended: 1 } }
    },
  }),
  del('/v1/admin/clients/{client_id}/sessions', {
    summary: 'End all sessions of a client',
    description: 'Signs the client out everywhere, for example after a lost phone. The password stays.',
    scope: 'admin:write',
    params,
    reply: ended,
    run: async ({ tx, params }) => {
      if (!(await store.findAdminClient(tx, params.client_id))) throw refuse('not_found')
      return { data: { ended: await signOutEverywhere(tx, [params.client_id]) } }
    },
  }),
]
