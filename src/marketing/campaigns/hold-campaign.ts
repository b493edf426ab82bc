import type { Reader, Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { refuseStale } from '../../http/version.ts'
import { findCampaign, lockCampaign } from '../store/campaigns.ts'
import type { Campaign } from './campaign.ts'

/** The campaign under its lock. */
export async function holdCampaign(tx: Tx, id: number, ifMatch?: number): Promise<Campaign> {
  const campaign = await lockCampaign(tx, id)
  if (!campaign) throw refuse('not_found')
  refuseStale(campaign, ifMatch)
  return campaign
}

export async function foundCampaign(read: Reader, id: number): Promise<Campaign> {
  const campaign = await findCampaign(read, id)
  if (!campaign) throw refuse('not_found')
  return campaign
}
