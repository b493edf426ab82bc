import type { Reader } from '../../base/db.ts'
import { type Bought, countBought } from '../store/purchases.ts'
import { type Count, countTargets } from '../store/targets.ts'
import type { Campaign } from './campaign.ts'
import { type Uplift, upliftOf } from './uplift.ts'

interface Turnout {
  clients: number
  buyers: number
  orders: number
  revenueTiyin: number
}

export interface Results {
  /** Targets that still wait for their turn. */
  waiting: number
  /** Messages that were handed over to be sent. */
  sent: number
  /** Targets that were left out for comparison. */
  heldOut: number
  /** Targets that were passed over, by reason. */
  suppressed: Record<string, number>
  told: Turnout
  comparison: Turnout
  uplift: Uplift | undefined
}

/** What came of a campaign so far. */
export async function campaignResults(read: Reader, campaign: Campaign): Promise<Results> {
  const [counts, bought] = await Promise.all([
    countTargets(read, campaign.id),
    countBought(read, campaign.id),
  ])
  const of = (state: string) => counts.filter((it) => it.state === state)
  const isFinished = campaign.state === 'finished'
  const waiting = targetsIn(of('waiting'))
  const told = turnout(of('sent'), bought, (it) => !it.isHeldOut)
  const comparison = turnout(of('held_out'), bought, (it) => it.isHeldOut)
  return {
    waiting: isFinished ? 0 : waiting,
    sent: targetsIn(of('sent')),
    heldOut: targetsIn(of('held_out')),
    suppressed: {
      ...Object.fromEntries(of('suppressed').map((it) => [it.reason!, it.targets])),
      // Who waited when it ended was never decided on.
      ...(isFinished && waiting > 0 && { [leftOver(campaign)]: waiting }),
    },
    told,
    comparison,
    uplift: upliftOf(told, comparison),
  }
}

const leftOver = ({ finishReason }: Campaign): string =>
  finishReason === 'budget_reached' ? 'budget_reached' : 'campaign_finished'

const targetsIn = (counts: readonly Count[]): number => counts.reduce((sum, it) => sum + it.targets, 0)

function turnout(
  counts: readonly Count[],
  bought: readonly Bought[],
  isOf: (it: Bought) => boolean,
): Turnout {
  const found = bought.find(isOf)
  return {
    clients: counts[0]?.clients ?? 0,
    buyers: found?.clients ?? 0,
    orders: found?.orders ?? 0,
    revenueTiyin: found?.amountTiyin ?? 0,
  }
}
