import type { Tx } from '../../base/database.ts'
import type { Job } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import type { Event } from '../../events.ts'
import { lockPendingStages, savePublishedStages, type PendingStage } from './store.ts'
import { type Stage, stageAt } from './promotion.ts'

const batchRows = 500

/**
 * Publishes that promotions started or ended: one event each, however many offers they have. Prices do not depend on it.
 */
export const publishPromotionStages: Job = {
  name: 'promotions',
  cron: '0 * * * * ?',
  description: 'Publishes that promotions started or ended. It also runs at the instant when one does.',
  run: async (work) => {
    for (let total = 0; ;) {
      const count = await work.transaction((tx) => publishStages(tx, batchRows))
      total += count
      if (count < batchRows) return `published ${total} promotion stages`
    }
  },
}

/** Publishes the stages of at most `limit` promotions that differ from the published ones. */
export async function publishStages(tx: Tx, limit: number): Promise<number> {
  const untold = await lockPendingStages(tx, limit)
  const stages = untold.map((it) => ({ id: it.id, stage: stageAt(it, tx.now) }))
  publishAll(
    tx,
    untold.flatMap((it, at) => eventsBetween(it, stages[at]!.stage, tx.now)),
  )
  if (untold.length > 0) savePublishedStages(tx, stages)
  return untold.length
}

/**
 * Starts and ends alternate, also when the period of a running promotion is moved. A promotion that was written after its
 * period has never run and publishes nothing.
 */
function eventsBetween(it: PendingStage, stage: Stage, now: Date): Event[] {
  const { id: promotionId, slug, startsAt, publishedStage } = it
  const hasNeverRun = publishedStage === 'scheduled' && it.endsAt !== null && it.endsAt < it.updatedAt
  const endsAt = it.endsAt?.toISOString() ?? null
  const begins = startsAt.toISOString()
  const started: Event = { type: 'PromotionStarted', promotionId, slug, startsAt: begins, endsAt }
  const endedAt = stage === 'ended' ? endsAt! : now.toISOString()
  const finished: Event = { type: 'PromotionFinished', promotionId, slug, endedAt }
  if (hasNeverRun) return []
  if (stage === 'running') return [started]
  if (publishedStage === 'running') return [finished]
  return stage === 'ended' ? [started, finished] : []
}
