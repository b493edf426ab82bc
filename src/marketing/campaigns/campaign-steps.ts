// Start, pause, resume and finish. The caller locks the campaign's row, so nothing is sent meanwhile.

import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { startOfPromotion } from '../../catalog/index.ts'
import { setFinished, setPaused, setRunning } from './store.ts'
import { type Campaign, type FinishReason, type PauseReason, refuseUnlessAllowed } from './campaign.ts'
import { triggerKind, isPast } from './triggers.ts'
import { type CampaignConfig, refuseInvalidCampaign } from './validate-campaign.ts'

/** Earlier events are ignored. */
export async function startCampaign(tx: Tx, campaign: Campaign, config: CampaignConfig): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'start')
  await refuseInvalidCampaign(tx, campaign, config)
  refusePast(tx.now, [...(await pastTrigger(tx, campaign, config)), ...pastEnd(campaign, tx.now)])
  publish(tx, { type: 'CampaignStarted', campaignId: campaign.id })
  return setRunning(tx, campaign.id)
}

/** Nothing more is sent after the commit. Undecided targets stay. */
export async function pauseCampaign(tx: Tx, campaign: Campaign, reason: PauseReason): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'pause')
  publish(tx, { type: 'CampaignPaused', campaignId: campaign.id, reason })
  return setPaused(tx, campaign.id, reason)
}

/** Occasions during the pause are ignored. */
export async function resumeCampaign(tx: Tx, campaign: Campaign, config: CampaignConfig): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'resume')
  await refuseInvalidCampaign(tx, campaign, config)
  refusePast(tx.now, [...missedDate(campaign, tx.now), ...pastEnd(campaign, tx.now)])
  publish(tx, { type: 'CampaignResumed', campaignId: campaign.id })
  return setRunning(tx, campaign.id)
}

/** Final. Undecided targets get no message. */
export async function finishCampaign(tx: Tx, campaign: Campaign, reason: FinishReason): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'finish')
  publish(tx, { type: 'CampaignFinished', campaignId: campaign.id, reason, sent: campaign.sent })
  return setFinished(tx, campaign.id, reason)
}

/** The wire path of a trigger that lies in the past, if it does. */
async function pastTrigger(tx: Tx, { trigger }: Campaign, { timezone }: CampaignConfig): Promise<string[]> {
  if (isPast(trigger, timezone, tx.now)) return [`when.${triggerKind(trigger)}`]
  const promotion = trigger.promotion_started?.promotion
  const startsAt = promotion === undefined ? undefined : await startOfPromotion(tx, Number(promotion))
  return startsAt && startsAt <= tx.now ? ['when.promotion_started.promotion'] : []
}

/** A date before the pause still has targets to send to; a date during the pause has none. */
const missedDate = ({ trigger: { at }, scannedUntil }: Campaign, now: Date): string[] =>
  at !== undefined && new Date(at) <= now && scannedUntil! < new Date(at) ? ['when.at'] : []

const pastEnd = ({ endsAt }: Campaign, now: Date): string[] =>
  endsAt !== null && endsAt <= now ? ['ends_at'] : []

function refusePast(now: Date, paths: readonly string[]): void {
  if (paths.length > 0)
    throw refuse('validation_failed', {
      fields: paths.map((path) => ({ path, rule: 'future', limit: now.toISOString() })),
    })
}
