// Webhook endpoints: their routes and wire shapes.

import { Type } from 'typebox'
import { type AddressPolicy, resolvesToPrivateAddress, urlFault } from '../../base/outbound-address.ts'
import type { Environment, Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/validation.ts'
import type { Vault } from '../../base/vault.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import {
  changes,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  oneOf,
  shownOnce,
  strict,
  text,
} from '../../http/schema.ts'
import { emptyFilterFaults, filterList, maxFilters } from '../events/event-filters.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  pingEndpoint,
  rotateSecret,
} from './endpoints.ts'
import { disabledReasons, type Endpoint, maxQueueLength } from './endpoint.ts'
import { endpointSorts, findEndpoint, listEndpoints } from './store.ts'

const uuidForm = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
export const uuid = text({ max: 36, pattern: uuidForm, examples: ['0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'] })

const webhookReply = named(
  'Webhook',
  Type.Object({
    id: uuid,
    url: Type.String({ examples: ['https://example.com/hooks'] }),
    description: Type.String({ examples: ['The warehouse'] }),
    filters: list(Type.String({ examples: ['Offer*'] }), maxFilters),
    enabled: flag,
    disabled_reason: nullable(
      oneOf(disabledReasons, { description: '`gone`: it answered 410; `failing`: for five days.' }),
    ),
    waiting: integer(0, maxQueueLength, { description: 'Deliveries in the queue.' }),
    failing_since: nullable(instant),
    created_at: instant,
    updated_at: instant,
  }),
)

const secretReply = shownOnce(
  Type.String({ description: 'Signs deliveries.', examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] }),
)

const webhookView = (it: Endpoint) => ({
  id: it.id,
  url: it.url,
  description: it.description,
  filters: it.filters,
  enabled: it.state === 'enabled',
  disabled_reason: it.disabledReason,
  waiting: it.waiting,
  failing_since: it.failingSince?.toISOString() ?? null,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const params = { webhook_id: uuid }
const oneWebhook = Type.Object({ webhook: webhookReply })
const answer = (it: Endpoint) => ({ data: { webhook: webhookView(it) }, version: it.version })

const exampleUrl = 'https://example.com/hooks'
const url = text({
  max: 2_000,
  description:
    'Where events are sent. Live: HTTPS and public addresses only. Test: also plain HTTP, and loopback addresses outside production.',
  examples: [exampleUrl],
})
const fields = {
  url,
  filters: filterList,
  description: text({ min: 0, max: 500, examples: ['The warehouse'] }),
}

const defaultOverlapHours = 24
const maxOverlapHours = 7 * 24

export interface EndpointRouteDeps {
  vault: Vault
  addresses: Record<Environment, AddressPolicy>
}

export const webhookRoutes = (deps: EndpointRouteDeps): Route[] => [
  ...readingRoutes,
  ...writingRoutes(deps),
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
      isVolatile: true,
    }),
  }),
]

