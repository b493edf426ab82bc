// Whether somebody wants to be written to. Only marketing asks for it; what somebody waits for he is always told.

import type { Channel } from '../templates/template.ts'

export interface Consent {
  id: string
  /** `client/12`, or a bare address. */
  holder: string
  clientId: number | null
  channel: Channel
  category: 'marketing'
  isGranted: boolean
  /** Where it was said. */
  source: string
  at: Date
}

export interface ConsentChange {
  number: number
  isGranted: boolean
  source: string
  at: Date
}
