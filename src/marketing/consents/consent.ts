// Consent to marketing messages. Transactional messages need none.

import type { Channel } from '../templates/template.ts'

export interface Consent {
  id: string
  /** `client/12`, or an address that belongs to no client. */
  holder: string
  clientId: number | null
  channel: Channel
  category: 'marketing'
  isGranted: boolean
  /** Where it was given, such as `checkout`. */
  source: string
  at: Date
}

export interface ConsentChange {
  number: number
  isGranted: boolean
  source: string
  at: Date
}

export interface ConsentInput {
  holder: string
  clientId: number | null
  channel: Channel
  isGranted: boolean
  source: string
}
