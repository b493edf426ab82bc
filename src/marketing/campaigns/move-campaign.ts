// The steps of a campaign's life. Whoever takes one holds its row, so nothing is sent while it is taken.

import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { setFinished, setPaused, setRunning } from '../store/campaigns.ts'
import { type Campaign, type FinishReason, type PauseReason, refuseUnlessAllowed } from './campaign.ts'
import { type House, refuseUnfit } from './refuse-unfit.ts'

/** Sets a draft going. What has happened before is none of its business. */
export async function startCampaign(tx: Tx, campaign: Campaign, house: House): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'start')
  await refuseUnfit(tx, campaign, house)
  refusePast(campaign, tx.now)
  await publish(tx, { type: 'CampaignStarted', campaignId: campaign.id })
  return setRunning(tx, campaign.id)
}

/** Nothing more is sent once this is committed. Who waits, waits on. */
export async function pauseCampaign(tx: Tx, campaign: Campaign, reason: PauseReason): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'pause')
  await publish(tx, { type: 'CampaignPaused', campaignId: campaign.id, reason })
  return setPaused(tx, campaign.id, reason)
}

/** What happened during the pause is not made up for. */
export async function resumeCampaign(tx: Tx, campaign: Campaign, house: House): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'resume')
  await refuseUnfit(tx, campaign, house)
  await publish(tx, { type: 'CampaignResumed', campaignId: campaign.id })
  return setRunning(tx, campaign.id)
}

/** Ends it for good. Who still waits is not written to. */
export async function finishCampaign(tx: Tx, campaign: Campaign, reason: FinishReason): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'finish')
  await publish(tx, { type: 'CampaignFinished', campaignId: campaign.id, reason, sent: campaign.sent })
  return setFinished(tx, campaign.id, reason)
}

function refusePast({ when, endsAt }: Campaign, now: Date): void {
  const past = [
    ...(when.at !== undefined && new Date(when.at) <= now ? ['when.at'] : []),
    ...(endsAt !== null && endsAt <= now ? ['ends_at'] : []),
  ]
  if (past.length > 0)
    throw refuse('validation_failed', {
      fields: past.map((path) => ({ path, rule: 'future', limit: now.toISOString() })),
    })
}
