import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { countUnfinished, insertCampaign } from '../store/campaigns.ts'
import type { Campaign, CampaignRecord } from './campaign.ts'
import { type House, refuseUnfit } from './refuse-unfit.ts'

/** All of them are looked after every minute. */
const mostUnfinished = 200

/** Drafts a campaign. Nobody is written to before it is started. */
export async function createCampaign(tx: Tx, record: CampaignRecord, house: House): Promise<Campaign> {
  if ((await countUnfinished(tx)) >= mostUnfinished)
    throw refuse('conflict', { reason: 'too_many_campaigns', limit: mostUnfinished })
  await refuseUnfit(tx, record, house)
  const campaign = await insertCampaign(tx, record)
  await publish(tx, { type: 'CampaignCreated', campaignId: campaign.id })
  return campaign
}
