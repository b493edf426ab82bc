// One message to one person over one channel, from the wish to its end.

import type { Language } from '../../http/language.ts'
import type { Channel } from '../templates/template.ts'
import type { Variables } from '../templates/variables.ts'

/** Transactional is what somebody waits for because of what he did; marketing is all that he only agreed to. */
export const categories = ['transactional', 'marketing'] as const
export type Category = (typeof categories)[number]

/**
 * queued → sending → sent; a failure that may pass leads to retrying and again to sending, one that may not to dead.
 * Held: this environment has nobody to send it. Suppressed: there is no consent or no address. Cancelled: by hand.
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

export interface Notification {
  id: string
  /** Whoever wants the same twice names it the same, and it is written once. */
  key: string
  category: Category
  channel: Channel
  clientId: number | null
  /** An e-mail, a number, or of push messages null: the devices are looked up when it is sent. */
  address: string | null
  templateId: number
  templateVersion: number
  template: string
  language: Language
  variables: Variables
  campaignId: number | null
  status: Status
  /** Why it is held, suppressed, dead or cancelled. */
  reason: string | null
  attempts: number
  nextAt: Date | null
  providerId: string | null
  createdAt: Date
  endedAt: Date | null
  deliveredAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
}

/** Why nothing is sent, if so: no address, or marketing without consent. */
export function suppression(of: {
  category: Category
  hasAddress: boolean
  hasConsent: boolean
}): 'no_address' | 'no_consent' | null {
  if (of.category === 'marketing' && !of.hasConsent) return 'no_consent'
  return of.hasAddress ? null : 'no_address'
}
