import type { Config } from '../../base/config.ts'
import type { Tx } from '../../base/db.ts'
import { minuteIn } from '../../base/zone.ts'
import { termsOf } from '../../cart/index.ts'
import { shopUrlOf } from '../shop-url.ts'
import { lockCampaign, oldestLook } from '../store/campaigns.ts'
import { hasWaiting } from '../store/targets.ts'
import { type Campaign, messagesLeft } from './campaign.ts'
import { findTemplateOf } from './find-template.ts'
import { finishCampaign, pauseCampaign } from './move-campaign.ts'
import { lookOn } from './look-on.ts'
import { sendDue, type SendingTo } from './send-due.ts'
import { unfilled } from './told-to.ts'

export interface Workbench {
  zone: string
  surroundings: SendingTo['surroundings']
}

export type CampaignSettings = Pick<
  Config,
  'timezone' | 'guestCartDays' | 'abandonedCartDays' | 'takesCards' | 'publicUrl' | 'tlsCert' | 'port'
>

export const workbenchOf = (config: CampaignSettings): Workbench => ({
  zone: config.timezone,
  surroundings: {
    terms: termsOf(config),
    shopUrl: shopUrlOf(config),
    minuteOf: minuteIn(config.timezone),
  },
})

/**
 * One batch of a campaign's work: a page of looking for occasions, and the next messages. Says whether there may be more
 * to do now. The campaign's row is held, so whoever pauses it knows that nothing follows.
 */
export async function workOn(tx: Tx, id: number, { zone, surroundings }: Workbench): Promise<boolean> {
  const campaign = await lockCampaign(tx, id)
  if (campaign?.state !== 'running') return false
  if (campaign.endsAt !== null && campaign.endsAt <= tx.now)
    return ended(finishCampaign(tx, campaign, 'ended'))
  if (messagesLeft(campaign) === 0) return ended(finishCampaign(tx, campaign, 'budget_reached'))
  const looked = await lookOn(tx, campaign, zone)
  const template = await findTemplateOf(tx, campaign)
  if (!template?.isActive || unfilled(template, campaign).length > 0)
    return ended(pauseCampaign(tx, campaign, 'template_unusable'))
  const decided = await sendDue(tx, { campaign, template, surroundings })
  if (looked || decided > 0) return true
  if (await isOver(tx, campaign)) return ended(finishCampaign(tx, campaign, 'done'))
  return false
}

const ended = async (moved: Promise<unknown>): Promise<false> => {
  await moved
  return false
}

/** Its one date has passed, and everybody has had his turn. */
const isOver = async (tx: Tx, { id, when, markedAt }: Campaign): Promise<boolean> =>
  when.at !== undefined &&
  new Date(when.at) <= tx.now &&
  markedAt !== null &&
  markedAt >= new Date(when.at) &&
  !(await oldestLook(tx, id)) &&
  !(await hasWaiting(tx, id))
