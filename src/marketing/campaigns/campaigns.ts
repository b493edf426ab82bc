// Creating, changing and deleting campaigns, and the rules for all of them.

import { isDeepStrictEqual } from 'node:util'
import type { Tx, Reader } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import {
  updateCampaign,
  countUnfinished,
  insertCampaign,
  findCampaign,
  lockCampaign,
  lockRules,
  updateRules,
} from './store.ts'
import {
  type Campaign,
  type CampaignInput,
  fixedOnceStarted,
  refuseUnlessAllowed,
  type CampaignRules,
} from './campaign.ts'
import { type CampaignConfig, refuseInvalidCampaign } from './validate-campaign.ts'
import * as store from './store.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'

/** Drafts can be changed freely; of a paused campaign, all but the fields that its results depend on. */
export async function changeCampaign(
  tx: Tx,
  before: Campaign,
  { changes, config }: { changes: Partial<CampaignInput>; config: CampaignConfig },
): Promise<Campaign> {
  refuseUnlessAllowed(before, 'change')
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  if (before.state !== 'draft') refuseFixedFields(before, after)
  await refuseInvalidCampaign(tx, after, config)
  publish(tx, { type: 'CampaignChanged', campaignId: before.id })
  return updateCampaign(tx, after)
}

function refuseFixedFields(before: Campaign, after: Campaign): void {
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

/** The job processes all of them every minute. */
const maxUnfinished = 200

/** Creates a draft. Nothing is sent before it is started. */
export async function createCampaign(
  tx: Tx,
  input: CampaignInput,
  config: CampaignConfig,
): Promise<Campaign> {
  if ((await countUnfinished(tx)) >= maxUnfinished)
    throw conflict('too_many_campaigns', { limit: maxUnfinished })
  await refuseInvalidCampaign(tx, input, config)
  const campaign = await insertCampaign(tx, input)
  publish(tx, { type: 'CampaignCreated', campaignId: campaign.id })
  return campaign
}

/** Only drafts: campaigns that have run keep their results. */
export async function deleteCampaign(tx: Tx, campaign: Campaign): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'delete')
  publish(tx, { type: 'CampaignDeleted', campaignId: campaign.id })
  store.deleteCampaign(tx, campaign.id)
  return campaign
}

/** Locks a campaign, and compares its version. */
export async function lockedCampaign(tx: Tx, id: number, ifMatch?: IfMatch): Promise<Campaign> {
  const campaign = await lockCampaign(tx, id)
  if (!campaign) throw refuse('not_found')
  requireVersion(campaign, ifMatch)
  return campaign
}

export async function foundCampaign(read: Reader, id: number): Promise<Campaign> {
  const campaign = await findCampaign(read, id)
  if (!campaign) throw refuse('not_found')
  return campaign
}

/** Changes the rules for all campaigns, from the next batch on. */
export async function setRules(
  tx: Tx,
  changes: Partial<CampaignRules>,
  ifMatch: IfMatch | undefined,
): Promise<CampaignRules> {
  const before = await lockRules(tx)
  requireVersion(before, ifMatch)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  const saved = await updateRules(tx, after)
  publish(tx, { type: 'CampaignRulesChanged', version: saved.version, changedAt: tx.now.toISOString() })
  return saved
}
