// Concurrency limits, retry delays, and the circuit breaker of providers.

import { hourMs, minuteMs } from '../../base/clock.ts'
import { retryDelayMs } from '../../base/retry.ts'
import type { Channel } from '../templates/template.ts'
import { type Category, categories } from './notification.ts'

// E-mails are retried for days; an SMS that arrives hours late is useless. Transactional messages have slots of their own,
// so that no campaign delays them.
// oxfmt-ignore
const table: Record<Channel, { slots: Record<Category, number>; retryDelaysMs: number[] }> = {
  email: { slots: { transactional: 5,  marketing: 5 },  retryDelaysMs: [1 * minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs, 24 * hourMs] },
  sms:   { slots: { transactional: 10, marketing: 10 }, retryDelaysMs: [1 * minuteMs, 5 * minuteMs, 15 * minuteMs, 1 * hourMs] },
  push:  { slots: { transactional: 10, marketing: 10 }, retryDelaysMs: [1 * minuteMs, 5 * minuteMs, 15 * minuteMs, 1 * hourMs] },
}

/** A queue holds one channel and category. */
export const queueOf = (it: { channel: Channel; category: Category }): string =>
  `${it.channel}/${it.category}`

export const slotsOf = (channel: Channel): number =>
  categories.reduce((sum, it) => sum + table[channel].slots[it], 0)

/** The delay after this many attempts; undefined when it was the last. */
export const nextRetryMs = (
  channel: Channel,
  attempts: number,
  more: { chance: number; requestedMs?: number | undefined },
): number | undefined => retryDelayMs(attempts, table[channel].retryDelaysMs, more)

export const maxAttempts = Math.max(...Object.values(table).map((it) => it.retryDelaysMs.length)) + 1

const failingFrom = 5
const firstPauseMs = 1_000
const maxPauseMs = 60_000

/** The state of a provider, as one process sees it. */
export interface ProviderHealth {
  /** Failures since the last success. */
  failures: number
  /** No calls before this time, on the monotonic clock. */
  pausedUntilMs: number
}

export const healthy: ProviderHealth = { failures: 0, pausedUntilMs: 0 }

export const isFailing = ({ failures }: ProviderHealth): boolean => failures >= failingFrom

/** Pauses a failing provider, longer each time, so that queued messages do not use up their attempts. */
export function healthAfter(
  before: ProviderHealth,
  { isProviderFailing, nowMs }: { isProviderFailing: boolean; nowMs: number },
): ProviderHealth {
  if (!isProviderFailing) return healthy
  const failures = before.failures + 1
  const over = failures - failingFrom
  const pauseMs = over < 0 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(over, 10))
  return { failures, pausedUntilMs: nowMs + pauseMs }
}

/** Slots of a queue: all, one to probe whether the provider is back, or none. */
export function availableSlots(
  { channel, category }: { channel: Channel; category: Category },
  health: ProviderHealth,
  nowMs: number,
): number {
  if (nowMs < health.pausedUntilMs) return 0
  return isFailing(health) ? 1 : table[channel].slots[category]
}
