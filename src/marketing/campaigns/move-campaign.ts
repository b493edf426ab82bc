// The steps of a campaign's life. Whoever takes one holds its row, so nothing is sent while it is taken.

import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { startOfPromotion } from '../../catalog/index.ts'
import { setFinished, setPaused, setRunning } from '../store/campaigns.ts'
import { type Campaign, type FinishReason, type PauseReason, refuseUnlessAllowed } from './campaign.ts'
import { cueOf } from './cues.ts'
import { type House, refuseUnfit } from './refuse-unfit.ts'
import { isPast } from './schedule.ts'

/** Sets a draft going. What has happened before is none of its business. */
export async function startCampaign(tx: Tx, campaign: Campaign, house: House): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'start')
  await refuseUnfit(tx, campaign, house)
  refusePast(tx.now, [...(await pastCue(tx, campaign, house)), ...pastEnd(campaign, tx.now)])
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
  refusePast(tx.now, [...missedDate(campaign, tx.now), ...pastEnd(campaign, tx.now)])
  await publish(tx, { type: 'CampaignResumed', campaignId: campaign.id })
  return setRunning(tx, campaign.id)
}

/** Ends it for good. Who still waits is not written to. */
export async function finishCampaign(tx: Tx, campaign: Campaign, reason: FinishReason): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'finish')
  await publish(tx, { type: 'CampaignFinished', campaignId: campaign.id, reason, sent: campaign.sent })
  return setFinished(tx, campaign.id, reason)
}

/** What would set a campaign off and cannot any more, by its name on the wire. */
async function pastCue(tx: Tx, { when }: Campaign, { timezone }: House): Promise<string[]> {
  if (isPast(when, timezone, tx.now)) return [`when.${cueOf(when)}`]
  const promotion = when.promotion_started?.promotion
  const startsAt = promotion === undefined ? undefined : await startOfPromotion(tx, Number(promotion))
  return startsAt && startsAt <= tx.now ? ['when.promotion_started.promotion'] : []
}

/** One whose date came before the pause goes on for those who wait; one whose date fell into it has nobody to write to. */
const missedDate = ({ when: { at }, markedAt }: Campaign, now: Date): string[] =>
  at !== undefined && new Date(at) <= now && markedAt! < new Date(at) ? ['when.at'] : []

const pastEnd = ({ endsAt }: Campaign, now: Date): string[] =>
  endsAt !== null && endsAt <= now ? ['ends_at'] : []

function refusePast(now: Date, paths: readonly string[]): void {
  if (paths.length > 0)
    throw refuse('validation_failed', {
      fields: paths.map((path) => ({ path, rule: 'future', limit: now.toISOString() })),
    })
}
