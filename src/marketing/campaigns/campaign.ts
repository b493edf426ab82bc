// What a campaign is, and the steps of its life. Nothing here waits or knows SQL.

import { refuse } from '../../base/refusal.ts'
import type { Channel } from '../templates/template.ts'
import type { Audience } from './conditions.ts'
import type { When } from './cues.ts'
import type { QuietHours } from './quiet-hours.ts'

export const campaignStates = ['draft', 'running', 'paused', 'finished'] as const
export type CampaignState = (typeof campaignStates)[number]

/** What an operator says of a campaign. */
export interface CampaignRecord {
  name: string
  channel: Channel
  /** The slug of a template for the channel. */
  template: string
  /** What the template finds under `custom`. */
  variables: Readonly<Record<string, string>>
  audience: Audience
  /** What sets messages off: a date, a schedule, or an occasion of each client's own. */
  when: When
  /** Null takes those of all campaigns. */
  quietHours: QuietHours | null
  /** After how many days a client may be written to again; null is never. */
  repeatDays: number | null
  /** How many of a hundred are never written to, so that the others can be compared with them. */
  holdoutPercent: number
  budgetMessages: number | null
  budgetTiyin: number | null
  /** What one message costs. */
  priceTiyin: number
  /** For how many days after a message an order counts as its fruit. */
  attributionDays: number
  endsAt: Date | null
}

export interface Campaign extends CampaignRecord {
  id: number
  state: CampaignState
  sent: number
  costTiyin: number
  /** Of those that were sent, how many were given up, opened as far as one knows, and followed. */
  failed: number
  opened: number
  clicked: number
  /** Up to which instant occasions have been looked for. */
  markedAt: Date | null
  pauseReason: PauseReason | null
  startedAt: Date | null
  finishedAt: Date | null
  finishReason: FinishReason | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** By hand, because its period or its budget was over, or because its one date has passed and everybody was served. */
export const finishReasons = ['by_hand', 'ended', 'budget_reached', 'done'] as const
export type FinishReason = (typeof finishReasons)[number]

/** By hand, or because its template cannot be used any more. */
export const pauseReasons = ['by_hand', 'template_unusable'] as const
export type PauseReason = (typeof pauseReasons)[number]

type Step = 'start' | 'pause' | 'resume' | 'finish' | 'change' | 'delete'

// oxfmt-ignore
const steps: Record<Step, readonly CampaignState[]> = {
  start:  ['draft'],
  pause:  ['running'],
  resume: ['paused'],
  finish: ['running', 'paused'],
  change: ['draft', 'paused'],
  delete: ['draft'],
}

/** What may be done with a campaign in a state. */
export const allowedSteps = (state: CampaignState): Step[] =>
  (Object.keys(steps) as Step[]).filter((it) => steps[it].includes(state))

/** Refuses a step that the state does not allow, and says which ones it does. */
export function refuseUnlessAllowed({ state }: Pick<Campaign, 'state'>, asked: Step): void {
  if (!steps[asked].includes(state))
    throw refuse('invalid_transition', { state, asked, allowed: allowedSteps(state) })
}

/** Results are comparable only while groups and occasions stay what they were; the names are those of the wire. */
export const fixedOnceStarted = {
  holdoutPercent: 'holdout_percent',
  channel: 'channel',
  when: 'when',
} as const

/** How many more messages a budget pays for; infinity without one. */
export function messagesLeft(
  it: Pick<Campaign, 'budgetMessages' | 'budgetTiyin' | 'priceTiyin' | 'sent' | 'costTiyin'>,
): number {
  const byNumber = it.budgetMessages === null ? Infinity : it.budgetMessages - it.sent
  const byMoney =
    it.budgetTiyin === null || it.priceTiyin === 0
      ? Infinity
      : Math.floor((it.budgetTiyin - it.costTiyin) / it.priceTiyin)
  return Math.max(0, Math.min(byNumber, byMoney))
}
