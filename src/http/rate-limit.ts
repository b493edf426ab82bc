// A sliding window: what was used in the window before counts in proportion to how much of it is still in sight.
// So no burst at an edge doubles the limit, and one number pair per caller is all that is kept.

import type { Rate } from '../base/rate.ts'
import { refuse } from '../base/refusal.ts'

export type Limit = Exclude<Rate, 'none'>

export interface Window {
  startMs: number
  used: number
  usedBefore: number
}

export interface Verdict {
  allowed: boolean
  remaining: number
  /** Until the window ends, or for a refused call until it would be served. */
  waitSeconds: number
}

/** Counts calls by name. In memory for one process, in Redis for many. */
export interface RateCounter {
  take(name: string, limit: Limit): Verdict | Promise<Verdict>
  close(): Promise<void>
}

/** The verdict on one more call, and the window after it. Redis runs the same rule as a script. */
export function judged(
  before: Window | undefined,
  limit: Limit,
  nowMs: number,
): { window: Window; verdict: Verdict } {
  const lengthMs = limit.windowSeconds * 1000
  const window = rolled(before, lengthMs, nowMs)
  const ageMs = nowMs - window.startMs
  const inSight = window.usedBefore * (1 - ageMs / lengthMs) + window.used
  if (inSight + 1 <= limit.limit + 1e-9) {
    window.used++
    const remaining = Math.max(0, Math.floor(limit.limit - inSight - 1 + 1e-9))
    return {
      window,
      verdict: { allowed: true, remaining, waitSeconds: Math.ceil((lengthMs - ageMs) / 1000) },
    }
  }
  const waitMs = untilOneFits(window, limit.limit, lengthMs) - ageMs
  return {
    window,
    verdict: { allowed: false, remaining: 0, waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  }
}

function rolled(before: Window | undefined, lengthMs: number, nowMs: number): Window {
  const ageMs = before ? nowMs - before.startMs : Infinity
  if (!before || ageMs >= 2 * lengthMs) return { startMs: nowMs, used: 0, usedBefore: 0 }
  if (ageMs < lengthMs) return { ...before }
  return { startMs: before.startMs + lengthMs, used: 0, usedBefore: before.used }
}

/** How long after the window's start the next call fits: in this window while it lasts, else in the next. */
function untilOneFits(window: Window, limit: number, lengthMs: number): number {
  const room = limit - 1 - window.used
  if (room >= 0) return lengthMs * (1 - room / window.usedBefore)
  return lengthMs + lengthMs * (1 - (limit - 1) / window.used)
}

const maxCallers = 100_000

/** Counts in this process. Of too many callers those are forgotten, half at a time, who have not called for longest. */
export function memoryCounter(nowMs: () => number): RateCounter {
  let recent = new Map<string, Window>()
  let older = new Map<string, Window>()
  return {
    take(name, limit) {
      const { window, verdict } = judged(recent.get(name) ?? older.get(name), limit, nowMs())
      if (recent.size >= maxCallers / 2) {
        older = recent
        recent = new Map()
      }
      recent.set(name, window)
      return verdict
    },
    close: () => Promise.resolve(),
  }
}

/** The fields that every reply carries (IETF draft "RateLimit header fields for HTTP"). */
export const rateHeaders = (limit: Limit, verdict: Verdict): Record<string, string> => ({
  'ratelimit-policy': `"default";q=${limit.limit};w=${limit.windowSeconds}`,
  ratelimit: `"default";r=${verdict.remaining};t=${verdict.waitSeconds}`,
})

/** The refusal of SPEC-1 7. */
export const tooMany = (limit: Limit, verdict: Verdict, now: Date) =>
  refuse('rate_limit_exceeded', {
    retry_after: verdict.waitSeconds,
    limit: limit.limit,
    remaining: 0,
    reset_at: new Date(now.getTime() + verdict.waitSeconds * 1000).toISOString(),
  })