const writingRoutes = ({ vault, addresses }: EndpointRouteDeps): Route[] => [
  post('/v1/webhooks', {
    summary: 'Create a webhook',
    description:
      'Every event from now on that matches one of the filters is sent to the URL, signed as Standard Webhooks 1.0 defines: verify it with the secret and any of its libraries. Events of the same subject arrive one after the other. A reply of 2xx within 15 seconds is a success; otherwise there are ten attempts over 75 hours. A reply of 410, or five days without a success, disables the webhook.',
    scope: 'admin:write',
    body: strict({ url, filters: filterList, description: Type.Optional(fields.description) }),
    reply: Type.Object({ webhook: webhookReply, secret: secretReply }),
    creates: true,
    secrets: ['secret'],
    refusals: ['conflict'],
    prepare: async ({ body, environment }) => refuseInvalid(body, addresses[environment]),
    run: async ({ tx, body: { description = '', ...rest } }) => {
      const { endpoint, secret } = await createEndpoint(tx, vault, { description, ...rest })
      return { data: { ...answer(endpoint).data, secret }, version: endpoint.version }
    },
  }),
  patch('/v1/webhooks/{webhook_id}', {
    summary: 'Change a webhook',
    description: 'Queued deliveries go to the new URL; new filters apply to events from now on.',
    scope: 'admin:write',
    params,
    body: changes(fields),
    reply: oneWebhook,
    versioned: true,
    prepare: async ({ body, environment }) => refuseInvalid(body, addresses[environment]),
    run: async ({ tx, params, body, ifMatch }) =>
      answer(await changeEndpoint(tx, params.webhook_id, { changes: body, ifMatch })),
  }),
  del('/v1/webhooks/{webhook_id}', {
    summary: 'Delete a webhook',
    description: 'Nothing more is sent; queued deliveries are cancelled.',
    scope: 'admin:write',
    params,
    reply: oneWebhook,
    versioned: true,
    run: async ({ tx, params, ifMatch }) => answer(await deleteEndpoint(tx, params.webhook_id, ifMatch)),
  }),
  post('/v1/webhooks/{webhook_id}/rotate-secret', {
    summary: 'Rotate the secret of a webhook',
    description:
      'Until the overlap ends, deliveries are signed with both secrets, so a receiver that knows either of them can verify.',
    scope: 'admin:write',
    params,
    body: strict({
      overlap_hours: Type.Optional(integer(0, maxOverlapHours, { default: defaultOverlapHours })),
    }),
    reply: Type.Object({ webhook: webhookReply, secret: secretReply, old_secret_ends_at: instant }),
    secrets: ['secret'],
    run: async ({ tx, params, body }) => {
      const overlapSeconds = (body?.overlap_hours ?? defaultOverlapHours) * 3_600
      const made = await rotateSecret(tx, vault, { id: params.webhook_id, overlapSeconds })
      const { endpoint, secret, endsAt } = made
      return { data: { ...answer(endpoint).data, secret, old_secret_ends_at: endsAt.toISOString() } }
    },
  }),
]

const stateRoutes: Route[] = [
  post('/v1/webhooks/{webhook_id}/ping', {
    summary: 'Test a webhook',
    description:
      'Sends a `WebhookPinged` event to this webhook only, whatever its filters. The outcome is in its deliveries.',
    scope: 'admin:write',
    params,
    reply: Type.Object({ event_id: uuid }),
    refusals: ['invalid_transition'],
    run: async ({ tx, params }) => ({ data: { event_id: await pingEndpoint(tx, params.webhook_id) } }),
  }),
  post('/v1/webhooks/{webhook_id}/enable', {
    summary: 'Enable a webhook',
    description: 'It receives events from now on; missed ones can be sent with `redeliver`.',
    scope: 'admin:write',
    params,
    reply: oneWebhook,
    run: async ({ tx, params }) => answer(await enableEndpoint(tx, params.webhook_id)),
  }),
  post('/v1/webhooks/{webhook_id}/disable', {
    summary: 'Disable a webhook',
    description: 'Nothing more is sent; queued deliveries are cancelled.',
    scope: 'admin:write',
    params,
    reply: oneWebhook,
    run: async ({ tx, params }) => answer(await disableEndpoint(tx, params.webhook_id)),
  }),
]

export async function foundEndpoint(read: Reader, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(read, id)
  if (!endpoint) throw refuse('not_found', { resource: 'webhook', id })
  return endpoint
}

/** Host names are resolved before the transaction, because that is slow network I/O. */
async function refuseInvalid(
  { url, filters }: { url?: string; filters?: string[] },
  policy: AddressPolicy,
): Promise<undefined> {
  const fields = [
    ...(url === undefined ? [] : await urlFaults(url, policy)),
    ...emptyFilterFaults(filters ?? [], (at) => `filters.${at}`),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return undefined
}

async function urlFaults(url: string, policy: AddressPolicy): Promise<FieldFault[]> {
  const rule =
    urlFault(url, policy) ?? ((await resolvesToPrivateAddress(url, policy)) ? 'private_address' : undefined)
  return rule ? [{ path: 'url', rule, limit: exampleUrl }] : []
}
