// When failed calls are repeated.

import { dayMs } from './clock.ts'
import { Refusal } from './refusal.ts'

/** The longest pause that a receiver may request. */
const maxRetryAfterMs = dayMs
/** Jitter, so that calls that failed together are not repeated together. */
const jitterShare = 0.1

/** The pause before the next attempt, from a table; undefined when no attempt is left. */
export function retryDelayMs(
  tries: number,
  pausesMs: readonly number[],
  { chance, requestedMs = 0 }: { chance: number; requestedMs?: number | undefined },
): number | undefined {
  const pause = pausesMs[tries - 1]
  if (pause === undefined) return undefined
  return Math.max(pause * (1 + jitterShare * chance), Math.min(requestedMs, maxRetryAfterMs))
}

/** The pause that a 429 or 503 asks for in `Retry-After`: seconds or a date (RFC 9110 10.2.3). */
export function retryAfterMs(status: number, retryAfter: string | undefined, now: Date): number | undefined {
  if ((status !== 429 && status !== 503) || retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000
  const until = Date.parse(retryAfter)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime())
}

const defaultTries = 5

/** Repeats work while the database is busy or restarting, with doubling pauses, so that long work is not lost. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  { tries = defaultTries } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const waitSeconds = error instanceof Refusal ? error.details['retry_after'] : undefined
      if (typeof waitSeconds !== 'number' || attempt === tries) throw error
      await new Promise((done) => setTimeout(done, waitSeconds * 1000 * 2 ** (attempt - 1)))
    }
}
