// Decides what happens to a target: an ordered list of rules, one per line. The first rule that applies decides.

import { dayMs } from '../../base/clock.ts'
import { type Campaign, messagesLeft, type CampaignRules, isHeldOut } from './campaign.ts'
import type { Target } from './occasion.ts'

/** Messages of all campaigns to a client in the last day and week. */
export interface RecentMessages {
  day: number
  week: number
}

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

/** The state of the clients of some targets at the time of the decision. */
export interface TargetContext {
  now: Date
  rules: Pick<CampaignRules, 'messagesPerDay' | 'messagesPerWeek'>
  consenting: ReadonlySet<number>
  reachable: ReadonlySet<number>
  inAudience: ReadonlySet<number>
  hasOccasion(target: Target): boolean
  /** When this campaign last sent to a client or held them out. */
  lastDecisions: ReadonlyMap<number, Date>
  /** Messages of any campaign to a client. */
  recentMessages: ReadonlyMap<number, RecentMessages>
}

const noMessages: RecentMessages = { day: 0, week: 0 }

/** Decides on targets in order: each decision counts against the limits of the next. */
export function verdictsOn(
  campaign: Campaign,
  targets: readonly Target[],
  context: TargetContext,
): Verdict[] {
  let left = messagesLeft(campaign)
  const lastDecisions = new Map(context.lastDecisions)
  const recentMessages = new Map(context.recentMessages)
  return targets.map((target): Verdict => {
    const { clientId } = target
    const counts = recentMessages.get(clientId) ?? noMessages
    const reason = suppressionReason(campaign, target, { ...context, lastDecisions, counts })
    if (reason) return { state: 'suppressed', reason }
    // Targets beyond the budget stay undecided: an earlier one may still turn out to have no address.
    if (left === 0) return { state: 'waiting', reason: null }
    lastDecisions.set(clientId, context.now)
    if (isHeldOut(campaign.id, clientId, campaign.holdoutPercent)) return { state: 'held_out', reason: null }
    recentMessages.set(clientId, { day: counts.day + 1, week: counts.week + 1 })
    left--
    return { state: 'sent', reason: null }
  })
}

type ClientContext = Omit<TargetContext, 'recentMessages'> & { counts: RecentMessages }

// oxfmt-ignore
function suppressionReason(campaign: Campaign, target: Target, it: ClientContext): SuppressionReason | undefined {
  const { clientId } = target
  if (!it.consenting.has(clientId))                                return 'no_consent'
  if (!it.reachable.has(clientId))                                 return 'no_address'
  if (!it.inAudience.has(clientId))                                     return 'left_audience'
  if (!it.hasOccasion(target))                                     return 'occasion_over'
  if (isTooSoon(campaign, it.lastDecisions.get(clientId), it.now))     return 'repeated'
  if (it.counts.day >= it.rules.messagesPerDay)                    return 'frequency_cap'
  if (it.counts.week >= it.rules.messagesPerWeek)                  return 'frequency_cap'
  return undefined
}

const isTooSoon = ({ repeatDays }: Campaign, last: Date | undefined, now: Date): boolean =>
  last !== undefined && (repeatDays === null || now.getTime() - last.getTime() < repeatDays * dayMs)
