// Rate limits of a cluster: the primary process counts for its workers, over their message channel.

import type { Worker } from 'node:cluster'
import type { Limit, RateCounter, RateDecision } from './rate-limit.ts'

interface CountRequest {
  take: number
  name: string
  limit: Limit
}

interface CountReply {
  taken: number
  decision: RateDecision
}

const isCountRequest = (it: unknown): it is CountRequest =>
  typeof it === 'object' && it !== null && 'take' in it
const isCountReply = (it: unknown): it is CountReply => typeof it === 'object' && it !== null && 'taken' in it

/** In the primary process: counts for a worker. */
export function serveRateCounter(
  worker: Pick<Worker, 'isConnected'> & {
    on(event: 'message', listener: (message: unknown) => void): unknown
    send(message: CountReply): unknown
  },
  counter: RateCounter,
): void {
  worker.on('message', (message: unknown) => {
    if (!isCountRequest(message)) return
    const decision = counter.take(message.name, message.limit) as RateDecision
    if (worker.isConnected()) worker.send({ taken: message.take, decision })
  })
}

/** In a worker: lets the primary process count. */
export function workerCounter(channel: {
  on(event: 'message', listener: (message: unknown) => void): unknown
  send?(message: CountRequest): unknown
}): RateCounter {
  const waiting = new Map<number, (decision: RateDecision) => void>()
  let last = 0
  channel.on('message', (message: unknown) => {
    if (!isCountReply(message)) return
    waiting.get(message.taken)?.(message.decision)
    waiting.delete(message.taken)
  })
  return {
    take: (name, limit) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve)
        channel.send!({ take: last, name, limit })
      }),
    close: () => Promise.resolve(),
  }
}
