// How many messages may be under way, how often they are tried, and when a provider is left in peace.

import { pauseAfter } from '../../base/retry.ts'
import type { Channel } from '../templates/template.ts'
import { type Category, categories } from './notification.ts'

const minute = 60_000
const hour = 60 * minute

// A mail may come tomorrow; a short message that comes hours later only puzzles. What somebody waits for has places of its
// own, so that no campaign stands in its way.
// oxfmt-ignore
const table: Record<Channel, { places: Record<Category, number>; pausesMs: number[] }> = {
  email: { places: { transactional: 5,  marketing: 5 },  pausesMs: [1 * minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour] },
  sms:   { places: { transactional: 10, marketing: 10 }, pausesMs: [1 * minute, 5 * minute, 15 * minute, 1 * hour] },
  push:  { places: { transactional: 10, marketing: 10 }, pausesMs: [1 * minute, 5 * minute, 15 * minute, 1 * hour] },
}

/** A line is what waits for one channel in one category. */
export const lineOf = (it: { channel: Channel; category: Category }): string => `${it.channel}/${it.category}`

export const placesOf = (channel: Channel): number =>
  categories.reduce((sum, it) => sum + table[channel].places[it], 0)

/** How long to wait after so many tries; undefined when they were enough. */
export const pauseMs = (
  channel: Channel,
  tries: number,
  more: { chance: number; wishedMs?: number | undefined },
): number | undefined => pauseAfter(tries, table[channel].pausesMs, more)

export const mostTries = Math.max(...Object.values(table).map((it) => it.pausesMs.length)) + 1

const failingFrom = 5
const firstRestMs = 1_000
const longestRestMs = 60_000

/** How a provider has fared lately, as one process sees it. */
export interface Health {
  /** Failures since the last that was none. */
  failures: number
  /** Not asked before this, on a clock that only measures. */
  restsUntilMs: number
}

export const healthy: Health = { failures: 0, restsUntilMs: 0 }

export const isFailing = ({ failures }: Health): boolean => failures >= failingFrom

/** One that keeps failing is left in peace for a while, longer each time, so that what waits does not use up its tries. */
export function healthAfter(
  before: Health,
  { isUnwell, nowMs }: { isUnwell: boolean; nowMs: number },
): Health {
  if (!isUnwell) return healthy
  const failures = before.failures + 1
  const over = failures - failingFrom
  const restMs = over < 0 ? 0 : Math.min(longestRestMs, firstRestMs * 2 ** Math.min(over, 10))
  return { failures, restsUntilMs: nowMs + restMs }
}

/** How many of a line may be under way: all, one to see whether the provider is back, or none. */
export function placesFor(
  { channel, category }: { channel: Channel; category: Category },
  health: Health,
  nowMs: number,
): number {
  if (nowMs < health.restsUntilMs) return 0
  return isFailing(health) ? 1 : table[channel].places[category]
}
