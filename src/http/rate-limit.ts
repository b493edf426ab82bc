// A sliding window: in every stretch as long as the window, a caller is served at most the limit. Calls that are close
// together share a slot, so a caller takes a few numbers of memory and not one per call.

import type { Rate } from '../base/rate.ts'
import { refuse } from '../base/refusal.ts'

export type Limit = Exclude<Rate, 'none'>

export interface RateDecision {
  allowed: boolean
  remaining: number
  /** Refused: when a call is served again. Allowed: when the whole limit is free, if no call follows. */
  waitSeconds: number
}

/** Counts calls by name: in memory for one process, in the primary process for its workers, in Redis for many hosts. */
export interface RateCounter {
  take(name: string, limit: Limit): RateDecision | Promise<RateDecision>
  /** Whether the shared store answers; absent for counters in memory. */
  isReachable?(): boolean
  close(): Promise<void>
}

/**
 * The calls of one caller that still count: when the newest slot was opened, then pairs, oldest first, of the time of a
 * slot's last call and the number of its calls. One flat array, because there are many callers.
 */
export type Window = number[]

/** A slot takes calls for 1/64 of the window; it leaves as a whole, one window after its last call. */
export const slotsPerWindow = 64
/** Up to this limit every call has a slot of its own, so that the window is exact. */
export const exactLimit = 128

/** Counts one more call in the window, if it is allowed. `rate-limit-redis.ts` runs the same rule as a script. */
export function takeFrom(window: Window, { limit, windowSeconds }: Limit, nowMs: number): RateDecision {
  const lengthMs = windowSeconds * 1000
  let expired = 0
  let used = 0
  for (let at = 1; at < window.length; at += 2) {
    // A clock that steps back must not lengthen the wait beyond the window.
    if (window[at]! > nowMs) window[at] = nowMs
    if (window[at]! + lengthMs <= nowMs) expired += 2
    else used += window[at + 1]!
  }
  if (expired > 0) window.splice(1, expired)
  if (used >= limit) {
    const waitMs = freeAtMs(window, used - limit) + lengthMs - nowMs
    return { allowed: false, remaining: 0, waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
  }
  addCall(window, nowMs, limit > exactLimit ? lengthMs / slotsPerWindow : 0)
  return { allowed: true, remaining: limit - used - 1, waitSeconds: windowSeconds }
}

function addCall(window: Window, nowMs: number, slotMs: number): void {
  if (window.length > 1 && Math.abs(nowMs - window[0]!) < slotMs) {
    window[window.length - 2] = nowMs
    window[window.length - 1]!++
  } else {
    window.push(nowMs, 1)
    window[0] = nowMs
  }
}

/** The last call of the slot that has to leave before one call fits. Above 0, the excess comes from a lowered limit. */
function freeAtMs(window: Window, excess: number): number {
  let left = excess
  let at = 1
  while (window[at + 1]! <= left) {
    left -= window[at + 1]!
    at += 2
  }
  return window[at]!
}

const maxCallers = 100_000

/** Counts in this process. Above the maximum, the half of the callers that has not called for longest is dropped. */
export function memoryCounter(nowMs: () => number): RateCounter {
  // Most callers call once; for them only the time of the call is stored.
  let recent = new Map<string, number | Window>()
  let older = new Map<string, number | Window>()
  return {
    take(name, limit) {
      const now = nowMs()
      const known = recent.get(name) ?? older.get(name)
      if (typeof known === 'object' && recent.has(name)) return takeFrom(known, limit, now)
      if (recent.size >= maxCallers / 2) {
        older = recent
        recent = new Map()
      }
      if (known === undefined) {
        recent.set(name, now)
        return { allowed: true, remaining: limit.limit - 1, waitSeconds: limit.windowSeconds }
      }
      const window = typeof known === 'number' ? [known, known, 1] : known
      recent.set(name, window)
      return takeFrom(window, limit, now)
    },
    close: () => Promise.resolve(),
  }
}

/** The fields of every reply (IETF draft "RateLimit header fields for HTTP"). */
export const rateHeaders = (limit: Limit, decision: RateDecision): Record<string, string> => ({
  'ratelimit-policy': `"default";q=${limit.limit};w=${limit.windowSeconds}`,
  ratelimit: `"default";r=${decision.remaining};t=${decision.waitSeconds}`,
})

/** The refusal of SPEC-1 7. */
export const rateLimitExceeded = (limit: Limit, decision: RateDecision, now: Date) =>
  refuse('rate_limit_exceeded', {
    retry_after: decision.waitSeconds,
    limit: limit.limit,
    remaining: 0,
    reset_at: new Date(now.getTime() + decision.waitSeconds * 1000).toISOString(),
  })
