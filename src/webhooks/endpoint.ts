// An endpoint outside that is told of events, and when it is told no more.

export interface Endpoint {
  id: string
  url: string
  description: string
  filters: string[]
  state: 'enabled' | 'disabled'
  disabledReason: DisabledReason | null
  /** All events up to this position have been put into its line. */
  position: number
  /** How many deliveries wait, at most `longestLine`. */
  waiting: number
  /** How many tries have failed since the last that did not. */
  failures: number
  failingSince: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export type DisabledReason = 'by_hand' | 'gone' | 'failing'

export const mostEndpoints = 100
/** Beyond so many waiting deliveries an endpoint is fed no more: the rest waits in the log of events. */
export const longestLine = 10_000
const patienceMs = 5 * 86_400_000

/** What one try came to, as far as its endpoint is concerned. */
export interface Verdict {
  succeeded: boolean
  status: number | null
}

type Health = Pick<Endpoint, 'failures' | 'failingSince'>

/** The health of an endpoint after some tries, and why it is to be disabled, if it is. */
export function healthAfter(
  before: Health,
  verdicts: readonly Verdict[],
  now: Date,
): Health & { disable: DisabledReason | null } {
  let { failures, failingSince } = before
  for (const { succeeded } of verdicts) {
    failures = succeeded ? 0 : failures + 1
    failingSince = succeeded ? null : (failingSince ?? now)
  }
  const isGone = verdicts.some((it) => it.status === 410)
  const isHopeless = failingSince !== null && now.getTime() - failingSince.getTime() >= patienceMs
  return { failures, failingSince, disable: isGone ? 'gone' : isHopeless ? 'failing' : null }
}
