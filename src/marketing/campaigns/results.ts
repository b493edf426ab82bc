// Results of a campaign: counts, attributed orders, and the uplift against the control group.

import type { Reader } from '../../base/database.ts'
import { type PurchaseCount, countPurchasesByGroup, type TargetCount, countTargets } from './targets-store.ts'
import type { Campaign } from './campaign.ts'

interface GroupResult {
  clients: number
  buyers: number
  orders: number
  revenueTiyin: number
}

export interface Results {
  /** Undecided targets. */
  waiting: number
  /** Messages that were created for sending. */
  sent: number
  /** Targets of clients in the control group. */
  heldOut: number
  /** Targets without a message, by reason. */
  suppressed: Record<string, number>
  reached: GroupResult
  holdout: GroupResult
  uplift: Uplift | undefined
}

export async function campaignResults(read: Reader, campaign: Campaign): Promise<Results> {
  const [counts, bought] = await Promise.all([
    countTargets(read, campaign.id),
    countPurchasesByGroup(read, campaign.id),
  ])
  const of = (state: string) => counts.filter((it) => it.state === state)
  const isFinished = campaign.state === 'finished'
  const waiting = targetsIn(of('waiting'))
  const reached = groupResult(of('sent'), bought, (it) => !it.isHeldOut)
  const holdout = groupResult(of('held_out'), bought, (it) => it.isHeldOut)
  return {
    waiting: isFinished ? 0 : waiting,
    sent: targetsIn(of('sent')),
    heldOut: targetsIn(of('held_out')),
    suppressed: {
      ...Object.fromEntries(of('suppressed').map((it) => [it.reason!, it.targets])),
      // Targets that were undecided at the end.
      ...(isFinished && waiting > 0 && { [unsentReason(campaign)]: waiting }),
    },
    reached,
    holdout,
    uplift: upliftOf(reached, holdout),
  }
}

const unsentReason = ({ finishReason }: Campaign): string =>
  finishReason === 'budget_reached' ? 'budget_reached' : 'campaign_finished'

const targetsIn = (counts: readonly TargetCount[]): number => counts.reduce((sum, it) => sum + it.targets, 0)

function groupResult(
  counts: readonly TargetCount[],
  bought: readonly PurchaseCount[],
  isOf: (it: PurchaseCount) => boolean,
): GroupResult {
  const found = bought.find(isOf)
  return {
    clients: counts[0]?.clients ?? 0,
    buyers: found?.clients ?? 0,
    orders: found?.orders ?? 0,
    revenueTiyin: found?.amountTiyin ?? 0,
  }
}

export interface Group {
  clients: number
  buyers: number
}

export interface Uplift {
  /** Conversion rates, between 0 and 1. */
  reached: number
  heldOut: number
  difference: number
  /** The bounds of the 95 % interval. */
  low: number
  high: number
}

/** The 97.5 % quantile of the normal distribution. */
const z = 1.959964

/**
 * The difference of the two rates with its 95 % interval, by Newcombe's hybrid score method, which holds for small groups
 * and for rates near zero. Undefined while one of the groups is empty.
 */
export function upliftOf(reached: Group, heldOut: Group): Uplift | undefined {
  if (reached.clients === 0 || heldOut.clients === 0) return undefined
  const [a, b] = [wilson(reached), wilson(heldOut)]
  const difference = a.rate - b.rate
  return {
    reached: a.rate,
    heldOut: b.rate,
    difference,
    low: difference - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: difference + Math.hypot(a.high - a.rate, b.rate - b.low),
  }
}

function wilson({ clients, buyers }: Group): { rate: number; low: number; high: number } {
  const rate = buyers / clients
  const spread = z * Math.sqrt(z ** 2 + 4 * buyers * (1 - rate))
  const [middle, whole] = [2 * buyers + z ** 2, 2 * (clients + z ** 2)]
  return { rate, low: Math.max(0, (middle - spread) / whole), high: Math.min(1, (middle + spread) / whole) }
}
