// One message to one recipient over one channel.

import type { Language } from '../../http/language.ts'
import type { Channel } from '../templates/template.ts'
import type { Variables } from '../templates/variables.ts'

/** Transactional messages follow an action of the recipient; marketing messages need consent. */
export const categories = ['transactional', 'marketing'] as const
export type Category = (typeof categories)[number]

/**
 * queued → sending → sent. A temporary failure leads to retrying and back to sending, a permanent one to dead.
 * Held: the environment has no provider for the channel. Suppressed: no consent or no address. Cancelled: by an operator, or
 * because its client was erased.
 */
export const statuses = [
  'queued',
  'sending',
  'retrying',
  'held',
  'sent',
  'dead',
  'suppressed',
  'cancelled',
] as const
export type Status = (typeof statuses)[number]

const suppressions = ['no_consent', 'no_address', 'expired'] as const
export type Suppression = (typeof suppressions)[number]
const failures = ['no_provider', 'refused', 'too_many_attempts'] as const
export type Failure = (typeof failures)[number]
/** Why a notification is suppressed, held, dead or cancelled. */
export const notificationReasons = [...suppressions, ...failures, 'by_hand', 'erased'] as const
export type NotificationReason = (typeof notificationReasons)[number]

export interface Notification {
  id: string
  /** Unique: a second request with the same key creates nothing. */
  key: string
  category: Category
  channel: Channel
  clientId: number | null
  /** An e-mail address or phone number; null for push messages, whose devices are looked up at sending. */
  address: string | null
  templateId: number
  templateVersion: number
  template: string
  language: Language
  variables: Variables
  campaignId: number | null
  status: Status
  reason: NotificationReason | null
  attempts: number
  nextAt: Date | null
  providerId: string | null
  createdAt: Date
  endedAt: Date | null
  deliveredAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
}

/** Keys of messages to members of the shop begin with this. Members are not buyers: the log shows these to admins only. */
export const memberKeyPrefix = 'member-password-reset/'

/** The reason not to send at all, if there is one. */
export function suppression(of: {
  category: Category
  hasAddress: boolean
  hasConsent: boolean
}): Suppression | null {
  if (of.category === 'marketing' && !of.hasConsent) return 'no_consent'
  return of.hasAddress ? null : 'no_address'
}
