// Finds the clients of a campaign's occasions, a page per transaction.

import { minuteMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import { promotionsStartedWithin } from '../../catalog/index.ts'
import { deleteScan, insertScan, type Scan, moveScan, oldestScan, setScannedUntil } from './store.ts'
import { insertTargets } from './targets-store.ts'
import { candidatesAfter, matchingAmong } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { dueOccasion, promotionOccasion, type Target } from './occasion.ts'
import { dueWithin, isAboutPromotion, type ScanRange, triggerKind, triggers } from './triggers.ts'

const clientsPerPage = 1_000

/** Scans one page for occasions; returns whether a scan was in progress. */
export async function scanPage(
  tx: Tx,
  campaign: Campaign,
  { zone, isMissed }: { zone: string; isMissed: boolean },
): Promise<boolean> {
  if (campaign.trigger.promotion_started) await beginPromotionScans(tx, campaign, isMissed)
  else await beginScan(tx, campaign, zone)
  const scan = await oldestScan(tx, campaign.id)
  if (!scan) return false
  const { found, next } = await findTargets(tx, campaign, scan)
  insertTargets(tx, campaign.id, { found, dueAt: tx.now })
  if (next === undefined) deleteScan(tx, scan.id)
  else moveScan(tx, scan.id, next)
  return true
}

/** Starts a scan when the schedule is due, or when the interval of the trigger has passed. */
async function beginScan(tx: Tx, campaign: Campaign, zone: string): Promise<void> {
  const { id, trigger } = campaign
  // A test clock that was set back leaves `scannedUntil` in the future.
  const fromAt =
    campaign.scannedUntil !== null && campaign.scannedUntil <= tx.now ? campaign.scannedUntil : tx.now
  const { scan } = triggers[triggerKind(trigger)]
  const due = dueWithin(trigger, zone, { after: fromAt, until: tx.now })
  const isTime = scan && tx.now.getTime() - fromAt.getTime() >= scan.everyMinutes * minuteMs
  if (due || isTime) {
    const occasion = due ? dueOccasion(due) : null
    insertScan(tx, { campaignId: id, occasion, fromAt, untilAt: tx.now })
  }
  if (due || isTime || campaign.scannedUntil !== fromAt)
    setScannedUntil(tx, id, due || isTime ? tx.now : fromAt)
}

/**
 * Promotions are received as events. Only at an instant that the test clock was moved past are they looked up, because their
 * events come too late.
 */
async function beginPromotionScans(tx: Tx, campaign: Campaign, isMissed: boolean): Promise<void> {
  const { id, trigger, scannedUntil } = campaign
  const started = isMissed
    ? await promotionsStartedWithin(tx, { after: scannedUntil ?? tx.now, until: tx.now })
    : []
  for (const { id: promotionId, startsAt, endsAt } of started)
    if (isAboutPromotion(trigger, promotionId) && (endsAt === null || endsAt > tx.now)) {
      const occasion = promotionOccasion(promotionId, startsAt)
      insertScan(tx, { campaignId: id, occasion, fromAt: startsAt, untilAt: startsAt })
    }
  setScannedUntil(tx, id, tx.now)
}

async function findTargets(
  tx: Tx,
  campaign: Campaign,
  { occasion, fromAt, untilAt, afterClient }: Scan,
): Promise<{ found: Target[]; next: number | undefined }> {
  const range = { from: fromAt, until: untilAt, after: afterClient, limit: clientsPerPage }
  if (occasion !== null) return wholeAudience(tx, campaign, { ...range, occasion })
  const kind = triggerKind(campaign.trigger)
  const { found, next } = await triggers[kind].scan!.page(tx, campaign.trigger[kind] as never, range)
  const matching = new Set(await matchingAmong(tx, campaign, [...new Set(found.map((it) => it.clientId))]))
  return { found: found.filter((it) => matching.has(it.clientId)), next }
}

async function wholeAudience(
  tx: Tx,
  campaign: Campaign,
  { occasion, after, limit }: ScanRange & { occasion: string },
): Promise<{ found: Target[]; next: number | undefined }> {
  const candidates = await candidatesAfter(tx, campaign, { after, limit })
  const matching = await matchingAmong(tx, campaign, candidates)
  return {
    found: matching.map((clientId) => ({ clientId, occasion })),
    next: candidates.length < limit ? undefined : candidates.at(-1)!,
  }
}
