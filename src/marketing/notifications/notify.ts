import type { Tx, Reader } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { languageOrder, loadShopProfile, type ShopProfile } from '../../catalog/index.ts'
import type { Language } from '../../http/language.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { grantedConsents, languagesOf } from '../consents/store.ts'
import { clientsWithDevices } from '../devices/store.ts'
import { insertNotifications, type NewNotification, notificationsByKey } from './store.ts'
import { templatesBySlug } from '../templates/store.ts'
import { refuseEmptyLinks, refuseMissing } from '../templates/render.ts'
import { type Channel, languageFor, type Template } from '../templates/template.ts'
import type { Variables } from '../templates/variables.ts'
import { addressOf, holderOf } from '../consents/recipient.ts'
import { type Category, type Notification, type Suppression, suppression } from './notification.ts'

export interface NotificationRequest {
  to: { clientId: number } | { address: string }
  channel: Channel
  /** The slug of a template of that channel. */
  template: string
  /** Default: the client's choice, else the default of the shop; a language that the shop does not offer is ignored. */
  language?: Language | undefined
  /** `client.name` and `shop.url` are filled in. */
  variables: Variables
  /** Idempotency key: the same key creates one notification, for ever. */
  key: string
  campaignId?: number | undefined
  category: Category
  /** The earliest time to send; default: now. */
  notBefore?: Date | undefined
}

export interface NotifyResult {
  notification: Notification
  /** False when the key existed; then `notification` is the first one. */
  isNew: boolean
}

/** Per call: all rows are inserted by one statement. */
export const maxRequests = 1_000

/** Creates a notification in the caller's transaction; the worker sends it after the commit. */
export async function notify(tx: Tx, request: NotificationRequest): Promise<NotifyResult> {
  const [result] = await notifyAll(tx, [request])
  return result!
}

/** Creates many notifications with few statements; returns them in the order of the requests. */
export async function notifyAll(tx: Tx, requests: readonly NotificationRequest[]): Promise<NotifyResult[]> {
  if (requests.length > maxRequests)
    throw new Error(`${requests.length} requests exceed the limit of ${maxRequests}`)
  if (requests.length === 0) return []
  const context = await loadContext(tx, requests)
  const fresh = requests.map((it) => buildNotification(tx, it, context))
  const inserted = await insertNotifications(tx, fresh)
  const all = new Map(
    (
      await notificationsByKey(
        tx,
        fresh.map((it) => it.key),
      )
    ).map((it) => [it.key, it]),
  )
  const results = fresh.map((it) => ({ notification: all.get(it.key)!, isNew: inserted.has(it.id) }))
  const suppressed = results.filter((it) => it.isNew && it.notification.status === 'suppressed')
  publishAll(
    tx,
    suppressed.map(({ notification: it }) => ({
      type: 'NotificationSuppressed' as const,
      notificationId: it.id,
      channel: it.channel,
      category: it.category,
      clientId: it.clientId,
      campaignId: it.campaignId,
      reason: it.reason as Suppression,
    })),
  )
  return results
}

interface RequestContext {
  templates: Map<string, Template>
  contacts: Map<number, { name: string; phone: string | null; email: string | null }>
  languages: Map<number, Language>
  shop: ShopProfile
  consents: ReadonlyMap<string, string>
  withDevices: ReadonlySet<number>
}

async function loadContext(tx: Tx, requests: readonly NotificationRequest[]): Promise<RequestContext> {
  const clients = [...new Set(requests.flatMap(({ to }) => ('clientId' in to ? [to.clientId] : [])))]
  const marketing = requests.filter((it) => it.category === 'marketing').map(consentKey)
  const slugs = [...new Set(requests.map((it) => it.template))]
  const pushes = requests.some((it) => it.channel === 'push')
  const [templates, contacts, languages, shop, consents, withDevices] = await tx.pipeline(() =>
    Promise.all([
      templatesBySlug(tx, slugs),
      contactsOfClients(tx, clients),
      languagesOf(tx, clients),
      loadShopProfile(tx),
      grantedConsents(tx, marketing),
      pushes ? clientsWithDevices(tx, clients) : new Set<number>(),
    ]),
  )
  return {
    templates: new Map(templates.map((it) => [`${it.channel}/${it.slug}`, it])),
    contacts: new Map(contacts.map((it) => [it.id, it])),
    languages,
    shop,
    consents,
    withDevices,
  }
}

function buildNotification(tx: Tx, request: NotificationRequest, context: RequestContext): NewNotification {
  const { to, channel, category, key, campaignId = null, notBefore } = request
  const template = context.templates.get(`${channel}/${request.template}`)
  if (!template?.isActive)
    throw refuse('validation_failed', { fields: [{ path: 'template', rule: 'exists' }] })
  const clientId = 'clientId' in to ? to.clientId : null
  const contact = clientId === null ? undefined : context.contacts.get(clientId)
  const variables = {
    ...request.variables,
    client: { name: contact?.name ?? null, ...request.variables['client'] },
  }
  refuseMissing(template.texts, variables)
  refuseEmptyLinks(template.texts, [
    ...(category === 'transactional' ? ['unsubscribe.url'] : []),
    ...('password_reset' in request.variables ? [] : ['password_reset.url']),
  ])
  const address =
    'address' in to ? addressOf(to.address, channel, 'address') : contactAddress(contact, channel)
  const hasAddress =
    address !== null || (channel === 'push' && clientId !== null && context.withDevices.has(clientId))
  const reason = suppression({
    category,
    hasAddress,
    hasConsent: context.consents.has(`${holderOf(clientId, address)} ${channel}`),
  })
  const chosen = clientId === null ? undefined : context.languages.get(clientId)
  return {
    id: timedUuid(tx.now),
    key,
    category,
    channel,
    clientId,
    address,
    templateId: template.id,
    templateVersion: template.version,
    language: languageFor(template.texts, ...languageOrder(context.shop, request.language, chosen)),
    variables,
    campaignId,
    status: reason === null ? 'queued' : 'suppressed',
    reason,
    nextAt: reason === null ? laterOf(tx.now, notBefore) : null,
  }
}

const laterOf = (now: Date, then: Date | undefined): Date => (then !== undefined && then > now ? then : now)

const consentKey = ({ to, channel }: NotificationRequest): { holder: string; channel: Channel } => ({
  holder:
    'clientId' in to
      ? holderOf(to.clientId, null)
      : holderOf(null, addressOf(to.address, channel, 'address')),
  channel,
})

/** Which of these clients have an address or a device for a channel. */
export async function reachableAmong(
  read: Reader,
  channel: Channel,
  clientIds: readonly number[],
): Promise<Set<number>> {
  if (channel === 'push') return clientsWithDevices(read, clientIds)
  const contacts = await contactsOfClients(read, clientIds)
  return new Set(contacts.filter((it) => contactAddress(it, channel) !== null).map((it) => it.id))
}

/** The address of a client; null for push messages, which go to devices. */
export const contactAddress = (
  contact: { phone: string | null; email: string | null } | undefined,
  channel: Channel,
): string | null => (channel === 'email' ? contact?.email : channel === 'sms' ? contact?.phone : null) ?? null
