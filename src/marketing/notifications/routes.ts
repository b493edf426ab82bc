// Notifications: their routes and wire shapes.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { secretUuid } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Principal, type Route } from '../../http/route.ts'
import {
  idText,
  instant,
  integer,
  list,
  named,
  nullable,
  oneOf,
  slug,
  strict,
  text,
} from '../../http/schema.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { addressOf, recipientFields, recipientOf } from '../consents/recipient.ts'
import { channel, contentReply, contentView, language, uuid, variablesIn } from '../templates/routes.ts'
import { maxAttempts } from './sending-limits.ts'
import { cancelNotification, recordDelivered, retryNotification } from './notification-steps.ts'
import { contentForDisplay } from './compose-message.ts'
import {
  categories,
  memberKeyPrefix,
  type Notification,
  notificationReasons,
  statuses,
} from './notification.ts'
import { notify } from './notify.ts'
import {
  type Attempt,
  attemptsOf,
  findNotification,
  listNotifications,
  lockNotification,
  notificationSorts,
} from './store.ts'
import { findVersions } from '../templates/store.ts'
import { parseVariables } from '../templates/parse-variables.ts'

const notificationFields = {
  id: uuid,
  key: Type.String({ description: 'Idempotency key: one notification per key.' }),
  category: oneOf(categories),
  channel,
  client_id: nullable(idText),
  to: nullable(Type.String({ examples: ['aziza@mail.uz'] })),
  template: Type.String({ examples: ['order-placed'] }),
  template_id: idText,
  template_version: integer(1, Number.MAX_SAFE_INTEGER),
  language,
  campaign_id: nullable(idText),
  status: oneOf(statuses),
  reason: nullable(oneOf(notificationReasons)),
  attempts: integer(0, Number.MAX_SAFE_INTEGER),
  next_attempt_at: nullable(instant),
  provider_id: nullable(Type.String()),
  created_at: instant,
  ended_at: nullable(instant),
  delivered_at: nullable(instant),
  opened_at: nullable(instant),
  clicked_at: nullable(instant),
}
const notificationReply = named('Notification', Type.Object(notificationFields))

const at = (instant: Date | null) => instant?.toISOString() ?? null
const idOf = (it: number | null) => (it === null ? null : String(it))

const notificationView = (it: Notification) => ({
  id: it.id,
  key: it.key,
  category: it.category,
  channel: it.channel,
  client_id: idOf(it.clientId),
  to: it.address,
  template: it.template,
  template_id: String(it.templateId),
  template_version: it.templateVersion,
  language: it.language,
  campaign_id: idOf(it.campaignId),
  status: it.status,
  reason: it.reason,
  attempts: it.attempts,
  next_attempt_at: at(it.nextAt),
  provider_id: it.providerId,
  created_at: it.createdAt.toISOString(),
  ended_at: at(it.endedAt),
  delivered_at: at(it.deliveredAt),
  opened_at: at(it.openedAt),
  clicked_at: at(it.clickedAt),
})

const attemptReply = Type.Object({
  number: integer(1, Number.MAX_SAFE_INTEGER),
  at: instant,
  duration_ms: integer(0, Number.MAX_SAFE_INTEGER),
  outcome: oneOf(['sent', 'failed', 'refused']),
  status: nullable(integer(0, 999, { description: 'The SMTP or HTTP status.' })),
  reply: nullable(Type.String({ examples: ['250 2.0.0 Ok: queued as 4XyZ'] })),
  error: nullable(Type.String({ examples: ['ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:25'] })),
})
const wholeNotification = named(
  'NotificationWithLog',
  Type.Object({
    ...notificationFields,
    content: contentReply,
    log: list(attemptReply, 100 * maxAttempts),
  }),
)

const attemptView = (it: Attempt) => ({
  number: it.number,
  at: it.at.toISOString(),
  duration_ms: it.milliseconds,
  outcome: it.outcome,
  status: it.status,
  reply: it.reply,
  error: it.error,
})

const params = { notification_id: uuid }
const oneNotification = Type.Object({ notification: notificationReply })
const answer = (it: Notification) => ({ data: { notification: notificationView(it) } })
const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))

export const notificationRoutes = (shopUrl: string): Route[] => [...readingRoutes(shopUrl), ...writingRoutes]

