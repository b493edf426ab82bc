import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import * as store from '../store/campaigns.ts'
import { type Campaign, refuseUnlessAllowed } from './campaign.ts'

/** Throws a draft away. What has run once stays, with its results. */
export async function deleteCampaign(tx: Tx, campaign: Campaign): Promise<Campaign> {
  refuseUnlessAllowed(campaign, 'delete')
  await publish(tx, { type: 'CampaignDeleted', campaignId: campaign.id })
  await store.deleteCampaign(tx, campaign.id)
  return campaign
}
