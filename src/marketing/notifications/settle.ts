// What a try came to, and what follows from it for its notification.

import type { Tx } from '../../base/db.ts'
import { publishAll } from '../../base/outbox.ts'
import { jitter } from '../../base/random.ts'
import type { Event } from '../../events.ts'
import { removeDevices } from '../store/devices.ts'
import { type Claimed, saveTried, type Tried } from '../store/sending.ts'
import { pauseMs } from './lines.ts'
import type { Reply } from './provider.ts'

export type Outcome =
  | { notification: Claimed; reply: Reply; milliseconds: number }
  | { notification: Claimed; suppressed: 'no_consent' | 'no_address' }

/** Writes down what a moment's tries came to, all at once, and tells of those that have ended. */
export async function settle(tx: Tx, lease: string, outcomes: readonly Outcome[]): Promise<void> {
  const tried = outcomes.map((it) => ({ outcome: it, after: triedOf(it, tx.now) }))
  const ours = await saveTried(
    tx,
    lease,
    tried.map((it) => it.after),
  )
  const counted = tried.filter((it) => ours.has(it.after.id))
  const gone = counted.flatMap(({ outcome }) => ('reply' in outcome ? (outcome.reply.gone ?? []) : []))
  if (gone.length > 0) await removeDevices(tx, gone)
  await publishAll(
    tx,
    counted.flatMap(({ outcome, after }) => factsOf(outcome.notification, after)),
  )
}

function triedOf(outcome: Outcome, now: Date): Tried {
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
  const tries = number - it.forgiven
  const pause =
    reply.verdict === 'failed'
      ? pauseMs(it.channel, tries, { chance: jitter(), wishedMs: reply.wishedMs })
      : undefined
  const { verdict, status, reply: said, error } = reply
  const attempt = { number, at: now, milliseconds, outcome: verdict, status, reply: said, error }
  const end = { id: it.id, nextAt: null, providerId: reply.providerId, attempt }
  if (verdict === 'sent') return { ...end, status: 'sent', reason: null }
  if (verdict === 'refused') return { ...end, status: 'dead', reason: 'refused' }
  if (pause === undefined) return { ...end, status: 'dead', reason: 'too_many_tries' }
  return { ...end, status: 'retrying', reason: null, nextAt: new Date(now.getTime() + pause) }
}

function factsOf(it: Claimed, { status, reason }: Tried): Event[] {
  const { id: notificationId, channel, category, clientId, campaignId } = it
  const about = { notificationId, channel, category, clientId, campaignId }
  if (status === 'sent') return [{ type: 'NotificationSent', ...about }]
  if (status === 'dead') return [{ type: 'NotificationFailed', ...about, reason: reason! }]
  if (status === 'suppressed') return [{ type: 'NotificationSuppressed', ...about, reason: reason! }]
  return []
}
