// A campaign, its states, and the rules that hold for all campaigns. Pure.

import { refuse } from '../../base/refusal.ts'
import type { Channel } from '../templates/template.ts'
import type { Audience } from './audience.ts'
import type { Trigger } from './triggers.ts'
import { sha256 } from '../../base/random.ts'

export const campaignStates = ['draft', 'running', 'paused', 'finished'] as const
export type CampaignState = (typeof campaignStates)[number]

/** The settings of a campaign. */
export interface CampaignInput {
  name: string
  channel: Channel
  /** The slug of a template for the channel. */
  template: string
  /** Available to the template under `custom`. */
  variables: Readonly<Record<string, string>>
  audience: Audience
  /** `when` on the wire. */
  trigger: Trigger
  /** Null: the quiet hours of all campaigns. */
  quietHours: QuietHours | null
  /** Days until a client may get another message; null: never. */
  repeatDays: number | null
  /** Percentage of clients that never get a message, as a control group. */
  holdoutPercent: number
  budgetMessages: number | null
  budgetTiyin: number | null
  /** Cost of one message. */
  priceTiyin: number
  /** Days after a message in which orders are attributed to it. */
  attributionDays: number
  endsAt: Date | null
}

export interface Campaign extends CampaignInput {
  id: number
  state: CampaignState
  sent: number
  costTiyin: number
  /** Of the sent messages: how many failed, were opened as far as known, and clicked. */
  failed: number
  opened: number
  clicked: number
  /** Occasions up to this instant have been scanned. */
  scannedUntil: Date | null
  pauseReason: PauseReason | null
  startedAt: Date | null
  finishedAt: Date | null
  finishReason: FinishReason | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** `done`: the one date has passed and all targets are decided. */
export const finishReasons = ['by_hand', 'ended', 'budget_reached', 'done'] as const
export type FinishReason = (typeof finishReasons)[number]

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

export const allowedSteps = (state: CampaignState): Step[] =>
  (Object.keys(steps) as Step[]).filter((it) => steps[it].includes(state))

export function refuseUnlessAllowed({ state }: Pick<Campaign, 'state'>, requested: Step): void {
  if (!steps[requested].includes(state))
    throw refuse('invalid_transition', { state, requested, allowed: allowedSteps(state) })
}

/** Fixed once started, so that results stay comparable. Values are the wire names. */
export const fixedOnceStarted = {
  holdoutPercent: 'holdout_percent',
  channel: 'channel',
  trigger: 'when',
} as const

/** Messages left in the budget; infinity without one. */
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

/** Rules for all campaigns together. */
export interface CampaignRules {
  quietHours: QuietHours
  /** Maximum messages of all campaigns to a client in any 24 hours, and in any seven days. */
  messagesPerDay: number
  messagesPerWeek: number
  version: number
}

export interface QuietHours {
  /** `21:00`, inclusive. */
  from: string
  /** `09:00`, exclusive; earlier than `from` means the next day. */
  to: string
}

export const timePattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

/** Whether a minute of the day is quiet. Equal `from` and `to` mean no quiet hours. */
export function isQuiet({ from, to }: QuietHours, minute: number): boolean {
  const [begin, end] = [minuteOfTime(from), minuteOfTime(to)]
  return begin <= end ? begin <= minute && minute < end : minute >= begin || minute < end
}

export function minuteOfTime(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

const parts = 2 ** 32

/**
 * Whether a client is in the control group of a campaign. A hash of both ids decides, so the group is stable over occasions
 * and processes, and independent between campaigns.
 */
export const isHeldOut = (campaignId: number, clientId: number, percent: number): boolean =>
  sha256(`${campaignId}/${clientId}`).readUInt32BE() < (percent / 100) * parts
