// Moderation: a partner submits an offer, an operator approves or rejects it.

import * as store from './moderation-store.ts'
import { type Refusal, refuse } from '../../base/refusal.ts'
import type { ModeratedOffer, ModerationStatus } from '../entities/entities.ts'
import type { Tx } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { moderatedOfferKind } from '../entities/entity-kinds.ts'
import { lockMany, updateMany } from '../entities/store.ts'
import { moderatedOffers } from '../entities/tables.ts'

export type ModerationStep = 'submit' | 'approve' | 'reject'

/** The allowed steps by status, and the status they lead to. */
const steps: Record<ModerationStatus, Partial<Record<ModerationStep, ModerationStatus>>> = {
  draft: { submit: 'pending' },
  pending: { approve: 'approved', reject: 'rejected' },
  rejected: { submit: 'pending' },
  approved: { reject: 'rejected' },
}

export const statusAfter = (status: ModerationStatus, step: ModerationStep): ModerationStatus | undefined =>
  steps[status][step]

export const illegalStep = (status: ModerationStatus, step: ModerationStep): Refusal =>
  refuse('invalid_transition', { status, requested: step, allowed: Object.keys(steps[status]) })

/** The status changes only by the moderation routes, which record who decided and why. */
export function refuseStatusChange(before: Moderated, after: Partial<Moderated>): void {
  if (after.status !== undefined && after.status !== before.status)
    throw refuse('invalid_transition', {
      status: before.status,
      requested: after.status,
      allowed: Object.keys(steps[before.status]),
    })
}

interface Moderated {
  status: ModerationStatus
}

export interface Decision {
  id: number
  step: ModerationStep
  /** Why it was rejected. */
  reason: string | null
  /** Who decided, as in the audit log. */
  by: string
  ifMatch: IfMatch | undefined
}

/** Takes one moderation step and records it. */
export async function decideModeration(
  tx: Tx,
  { id, step, reason, by, ifMatch }: Decision,
): Promise<ModeratedOffer> {
  const [before] = await lockMany(tx, moderatedOffers, [id])
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)
  const status = statusAfter(before.status, step)
  if (!status) throw illegalStep(before.status, step)

  const [after] = await updateMany(tx, moderatedOffers, [{ ...before, status, reason }])
  await store.insertStep(tx, { id, before: before.status, after: status, reason, by })
  publishAll(tx, moderatedOfferKind.events({ before, after: after!, now: tx.now }))
  return after!
}
