// What becomes of a target: the rules in their order, one a line. The first that speaks decides.

import { type Campaign, messagesLeft } from './campaign.ts'
import type { CampaignRules } from './campaign-rules.ts'
import type { Found } from './cues.ts'
import { isHeldOut } from './holdout.ts'
import type { Lately } from '../store/targets.ts'

export type Verdict =
  | { state: 'sent' | 'held_out' | 'waiting'; reason: null }
  | { state: 'suppressed'; reason: SuppressionReason }

export const suppressionReasons = [
  'no_consent',
  'no_address',
  'left_audience',
  'occasion_over',
  'repeated',
  'frequency_cap',
] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

/** What is known of the clients of some targets at the instant of the verdict. */
export interface Known {
  now: Date
  rules: Pick<CampaignRules, 'messagesPerDay' | 'messagesPerWeek'>
  consenting: ReadonlySet<number>
  reachable: ReadonlySet<number>
  meant: ReadonlySet<number>
  hasOccasion(target: Found): boolean
  /** When this campaign last took notice of a client. */
  lastTurns: ReadonlyMap<number, Date>
  /** How many messages of any campaign he got lately. */
  lately: ReadonlyMap<number, Lately>
}

const dayMs = 86_400_000
const nothingLately: Lately = { day: 0, week: 0 }

/** Judges targets one after the other: what one of them uses up is gone for the next. */
export function verdictsOn(campaign: Campaign, targets: readonly Found[], known: Known): Verdict[] {
  let left = messagesLeft(campaign)
  const lastTurns = new Map(known.lastTurns)
  const lately = new Map(known.lately)
  return targets.map((target): Verdict => {
    const { clientId } = target
    const counts = lately.get(clientId) ?? nothingLately
    const reason = objection(campaign, target, { ...known, lastTurns, counts })
    if (reason) return { state: 'suppressed', reason }
    // Nobody is decided on beyond the budget: some whom it was kept for may lose their address this very moment.
    if (left === 0) return { state: 'waiting', reason: null }
    lastTurns.set(clientId, known.now)
    if (isHeldOut(campaign.id, clientId, campaign.holdoutPercent)) return { state: 'held_out', reason: null }
    lately.set(clientId, { day: counts.day + 1, week: counts.week + 1 })
    left--
    return { state: 'sent', reason: null }
  })
}

type Standing = Omit<Known, 'lately'> & { counts: Lately }

// oxfmt-ignore
function objection(campaign: Campaign, target: Found, it: Standing): SuppressionReason | undefined {
  const { clientId } = target
  if (!it.consenting.has(clientId))                                return 'no_consent'
  if (!it.reachable.has(clientId))                                 return 'no_address'
  if (!it.meant.has(clientId))                                     return 'left_audience'
  if (!it.hasOccasion(target))                                     return 'occasion_over'
  if (isTooSoon(campaign, it.lastTurns.get(clientId), it.now))     return 'repeated'
  if (it.counts.day >= it.rules.messagesPerDay)                    return 'frequency_cap'
  if (it.counts.week >= it.rules.messagesPerWeek)                  return 'frequency_cap'
  return undefined
}

const isTooSoon = ({ repeatDays }: Campaign, last: Date | undefined, now: Date): boolean =>
  last !== undefined && (repeatDays === null || now.getTime() - last.getTime() < repeatDays * dayMs)
