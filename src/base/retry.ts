// When something that failed outside is tried again.

/** Whoever is asked too often may ask for more time, but not for ever. */
const longestWishMs = 86_400_000
/** Spread a little, so that what failed together does not come back together. */
const spread = 0.1

/** How long to wait after so many tries, by a table of pauses; undefined when they were enough. */
export function pauseAfter(
  tries: number,
  pausesMs: readonly number[],
  { chance, wishedMs = 0 }: { chance: number; wishedMs?: number | undefined },
): number | undefined {
  const pause = pausesMs[tries - 1]
  if (pause === undefined) return undefined
  return Math.max(pause * (1 + spread * chance), Math.min(wishedMs, longestWishMs))
}

/** How long a reply of 429 or 503 asks us to wait: seconds or a date (RFC 9110 10.2.3). */
export function wishedPauseMs(status: number, retryAfter: string | undefined, now: Date): number | undefined {
  if ((status !== 429 && status !== 503) || retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000
  const until = Date.parse(retryAfter)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime())
}
