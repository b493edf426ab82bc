// When more comes in than can be done, some are turned away at the door, so that the rest are served in time.

import { elapsedMs } from '../base/clock.ts'
import { refuse } from '../base/refusal.ts'

type Turn = 'first' | 'last' | undefined

/** Turned away above so many calls under way, or above so much delay of the event loop. */
const limits = {
  first: { calls: 1_000, delayMs: 500 },
  middle: { calls: 2_000, delayMs: 1_000 },
  last: { calls: 3_000, delayMs: 2_000 },
}
const sampleMs = 250

export interface Gate {
  /** Refuses a call that there is no room for. */
  check(turn: Turn): void
  enter(): void
  leave(): void
  readonly underWay: number
  readonly delayMs: number
  close(): void
}

/** `loopDelays` that are borne turn nobody away: for a process that does other work beside serving. */
export function openGate({ loopDelays }: { loopDelays: 'shed' | 'borne' }): Gate {
  let underWay = 0
  let delayMs = 0
  let expectedMs = elapsedMs() + sampleMs
  let lateMs = 0
  let usage = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(usage)
    usage = process.cpuUsage()
    // Late twice in a row: one long breath, when memory is tidied up, is no overload. And late by our own work alone:
    // turning calls away does not help a process that the machine gives no time.
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
    get underWay() {
      return underWay
    },
    get delayMs() {
      return delayMs
    },
    close: () => clearInterval(timer),
  }
}
