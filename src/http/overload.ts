// Rejects requests under overload, so that the accepted ones are served in time.

import { elapsedMs } from '../base/clock.ts'
import { refuse } from '../base/refusal.ts'

type SheddingPriority = 'first' | 'last' | undefined

/** Requests are rejected above these numbers of requests in progress or delays of the event loop. */
const limits = {
  first: { calls: 1_000, delayMs: 500 },
  middle: { calls: 2_000, delayMs: 1_000 },
  last: { calls: 3_000, delayMs: 2_000 },
}
const sampleMs = 250

export interface LoadShedder {
  /** Throws if the request must be rejected. */
  check(turn: SheddingPriority): void
  enter(): void
  leave(): void
  readonly inProgress: number
  readonly delayMs: number
  close(): void
}

/** `tolerate` ignores delays of the event loop: for a process that does other work besides serving. */
export function openLoadShedder({ loopDelays }: { loopDelays: 'shed' | 'tolerate' }): LoadShedder {
  let underWay = 0
  let delayMs = 0
  let expectedMs = elapsedMs() + sampleMs
  let lateMs = 0
  let usage = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(usage)
    usage = process.cpuUsage()
    // Two late samples in a row: one long garbage collection is not an overload. Only delay caused by this process
    // counts: rejecting requests does not help a process that gets no CPU time.
    const nowLateMs = Math.min(Math.max(0, elapsedMs() - expectedMs), (user + system) / 1000)
    delayMs = Math.min(lateMs, nowLateMs)
    lateMs = nowLateMs
    expectedMs = elapsedMs() + sampleMs
  }, sampleMs).unref()
  return {
    check(turn) {
      const limit = limits[turn ?? 'middle']
      if (underWay > limit.calls || (loopDelays === 'shed' && delayMs > limit.delayMs))
        throw refuse('service_unavailable', { retry_after: 1 })
    },
    enter: () => void underWay++,
    leave: () => void underWay--,
    get inProgress() {
      return underWay
    },
    get delayMs() {
      return delayMs
    },
    close: () => clearInterval(timer),
  }
}
