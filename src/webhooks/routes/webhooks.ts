// The paths of webhooks.

import { Type } from 'typebox'
import { faultOfUrl, resolvesInward } from '../../base/addresses.ts'
import type { Environment, Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import type { Vault } from '../../base/vault.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import { changes, flag, instant, integer, list, strict, text } from '../../http/schema.ts'
import { changeEndpoint } from '../change-endpoint.ts'
import { createEndpoint } from '../create-endpoint.ts'
import { deleteEndpoint } from '../delete-endpoint.ts'
import { disableEndpoint } from '../disable-endpoint.ts'
import { enableEndpoint } from '../enable-endpoint.ts'
import type { Endpoint } from '../endpoint.ts'
import { pingEndpoint } from '../ping-endpoint.ts'
import { rotateSecret } from '../rotate-secret.ts'
import { endpointSorts, findEndpoint, listEndpoints } from '../store/endpoints.ts'
import { filterList, refuseEmptyFilters, secretReply, uuid, webhookReply, webhookView } from './wire.ts'

const params = { webhook_id: uuid }
const oneWebhook = Type.Object({ webhook: webhookReply })
const answer = (it: Endpoint) => ({ data: { webhook: webhookView(it) }, version: it.version })

const exampleUrl = 'https://example.com/hooks'
const url = text({
  max: 2_000,
  description: 'Where events are sent. In live HTTPS only, and no private address; in test this machine too.',
  examples: [exampleUrl],
})
const fields = {
  url,
  filters: filterList,
  description: text({ min: 0, max: 500, examples: ['The warehouse'] }),
}

const dayHours = 24
const longestOverlapHours = 7 * dayHours

export const webhookRoutes = (vault: Vault): Route[] => [
  ...readingRoutes,
  ...writingRoutes(vault),
  ...stateRoutes,
]

const readingRoutes: Route[] = [
  get('/v1/webhooks', {
    summary: 'List webhooks',
    scope: 'admin:read',
    query: listQuery(endpointSorts, { enabled: Type.Optional(flag) }),
    reply: Type.Object({ webhooks: list(webhookReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'created_at')
      const state = query.enabled === undefined ? undefined : query.enabled ? 'enabled' : 'disabled'
      const slice = await listEndpoints(read, { state }, listing)
      return { data: { webhooks: slice.rows.map(webhookView), pagination: paginationView(listing, slice) } }
    },
  }),
  get('/v1/webhooks/{webhook_id}', {
    summary: 'Get a webhook',
    scope: 'admin:read',
    params,
    reply: oneWebhook,
    run: async ({ read, params }) => ({
      ...answer(await foundEndpoint(read, params.webhook_id)),
      isLiving: true,
    }),
  }),
]

const writingRoutes = (vault: Vault): Route[] => [
  post('/v1/webhooks', {
    summary: 'Create a webhook',
    description:
      'From now on, every event that one of the filters names is sent to the address, as Standard Webhooks 1.0 says: verify it with the secret and any of its libraries. Events about the same subject come one after the other. A reply of 2xx within 15 seconds counts; else we try ten times over 75 hours. 410 ends it, and so do five days of failure.',
    scope: 'admin:write',
    body: strict({ url, filters: filterList, description: Type.Optional(fields.description) }),
    reply: Type.Object({ webhook: webhookReply, secret: secretReply }),
    creates: true,
    secrets: ['secret'],
    refusals: ['conflict'],
    prepare: async ({ body, environment }) => refuseUnfit(body, environment),
    run: async ({ tx, body: { description = '', ...rest } }) => {
      const { endpoint, secret } = await createEndpoint(tx, vault, { description, ...rest })
      return { data: { ...answer(endpoint).data, secret }, version: endpoint.version }
    },
  }),
  patch('/v1/webhooks/{webhook_id}', {
    summary: 'Change a webhook',
    description: 'What waits already goes to the new address; new filters hold for events from now on.',
    scope: 'admin:write',
    params,
    body: changes(fields),
    reply: oneWebhook,
    versioned: true,
    prepare: async ({ body, environment }) => refuseUnfit(body, environment),
    run: async ({ tx, params, body, ifMatch }) =>
      answer(await changeEndpoint(tx, params.webhook_id, { changes: body, ifMatch })),
  }),
  del('/v1/webhooks/{webhook_id}', {
    summary: 'Delete a webhook',
    description: 'Nothing more is sent, and what waits is given up.',
    scope: 'admin:write',
    params,
    reply: oneWebhook,
    versioned: true,
    run: async ({ tx, params, ifMatch }) => answer(await deleteEndpoint(tx, params.webhook_id, ifMatch)),
  }),
  post('/v1/webhooks/{webhook_id}/rotate-secret', {
    summary: 'Give a webhook a new secret',
    description:
      'Until the overlap is over, everything is signed with both secrets, so a receiver that knows one of them is content.',
    scope: 'admin:write',
    params,
    body: strict({
      overlap_hours: Type.Optional(integer(0, longestOverlapHours, { default: dayHours })),
    }),
    reply: Type.Object({ webhook: webhookReply, secret: secretReply, old_secret_ends_at: instant }),
    secrets: ['secret'],
    run: async ({ tx, params, body }) => {
      const overlapSeconds = (body?.overlap_hours ?? dayHours) * 3_600
      const made = await rotateSecret(tx, vault, { id: params.webhook_id, overlapSeconds })
      const { endpoint, secret, endsAt } = made
      return { data: { ...answer(endpoint).data, secret, old_secret_ends_at: endsAt.toISOString() } }
    },
  }),
]

const stateRoutes: Route[] = [
  post('/v1/webhooks/{webhook_id}/ping', {
    summary: 'Try a webhook',
    description:
      'Sends a `WebhookPinged` event to this webhook alone, whatever its filters. How it went stands in its deliveries.',
    scope: 'admin:write',
    params,
    reply: Type.Object({ event_id: uuid }),
    refusals: ['invalid_transition'],
    run: async ({ tx, params }) => ({ data: { event_id: await pingEndpoint(tx, params.webhook_id) } }),
  }),
  post('/v1/webhooks/{webhook_id}/enable', {
    summary: 'Enable a webhook',
    description: 'It is told of what happens from now on; what it missed can be sent again with `redeliver`.',
    scope: 'admin:write',
    params,
    reply: oneWebhook,
    run: async ({ tx, params }) => answer(await enableEndpoint(tx, params.webhook_id)),
  }),
  post('/v1/webhooks/{webhook_id}/disable', {
    summary: 'Disable a webhook',
    description: 'Nothing more is sent, and what waits is given up.',
    scope: 'admin:write',
    params,
    reply: oneWebhook,
    run: async ({ tx, params }) => answer(await disableEndpoint(tx, params.webhook_id)),
  }),
]

export async function foundEndpoint(read: Reader, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(read, id)
  if (!endpoint) throw refuse('not_found')
  return endpoint
}

/** Names are resolved before the transaction: that takes time and leaves the machine. */
async function refuseUnfit(
  { url, filters }: { url?: string; filters?: string[] },
  environment: Environment,
): Promise<undefined> {
  if (filters) refuseEmptyFilters(filters, 'filters')
  if (url === undefined) return undefined
  const fault =
    faultOfUrl(url, environment) ?? ((await resolvesInward(url, environment)) ? 'private_address' : undefined)
  if (fault) throw refuse('validation_failed', { fields: [{ path: 'url', rule: fault, limit: exampleUrl }] })
  return undefined
}
