import type { Tx } from '../../base/db.ts'
import type { Job } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import type { Event } from '../../events.ts'
import { lockUntold, noteTold, type Untold } from '../store/promotions.ts'
import { type Stage, stageAt } from './promotion.ts'

const batchRows = 500

/**
 * Says of promotions that they have begun or ended: one fact each, however many offers are in them. Prices do not wait
 * for it; it is for those who act on the occasion.
 */
export const tellPromotions: Job = {
  name: 'promotions',
  cron: '0 * * * * ?',
  meaning: 'Says that promotions began or ended. It also runs by itself at the instant when one does.',
  run: async (work) => {
    for (let total = 0; ;) {
      const count = await work.transaction((tx) => tellStages(tx, batchRows))
      total += count
      if (count < batchRows) return `told of ${total} promotions`
    }
  },
}

/** Tells of at most so many promotions that are at another stage than was told. */
export async function tellStages(tx: Tx, limit: number): Promise<number> {
  const untold = await lockUntold(tx, limit)
  const stages = untold.map((it) => ({ id: it.id, stage: stageAt(it, tx.now) }))
  await publishAll(
    tx,
    untold.flatMap((it, at) => factsBetween(it, stages[at]!.stage, tx.now)),
  )
  if (untold.length > 0) noteTold(tx, stages)
  return untold.length
}

/**
 * A start and an end take turns, also when somebody moves the period of what has begun. What was planned for a time that
 * had passed has never run, and nothing is told of it.
 */
function factsBetween(it: Untold, stage: Stage, now: Date): Event[] {
  const { id: promotionId, slug, startsAt, toldStage } = it
  const hasNeverRun = toldStage === 'scheduled' && it.endsAt !== null && it.endsAt < it.updatedAt
  const endsAt = it.endsAt?.toISOString() ?? null
  const begins = startsAt.toISOString()
  const started: Event = { type: 'PromotionStarted', promotionId, slug, startsAt: begins, endsAt }
  const endedAt = stage === 'ended' ? endsAt! : now.toISOString()
  const finished: Event = { type: 'PromotionFinished', promotionId, slug, endedAt }
  if (hasNeverRun) return []
  if (stage === 'running') return [started]
  if (toldStage === 'running') return [finished]
  return stage === 'ended' ? [started, finished] : []
}
