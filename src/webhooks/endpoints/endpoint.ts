import { dayMs } from '../../base/clock.ts'
// A webhook endpoint, and the rules by which it is disabled.

export interface Endpoint {
  id: string
  url: string
  description: string
  filters: string[]
  state: 'enabled' | 'disabled'
  disabledReason: DisabledReason | null
  /** All events up to this position have been put into its queue. */
  position: number
  /** Deliveries in the queue, at most `maxQueueLength`. */
  waiting: number
  /** Failed attempts since the last success. */
  failures: number
  failingSince: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export const disabledReasons = ['by_hand', 'gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const maxEndpoints = 100
/** An endpoint whose queue is full gets no more events: the rest waits in the event log. */
export const maxQueueLength = 10_000
/** An endpoint without a success for this long is disabled. */
const maxFailingMs = 5 * dayMs

export interface AttemptOutcome {
  succeeded: boolean
  status: number | null
}

type Health = Pick<Endpoint, 'failures' | 'failingSince'>

/** The health of an endpoint after some attempts, and the reason to disable it, if there is one. */
export function healthAfter(
  before: Health,
  outcomes: readonly AttemptOutcome[],
  now: Date,
): Health & { disable: DisabledReason | null } {
  let { failures, failingSince } = before
  for (const { succeeded } of outcomes) {
    failures = succeeded ? 0 : failures + 1
    failingSince = succeeded ? null : (failingSince ?? now)
  }
  const isGone = outcomes.some((it) => it.status === 410)
  const isFailingTooLong = failingSince !== null && now.getTime() - failingSince.getTime() >= maxFailingMs
  return { failures, failingSince, disable: isGone ? 'gone' : isFailingTooLong ? 'failing' : null }
}
