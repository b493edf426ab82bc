// When a delivery that failed is tried again, and when we give up (contract 8): ten tries over 75 hours.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pauses that Standard Webhooks 1.0 recommends, after the first try, the second, and so on. */
const pausesMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
export const mostTries = pausesMs.length + 1

/** A receiver may ask for more time, but not for ever. */
const longestWishMs = 24 * hour
/** Spread a little, so that what failed together does not come back together. */
const spread = 0.1

/** How long to wait after so many tries; undefined when they were enough. */
export function pauseMs(
  tries: number,
  { chance, wishedMs = 0 }: { chance: number; wishedMs?: number | undefined },
): number | undefined {
  const pause = pausesMs[tries - 1]
  if (pause === undefined) return undefined
  return Math.max(pause * (1 + spread * chance), Math.min(wishedMs, longestWishMs))
}

/** How long a reply of 429 or 503 asks us to wait: seconds or a date (RFC 9110 10.2.3). */
export function wishedPauseMs(status: number, retryAfter: string | undefined, now: Date): number | undefined {
  if ((status !== 429 && status !== 503) || retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * second
  const until = Date.parse(retryAfter)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime())
}
