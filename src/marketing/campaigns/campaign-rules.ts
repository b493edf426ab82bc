import type { QuietHours } from './quiet-hours.ts'

/** What holds for all campaigns together. */
export interface CampaignRules {
  quietHours: QuietHours
  /** How many messages of campaigns a client gets at most in any twenty-four hours, and in any seven days. */
  messagesPerDay: number
  messagesPerWeek: number
  version: number
}
