import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { ModeratedOffer } from './goods.ts'
import { moderatedOfferKind } from './kinds.ts'
import { illegalStep, type ModerationStep, statusAfter } from './moderation.ts'
import * as store from './store/moderation.ts'
import { lockMany, updateMany } from './store/table.ts'
import { moderatedOffers } from './store/tables.ts'

export interface Decision {
  id: number
  step: ModerationStep
  /** Why it was rejected. */
  reason: string | null
  /** Who decided, as the audit would name him. */
  by: string
  ifMatch: number | undefined
}

/** Takes a moderated offer one step on its way, and keeps the step in its history. */
export async function decideModeration(
  tx: Tx,
  { id, step, reason, by, ifMatch }: Decision,
): Promise<ModeratedOffer> {
  const [before] = await lockMany(tx, moderatedOffers, [id])
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)
  const status = statusAfter(before.status, step)
  if (!status) throw illegalStep(before.status, step)

  const [after] = await updateMany(tx, moderatedOffers, [{ ...before, status, reason }])
  await store.insertStep(tx, { id, before: before.status, after: status, reason, by })
  await publishAll(tx, moderatedOfferKind.facts({ before, after: after!, now: tx.now }))
  return after!
}
