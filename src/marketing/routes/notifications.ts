// The paths of notifications.

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { secretUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Route } from '../../http/route.ts'
import { list, oneOf, slug, strict, text } from '../../http/schema.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { addressOf } from '../notifications/address.ts'
import { cancelNotification } from '../notifications/cancel-notification.ts'
import { shownContent } from '../notifications/compose.ts'
import { noteDelivered } from '../notifications/note-trace.ts'
import { categories, type Notification, statuses } from '../notifications/notification.ts'
import { notify } from '../notifications/notify.ts'
import { retryNotification } from '../notifications/retry-notification.ts'
import {
  attemptsOf,
  findNotification,
  listNotifications,
  lockNotification,
  notificationSorts,
} from '../store/notifications.ts'
import { findVersions } from '../store/templates.ts'
import { givenVariables } from '../templates/given-variables.ts'
import {
  attemptView,
  channel,
  contentView,
  language,
  notificationReply,
  notificationView,
  uuid,
  variablesIn,
  whom,
  wholeNotification,
} from './wire.ts'
import { personOf } from './person.ts'

const params = { notification_id: uuid }
const oneNotification = Type.Object({ notification: notificationReply })
const answer = (it: Notification) => ({ data: { notification: notificationView(it) } })
const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))

export const notificationRoutes = (shopUrl: string): Route[] => [...readingRoutes(shopUrl), ...writingRoutes]

const readingRoutes = (shopUrl: string): Route[] => [
  get('/v1/marketing/notifications', {
    summary: 'List notifications',
    description: 'What was written to buyers in the last ninety days, newest first.',
    scope: 'marketing:read',
    query: listQuery(
      notificationSorts,
      {
        status: Type.Optional(oneOf(statuses)),
        channel: Type.Optional(channel),
        category: Type.Optional(oneOf(categories)),
        client_id: idFilter('Of one client.'),
        campaign_id: idFilter('Of one campaign.'),
        template: Type.Optional(slug),
        key: Type.Optional(text({ max: 255 })),
      },
      '-created_at',
    ),
    reply: Type.Object({ notifications: list(notificationReply, 100), pagination }),
    run: async ({ read, query }) => {
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
      }
      const slice = await listNotifications(read, filter, listing)
      return {
        data: { notifications: slice.rows.map(notificationView), pagination: paginationView(listing, slice) },
      }
    },
  }),
  get('/v1/marketing/notifications/{notification_id}', {
    summary: 'Get a notification with its text and all its tries',
    description: 'The text as it was sent, except that links are shown as they stand in the template.',
    scope: 'marketing:read',
    params,
    reply: Type.Object({ notification: wholeNotification }),
    run: async ({ read, params }) => {
      const it = await found(read, params.notification_id)
      const { templateId, templateVersion: version } = it
      const [attempts, [sent]] = await Promise.all([
        attemptsOf(read, it.id),
        findVersions(read, [{ templateId, version }]),
      ])
      const content = contentView(shownContent(it, sent!.texts, shopUrl))
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
      'One message that somebody waits for, such as a code; campaigns send marketing. Name a client, who must stand, or an address. It is queued and sent within a second; without an address it is `suppressed`. The same `key` is sent once, whoever asks.',
    scope: 'marketing:write',
    body: strict({
      ...whom,
      channel,
      template: slug,
      language: Type.Optional(language),
      variables: Type.Optional(variablesIn),
      key: Type.Optional(
        text({
          max: 200,
          pattern: '^[!-~]+$',
          description: 'Your own name for it.',
          examples: ['code/4711'],
        }),
      ),
    }),
    reply: oneNotification,
    creates: true,
    refusals: ['conflict'],
    run: async ({ tx, body }) => {
      const { channel, template, language, variables = {}, key = secretUuid() } = body
      const to = personOf(body)
      await refuseUnknown(tx, to)
      const wish = { to, channel, template, language, variables: givenVariables(variables) }
      const { notification, isNew } = await notify(tx, {
        ...wish,
        key: `api/${key}`,
        category: 'transactional',
      })
      if (!isNew) refuseOther(notification, { to, channel, template })
      return answer(notification)
    },
  }),
  post('/v1/marketing/notifications/{notification_id}/retry', {
    summary: 'Send a notification that was given up',
    description: 'It gets all its tries again. One that is `held` is taken up too.',
    scope: 'marketing:write',
    params,
    reply: oneNotification,
    refusals: ['invalid_transition'],
    run: async ({ tx, params }) => answer(await retryNotification(tx, params.notification_id)),
  }),
  post('/v1/marketing/notifications/{notification_id}/cancel', {
    summary: 'Send a notification no more',
    description: 'As long as it is `queued`, `retrying` or `held`.',
    scope: 'marketing:write',
    params,
    reply: oneNotification,
    refusals: ['invalid_transition'],
    run: async ({ tx, params }) => answer(await cancelNotification(tx, params.notification_id)),
  }),
  post('/v1/marketing/notifications/{notification_id}/delivered', {
    summary: 'Note that a notification has arrived',
    description: 'For providers that tell you so: pass their receipt on.',
    scope: 'marketing:write',
    params,
    reply: oneNotification,
    refusals: ['invalid_transition'],
    run: async ({ tx, params }) => {
      const it = await lockNotification(tx, params.notification_id)
      if (!it) throw refuse('not_found')
      await noteDelivered(tx, it)
      return answer(await found(tx, it.id))
    },
  }),
]

async function found(read: Reader, id: string): Promise<Notification> {
  const it = await findNotification(read, id)
  if (!it) throw refuse('not_found')
  return it
}

/** Whoever asks for a message to nobody has mistaken the number; what the shop writes of its own accord is suppressed. */
async function refuseUnknown(read: Reader, to: ReturnType<typeof personOf>): Promise<void> {
  if ('clientId' in to && (await contactsOfClients(read, [to.clientId])).length === 0)
    throw refuse('validation_failed', { fields: [{ path: 'client_id', rule: 'exists' }] })
}

/** A key that was used for something else is a slip of the caller. */
function refuseOther(
  first: Notification,
  { to, channel, template }: { to: ReturnType<typeof personOf>; channel: string; template: string },
): void {
  const isSame =
    first.channel === channel &&
    first.template === template &&
    ('clientId' in to
      ? first.clientId === to.clientId
      : first.address === addressOf(to.address, first.channel, 'address'))
  if (!isSame) throw refuse('conflict', { reason: 'key_taken', notification_id: first.id })
}
