// How an offer comes to be sold: somebody proposes it, somebody of the shop decides.

import { type Refusal, refuse } from '../base/refusal.ts'
import type { ModerationStatus } from './goods.ts'

export type ModerationStep = 'submit' | 'approve' | 'reject'

/** What may be done in each state, and where it leads. */
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

/** A decision has its own calls, which keep who took it and why: no other change may take it along. */
export function refuseDecision(before: Moderated, after: Partial<Moderated>): void {
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
