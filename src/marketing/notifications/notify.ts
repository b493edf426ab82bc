import type { Tx } from '../../base/db.ts'
import { publishAll } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Language } from '../../http/language.ts'
import { contactsOfClients } from '../../identity/index.ts'
import { grantedConsents } from '../store/consents.ts'
import { clientsWithDevices } from '../store/devices.ts'
import { languagesOf } from '../store/languages.ts'
import { insertNotifications, type NewNotification, notificationsByKey } from '../store/notifications.ts'
import { templatesBySlug } from '../store/templates.ts'
import { refuseMissing } from '../templates/render.ts'
import { type Channel, languageFor, type Template } from '../templates/template.ts'
import type { Variables } from '../templates/variables.ts'
import { addressOf } from './address.ts'
import { holderOf } from './holder.ts'
import { type Category, type Notification, suppression } from './notification.ts'
import { contactAddress } from './reachable.ts'

/** A wish to write to somebody. */
export interface Notice {
  to: { clientId: number } | { address: string }
  channel: Channel
  /** The slug of a template of that channel. */
  template: string
  /** The client's own choice when it is left out, else the shop's. */
  language?: Language | undefined
  /** Without `client.name` and `shop.url`, which are filled in. */
  variables: Variables
  /** The same key is written once, for ever. */
  key: string
  campaignId?: number | undefined
  category: Category
  /** Not sent before this instant; at once when it is left out. */
  notBefore?: Date | undefined
}

export interface Noted {
  notification: Notification
  /** False when the key was known: then this is the one that was written first. */
  isNew: boolean
}

/** At most so many in one call: each is a row, and all are one statement. */
export const mostNotices = 1_000

/** Writes a notification in the caller's transaction; it is sent after the commit, by another. */
export async function notify(tx: Tx, notice: Notice): Promise<Noted> {
  const [noted] = await notifyAll(tx, [notice])
  return noted!
}

/** Writes many notifications with a handful of statements, and returns them in the order in which they were wished. */
export async function notifyAll(tx: Tx, notices: readonly Notice[]): Promise<Noted[]> {
  if (notices.length > mostNotices) throw new Error(`${notices.length} notices at once are too many`)
  if (notices.length === 0) return []
  const known = await knownOf(tx, notices)
  const fresh = notices.map((it) => written(tx, it, known))
  const inserted = await insertNotifications(tx, fresh)
  const all = new Map(
    (
      await notificationsByKey(
        tx,
        fresh.map((it) => it.key),
      )
    ).map((it) => [it.key, it]),
  )
  const noted = fresh.map((it) => ({ notification: all.get(it.key)!, isNew: inserted.has(it.id) }))
  const suppressed = noted.filter((it) => it.isNew && it.notification.status === 'suppressed')
  await publishAll(
    tx,
    suppressed.map(({ notification: it }) => ({
      type: 'NotificationSuppressed' as const,
      notificationId: it.id,
      channel: it.channel,
      category: it.category,
      clientId: it.clientId,
      campaignId: it.campaignId,
      reason: it.reason!,
    })),
  )
  return noted
}

interface Known {
  templates: Map<string, Template>
  contacts: Map<number, { name: string; phone: string | null; email: string | null }>
  languages: Map<number, Language>
  consents: ReadonlyMap<string, string>
  withDevices: ReadonlySet<number>
}

async function knownOf(tx: Tx, notices: readonly Notice[]): Promise<Known> {
  const clients = [...new Set(notices.flatMap(({ to }) => ('clientId' in to ? [to.clientId] : [])))]
  const marketing = notices.filter((it) => it.category === 'marketing').map(asked)
  const slugs = [...new Set(notices.map((it) => it.template))]
  const pushes = notices.some((it) => it.channel === 'push')
  const [templates, contacts, languages, consents, withDevices] = await tx.together(() =>
    Promise.all([
      templatesBySlug(tx, slugs),
      contactsOfClients(tx, clients),
      languagesOf(tx, clients),
      grantedConsents(tx, marketing),
      pushes ? clientsWithDevices(tx, clients) : new Set<number>(),
    ]),
  )
  return {
    templates: new Map(templates.map((it) => [`${it.channel}/${it.slug}`, it])),
    contacts: new Map(contacts.map((it) => [it.id, it])),
    languages,
    consents,
    withDevices,
  }
}

function written(tx: Tx, notice: Notice, known: Known): NewNotification {
  const { to, channel, category, key, campaignId = null, notBefore } = notice
  const template = known.templates.get(`${channel}/${notice.template}`)
  if (!template?.isActive)
    throw refuse('validation_failed', { fields: [{ path: 'template', rule: 'exists' }] })
  const clientId = 'clientId' in to ? to.clientId : null
  const contact = clientId === null ? undefined : known.contacts.get(clientId)
  const variables = {
    ...notice.variables,
    client: { name: contact?.name ?? null, ...notice.variables['client'] },
  }
  refuseMissing(template.texts, variables)
  const address =
    'address' in to ? addressOf(to.address, channel, 'address') : contactAddress(contact, channel)
  const hasAddress =
    address !== null || (channel === 'push' && clientId !== null && known.withDevices.has(clientId))
  const reason = suppression({
    category,
    hasAddress,
    hasConsent: known.consents.has(`${holderOf(clientId, address)} ${channel}`),
  })
  const wished = notice.language ?? (clientId === null ? undefined : known.languages.get(clientId)) ?? 'ru'
  return {
    id: timedUuid(tx.now),
    key,
    category,
    channel,
    clientId,
    address,
    templateId: template.id,
    templateVersion: template.version,
    language: languageFor(template.texts, wished),
    variables,
    campaignId,
    status: reason === null ? 'queued' : 'suppressed',
    reason,
    nextAt: reason === null ? laterOf(tx.now, notBefore) : null,
  }
}

const laterOf = (now: Date, then: Date | undefined): Date => (then !== undefined && then > now ? then : now)

const asked = ({ to, channel }: Notice): { holder: string; channel: Channel } => ({
  holder:
    'clientId' in to
      ? holderOf(to.clientId, null)
      : holderOf(null, addressOf(to.address, channel, 'address')),
  channel,
})
