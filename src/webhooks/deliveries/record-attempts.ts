// Saves the outcome of attempts, and decides what follows for the delivery, for the ones queued behind it and for the
// endpoint.

import { hourMs, secondMs, minuteMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import type { PostResult } from '../../base/http-post.ts'
import { jitter } from '../../base/random.ts'
import { retryAfterMs, retryDelayMs } from '../../base/retry.ts'
import { disable } from '../endpoints/endpoints.ts'
import { type AttemptOutcome, type Endpoint, healthAfter } from '../endpoints/endpoint.ts'
import { type ClaimedDelivery, makeNextDue, saveAttempts, type AttemptResult } from './store.ts'
import { lockEndpoints, saveHealth } from '../endpoints/store.ts'

export interface Outcome {
  delivery: ClaimedDelivery
  headers: Record<string, string>
  sent: PostResult
}

/** Saves a batch of attempts in one transaction. */
export async function recordAttempts(tx: Tx, lease: string, outcomes: readonly Outcome[]): Promise<void> {
  const attempts = outcomes.map((it) => ({ ...it, result: resultOf(it, tx.now) }))
  const [endpoints, saved] = await tx.pipeline(() =>
    Promise.all([
      lockEndpoints(tx, [...new Set(outcomes.map((it) => it.delivery.endpointId))]),
      saveAttempts(
        tx,
        lease,
        attempts.map((it) => it.result),
      ),
    ]),
  )
  const counted = attempts.filter((it) => saved.has(it.delivery.id))
  const ended = counted.filter((it) => it.result.status !== 'waiting')
  makeNextDue(
    tx,
    ended.map((it) => it.delivery.id),
  )
  for (const endpoint of endpoints) {
    const own = counted.filter((it) => it.delivery.endpointId === endpoint.id)
    await updateEndpoint(tx, endpoint, {
      outcomes: own.map((it) => ({ succeeded: isSuccess(it.sent), status: it.sent.status })),
      ended: own.filter((it) => it.result.status !== 'waiting').length,
    })
  }
}

async function updateEndpoint(
  tx: Tx,
  endpoint: Endpoint,
  { outcomes, ended }: { outcomes: AttemptOutcome[]; ended: number },
): Promise<void> {
  if (endpoint.state !== 'enabled' || outcomes.length === 0) return
  const { disable: reason, ...health } = healthAfter(endpoint, outcomes, tx.now)
  if (reason) await disable(tx, endpoint, reason)
  else saveHealth(tx, { id: endpoint.id, waiting: endpoint.waiting - ended, ...health })
}

export const isSuccess = ({ status }: PostResult): boolean => status !== null && status >= 200 && status < 300

function resultOf({ delivery, headers, sent }: Outcome, now: Date): AttemptResult {
  const number = delivery.attempts + 1
  const requestedMs = sent.status === null ? undefined : retryAfterMs(sent.status, sent.retryAfter, now)
  const pause = isSuccess(sent) ? undefined : nextRetryMs(number, { chance: jitter(), requestedMs })
  const { milliseconds, status, reply, error } = sent
  return {
    id: delivery.id,
    status: isSuccess(sent) ? 'succeeded' : pause === undefined ? 'failed' : 'waiting',
    nextAt: pause === undefined ? null : new Date(now.getTime() + pause),
    attempt: { number, at: now, milliseconds, url: delivery.url, headers, status, reply, error },
  }
}

/** The delays that Standard Webhooks 1.0 recommends: ten attempts over 75 hours. */
const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]
export const maxAttempts = retryDelaysMs.length + 1

/** The delay before the next attempt; undefined after the last one. */
export const nextRetryMs = (
  attempts: number,
  more: { chance: number; requestedMs?: number | undefined },
): number | undefined => retryDelayMs(attempts, retryDelaysMs, more)
