// When a delivery that failed is tried again, and when we give up (contract 8): ten tries over 75 hours.

import { pauseAfter } from '../base/retry.ts'

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

/** How long to wait after so many tries; undefined when they were enough. */
export const pauseMs = (
  tries: number,
  more: { chance: number; wishedMs?: number | undefined },
): number | undefined => pauseAfter(tries, pausesMs, more)
