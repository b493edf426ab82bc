// What a try came to, and what follows from it for its delivery, for those behind it and for its endpoint.

import type { Tx } from '../base/db.ts'
import type { Sent } from '../base/post.ts'
import { jitter } from '../base/random.ts'
import { wishedPauseMs } from '../base/retry.ts'
import { disable } from './disable-endpoint.ts'
import { type Endpoint, healthAfter } from './endpoint.ts'
import { pauseMs } from './retry.ts'
import { type Claimed, moveUp, saveTried, type Tried } from './store/deliveries.ts'
import { lockEndpoints, saveHealth } from './store/endpoints.ts'

export interface Outcome {
  delivery: Claimed
  headers: Record<string, string>
  sent: Sent
}

/** Writes down what a moment's tries came to, all at once. */
export async function settle(tx: Tx, lease: string, outcomes: readonly Outcome[]): Promise<void> {
  const tried = outcomes.map((it) => ({ ...it, after: triedOf(it, tx.now) }))
  const [endpoints, ours] = await tx.together(() =>
    Promise.all([
      lockEndpoints(tx, [...new Set(outcomes.map((it) => it.delivery.endpointId))]),
      saveTried(
        tx,
        lease,
        tried.map((it) => it.after),
      ),
    ]),
  )
  const counted = tried.filter((it) => ours.has(it.delivery.id))
  const ended = counted.filter((it) => it.after.status !== 'waiting')
  await moveUp(
    tx,
    ended.map((it) => it.delivery.id),
  )
  for (const endpoint of endpoints) {
    const own = counted.filter((it) => it.delivery.endpointId === endpoint.id)
    await followUp(tx, endpoint, {
      verdicts: own.map((it) => ({ succeeded: isSuccess(it.sent), status: it.sent.status })),
      ended: own.filter((it) => it.after.status !== 'waiting').length,
    })
  }
}

async function followUp(
  tx: Tx,
  endpoint: Endpoint,
  { verdicts, ended }: { verdicts: { succeeded: boolean; status: number | null }[]; ended: number },
): Promise<void> {
  if (endpoint.state !== 'enabled' || verdicts.length === 0) return
  const { disable: reason, ...health } = healthAfter(endpoint, verdicts, tx.now)
  if (reason) await disable(tx, endpoint, reason)
  else await saveHealth(tx, { id: endpoint.id, waiting: endpoint.waiting - ended, ...health })
}

const isSuccess = ({ status }: Sent): boolean => status !== null && status >= 200 && status < 300

function triedOf({ delivery, headers, sent }: Outcome, now: Date): Tried {
  const number = delivery.attempts + 1
  const wishedMs = sent.status === null ? undefined : wishedPauseMs(sent.status, sent.retryAfter, now)
  const pause = isSuccess(sent) ? undefined : pauseMs(number, { chance: jitter(), wishedMs })
  const { milliseconds, status, reply, error } = sent
  return {
    id: delivery.id,
    status: isSuccess(sent) ? 'succeeded' : pause === undefined ? 'failed' : 'waiting',
    nextAt: pause === undefined ? null : new Date(now.getTime() + pause),
    attempt: { number, at: now, milliseconds, url: delivery.url, headers, status, reply, error },
  }
}
