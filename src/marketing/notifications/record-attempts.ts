// Saves the outcome of attempts, and decides what follows for the notification.

import type { Tx } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import { jitter } from '../../base/random.ts'
import type { Event } from '../../events.ts'
import { removeDevices } from '../devices/store.ts'
import type { Failure, Suppression } from './notification.ts'
import { type ClaimedNotification, saveAttempts, type AttemptResult } from './store.ts'
import { nextRetryMs } from './sending-limits.ts'
import type { ProviderReply } from './provider.ts'

export type Outcome =
  | { notification: ClaimedNotification; reply: ProviderReply; milliseconds: number }
  | { notification: ClaimedNotification; suppressed: Suppression }

/** Saves a batch of attempts in one transaction, and publishes events for the notifications that have ended. */
export async function recordAttempts(tx: Tx, lease: string, outcomes: readonly Outcome[]): Promise<void> {
  const attempts = outcomes.map((it) => ({ outcome: it, result: resultOf(it, tx.now) }))
  const saved = await saveAttempts(
    tx,
    lease,
    attempts.map((it) => it.result),
  )
  const counted = attempts.filter((it) => saved.has(it.result.id))
  const gone = counted.flatMap(({ outcome }) => ('reply' in outcome ? (outcome.reply.goneDevices ?? []) : []))
  if (gone.length > 0) removeDevices(tx, gone)
  publishAll(
    tx,
    counted.flatMap(({ outcome, result }) => eventsOf(outcome.notification, result)),
  )
}

function resultOf(outcome: Outcome, now: Date): AttemptResult {
  const { notification: it } = outcome
  if ('suppressed' in outcome)
    return {
      id: it.id,
      status: 'suppressed',
      reason: outcome.suppressed,
      nextAt: null,
      providerId: null,
      attempt: null,
    }
  const { reply, milliseconds } = outcome
  const number = it.attempts + 1
  const attempts = number - it.attemptsAtRequeue
  const pause =
    reply.verdict === 'failed'
      ? nextRetryMs(it.channel, attempts, { chance: jitter(), requestedMs: reply.retryAfterMs })
      : undefined
  const { verdict, status, reply: text, error } = reply
  const attempt = { number, at: now, milliseconds, outcome: verdict, status, reply: text, error }
  const end = { id: it.id, nextAt: null, providerId: reply.providerId, attempt }
  if (verdict === 'sent') return { ...end, status: 'sent', reason: null }
  if (verdict === 'refused') return { ...end, status: 'dead', reason: 'refused' }
  if (pause === undefined) return { ...end, status: 'dead', reason: 'too_many_attempts' }
  return { ...end, status: 'retrying', reason: null, nextAt: new Date(now.getTime() + pause) }
}

function eventsOf(it: ClaimedNotification, { status, reason }: AttemptResult): Event[] {
  const { id: notificationId, channel, category, clientId, campaignId } = it
  const about = { notificationId, channel, category, clientId, campaignId }
  if (status === 'sent') return [{ type: 'NotificationSent', ...about }]
  if (status === 'dead') return [{ type: 'NotificationFailed', ...about, reason: reason as Failure }]
  if (status === 'suppressed')
    return [{ type: 'NotificationSuppressed', ...about, reason: reason as Suppression }]
  return []
}
