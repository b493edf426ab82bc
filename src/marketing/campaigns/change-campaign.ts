import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { updateCampaign } from '../store/campaigns.ts'
import { type Campaign, type CampaignRecord, fixedOnceStarted, refuseUnlessAllowed } from './campaign.ts'
import { type House, refuseUnfit } from './refuse-unfit.ts'

/** Changes what is named and keeps the rest: of a draft anything, of a paused campaign what does not spoil its results. */
export async function changeCampaign(
  tx: Tx,
  before: Campaign,
  { changes, house }: { changes: Partial<CampaignRecord>; house: House },
): Promise<Campaign> {
  refuseUnlessAllowed(before, 'change')
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  if (before.state !== 'draft') refuseSpoiling(before, after)
  await refuseUnfit(tx, after, house)
  await publish(tx, { type: 'CampaignChanged', campaignId: before.id })
  return updateCampaign(tx, after)
}

function refuseSpoiling(before: Campaign, after: Campaign): void {
  const fields = [
    ...Object.entries(fixedOnceStarted)
      .filter(
        ([field]) => !isDeepStrictEqual(before[field as keyof Campaign], after[field as keyof Campaign]),
      )
      .map(([, path]) => ({ path, rule: 'fixed' })),
    ...(after.budgetMessages !== null && after.budgetMessages < before.sent
      ? [{ path: 'budget_messages', rule: 'minimum', limit: before.sent }]
      : []),
    ...(after.budgetTiyin !== null && after.budgetTiyin < before.costTiyin
      ? [{ path: 'budget_tiyin', rule: 'minimum', limit: before.costTiyin }]
      : []),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}
