// The counters of several processes of one machine: the first process counts for its workers, over their channel.

import type { Worker } from 'node:cluster'
import type { Limit, RateCounter, Verdict } from './rate-limit.ts'

interface Question {
  take: number
  name: string
  limit: Limit
}

interface Reply {
  taken: number
  verdict: Verdict
}

const isQuestion = (it: unknown): it is Question => typeof it === 'object' && it !== null && 'take' in it
const isReply = (it: unknown): it is Reply => typeof it === 'object' && it !== null && 'taken' in it

/** In the first process: answers a worker's questions. */
export function countFor(worker: Worker, counter: RateCounter): void {
  worker.on('message', (message: unknown) => {
    if (!isQuestion(message)) return
    const verdict = counter.take(message.name, message.limit) as Verdict
    if (worker.isConnected()) worker.send({ taken: message.take, verdict } satisfies Reply)
  })
}

/** In a worker: asks the first process. */
export function askingCounter(channel: Pick<NodeJS.Process, 'send' | 'on'>): RateCounter {
  const waiting = new Map<number, (verdict: Verdict) => void>()
  let asked = 0
  channel.on('message', (message: unknown) => {
    if (!isReply(message)) return
    waiting.get(message.taken)?.(message.verdict)
    waiting.delete(message.taken)
  })
  return {
    take: (name, limit) =>
      new Promise((answer) => {
        waiting.set(++asked, answer)
        channel.send!({ take: asked, name, limit } satisfies Question)
      }),
    close: () => Promise.resolve(),
  }
}