const readingRoutes = (shopUrl: string): Route[] => [
  get('/v1/marketing/notifications', {
    summary: 'List notifications',
    description:
      'The messages to buyers of the last ninety days, newest first. With `admin:read` also those to members of the shop.',
    scope: 'marketing:read',
    query: listQuery(
      notificationSorts,
      {
        status: Type.Optional(oneOf(statuses)),
        channel: Type.Optional(channel),
        category: Type.Optional(oneOf(categories)),
        client_id: idFilter('Notifications of one client.'),
        campaign_id: idFilter('Notifications of one campaign.'),
        template: Type.Optional(slug),
        key: Type.Optional(text({ max: 255 })),
      },
      '-created_at',
    ),
    reply: Type.Object({ notifications: list(notificationReply, 100), pagination }),
    run: async ({ read, query, principal }) => {
      const listing = listingOf(query, '-created_at')
      const { status, channel, category, template, key } = query
      const filter = {
        status,
        channel,
        category,
        template,
        key,
        clientId: numberOf(query.client_id),
        campaignId: numberOf(query.campaign_id),
        withMembers: seesMembers(principal),
      }
      const slice = await listNotifications(read, filter, listing)
      return {
        data: { notifications: slice.rows.map(notificationView), pagination: paginationView(listing, slice) },
      }
    },
  }),
  get('/v1/marketing/notifications/{notification_id}', {
    summary: 'Get a notification with its text and all attempts',
    description: 'The text as it was sent, except that links are shown as in the template.',
    scope: 'marketing:read',
    params,
    reply: Type.Object({ notification: wholeNotification }),
    run: async ({ read, params, principal }) => {
      const it = await found(read, params.notification_id, principal)
      const { templateId, templateVersion: version } = it
      const [attempts, [sent]] = await Promise.all([
        attemptsOf(read, it.id),
        findVersions(read, [{ templateId, version }]),
      ])
      const content = contentView(contentForDisplay(it, sent!.texts, shopUrl))
      return {
        data: { notification: { ...notificationView(it), content, log: attempts.map(attemptView) } },
      }
    },
  }),
]

const writingRoutes: Route[] = [
  post('/v1/marketing/notifications', {
    summary: 'Send a notification',
    description:
      'Sends one transactional message, such as a code; marketing messages are sent by campaigns. Pass an existing client or an address. The message is queued and sent within a second; without an address it is `suppressed`. The same `key` is sent once, whichever application calls.',
    scope: 'marketing:write',
    body: strict({
      ...recipientFields,
      channel,
      template: slug,
      language: Type.Optional(language),
      variables: Type.Optional(variablesIn),
      key: Type.Optional(
        text({
          max: 200,
          pattern: '^[!-~]+$',
          description: 'Your idempotency key.',
          examples: ['code/4711'],
        }),
      ),
    }),
    reply: oneNotification,
    creates: 'sometimes',
    refusals: ['conflict'],
    run: async ({ tx, body }) => {
      const { channel, template, language, variables = {}, key = secretUuid() } = body
      const to = recipientOf(body)
      await refuseUnknown(tx, to)
      const request = { to, channel, template, language, variables: parseVariables(variables) }
      const { notification, isNew } = await notify(tx, {
        ...request,
        key: `api/${key}`,
        category: 'transactional',
      })
      if (!isNew) refuseOther(notification, { to, channel, template })
      return { ...answer(notification), created: isNew }
    },
  }),
  post('/v1/marketing/notifications/{notification_id}/retry', {
    summary: 'Retry a notification',
    description: 'For notifications that are `dead` or `held`. The number of attempts starts again.',
    scope: 'marketing:write',
    params,
    reply: oneNotification,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, principal }) => {
      const { id } = await found(tx, params.notification_id, principal)
      return answer(await retryNotification(tx, id))
    },
  }),
  post('/v1/marketing/notifications/{notification_id}/cancel', {
    summary: 'Cancel a notification',
    description: 'While it is `queued`, `retrying` or `held`.',
    scope: 'marketing:write',
    params,
    reply: oneNotification,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, principal }) => {
      const { id } = await found(tx, params.notification_id, principal)
      return answer(await cancelNotification(tx, id))
    },
  }),
  post('/v1/marketing/notifications/{notification_id}/delivered', {
    summary: 'Record the delivery of a notification',
    description: 'Pass on the delivery receipt of your provider.',
    scope: 'marketing:write',
    params,
    reply: oneNotification,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, principal }) => {
      const { id } = await found(tx, params.notification_id, principal)
      await recordDelivered(tx, (await lockNotification(tx, id))!)
      return answer(await found(tx, id, principal))
    },
  }),
]

/** Members are not buyers: `marketing:read` shows nothing about them. */
const seesMembers = (principal: Principal | null): boolean => principal?.scopes.has('admin:read') ?? false

async function found(read: Reader, id: string, principal: Principal | null): Promise<Notification> {
  const it = await findNotification(read, id)
  if (!it || (it.key.startsWith(memberKeyPrefix) && !seesMembers(principal))) throw refuse('not_found')
  return it
}

/** An unknown client is an error of the caller; messages of the platform itself are suppressed instead. */
async function refuseUnknown(read: Reader, to: ReturnType<typeof recipientOf>): Promise<void> {
  if ('clientId' in to && (await contactsOfClients(read, [to.clientId])).length === 0)
    throw refuse('validation_failed', { fields: [{ path: 'client_id', rule: 'exists' }] })
}

/** A key must not be reused for another message. */
function refuseOther(
  first: Notification,
  { to, channel, template }: { to: ReturnType<typeof recipientOf>; channel: string; template: string },
): void {
  const isSame =
    first.channel === channel &&
    first.template === template &&
    ('clientId' in to
      ? first.clientId === to.clientId
      : first.address === addressOf(to.address, first.channel, 'address'))
  if (!isSame) throw conflict('key_taken', { notification_id: first.id })
}
