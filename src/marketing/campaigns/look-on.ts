import type { Tx } from '../../base/db.ts'
import { endLook, insertLook, type Look, moveLook, oldestLook, setMarked } from '../store/campaigns.ts'
import { insertTargets } from '../store/targets.ts'
import { candidatesAfter, meantAmong } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { cueOf, cues, dueOccasion, type Found, type Stretch } from './cues.ts'
import { dueWithin } from './schedule.ts'

/** So many clients are looked at in one transaction. */
const clientsPerLook = 1_000
const minuteMs = 60_000

/** Looks for occasions of a campaign for the length of a page, and says whether there is more to look at. */
export async function lookOn(tx: Tx, campaign: Campaign, zone: string): Promise<boolean> {
  await beginLook(tx, campaign, zone)
  const look = await oldestLook(tx, campaign.id)
  if (!look) return false
  const { found, next } = await searched(tx, campaign, look)
  await insertTargets(tx, campaign.id, { found, dueAt: tx.now })
  if (next === undefined) await endLook(tx, look.id)
  else await moveLook(tx, look.id, next)
  return true
}

/** Begins what is due by a schedule, or what has not been looked for in a while. */
async function beginLook(tx: Tx, campaign: Campaign, zone: string): Promise<void> {
  const { id, when } = campaign
  // A test clock that was set back leaves a mark in the future.
  const fromAt = campaign.markedAt !== null && campaign.markedAt <= tx.now ? campaign.markedAt : tx.now
  const { watch } = cues[cueOf(when)]
  const due = dueWithin(when, zone, { after: fromAt, until: tx.now })
  const isTime = watch && tx.now.getTime() - fromAt.getTime() >= watch.everyMinutes * minuteMs
  if (due || isTime) {
    const occasion = due ? dueOccasion(due) : null
    await insertLook(tx, { campaignId: id, occasion, fromAt, untilAt: tx.now })
  }
  if (due || isTime || campaign.markedAt !== fromAt) await setMarked(tx, id, due || isTime ? tx.now : fromAt)
}

async function searched(
  tx: Tx,
  campaign: Campaign,
  { occasion, fromAt, untilAt, afterClient }: Look,
): Promise<{ found: Found[]; next: number | undefined }> {
  const stretch = { from: fromAt, until: untilAt, after: afterClient, limit: clientsPerLook }
  if (occasion !== null) return everybodyMeant(tx, campaign, { ...stretch, occasion })
  const kind = cueOf(campaign.when)
  const { found, next } = await cues[kind].watch!.look(tx, campaign.when[kind] as never, stretch)
  const meant = new Set(await meantAmong(tx, campaign, [...new Set(found.map((it) => it.clientId))]))
  return { found: found.filter((it) => meant.has(it.clientId)), next }
}

async function everybodyMeant(
  tx: Tx,
  campaign: Campaign,
  { occasion, after, limit }: Stretch & { occasion: string },
): Promise<{ found: Found[]; next: number | undefined }> {
  const candidates = await candidatesAfter(tx, campaign, { after, limit })
  const meant = await meantAmong(tx, campaign, candidates)
  return {
    found: meant.map((clientId) => ({ clientId, occasion })),
    next: candidates.length < limit ? undefined : candidates.at(-1)!,
  }
}
