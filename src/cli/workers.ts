// Several processes that answer calls, raised by one that answers none: it keeps the database and counts for them.

import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../base/log.ts'
import type { RateCounter } from '../http/rate-limit.ts'
import { countFor } from '../http/rate-limit-workers.ts'
import { UsageError } from './command.ts'

const restartAfterMs = 500

export interface Workers {
  /** Where they listen, once all do; fails when one of them cannot. */
  address: Promise<string>
  stop(): Promise<void>
}

/** Raises workers and raises each again that dies. What they inherit reaches them by their environment. */
export function raiseWorkers(
  count: number,
  options: { inherit: Record<string, string>; counter: RateCounter; log: Log },
): Workers {
  let stopping = false
  const { promise: address, resolve: tell, reject: giveUp } = Promise.withResolvers<string>()
  let listening = 0
  const raise = () => {
    const worker = cluster.fork(options.inherit)
    countFor(worker, options.counter)
    worker.on('message', (message: { address?: string }) => {
      if (message.address && ++listening === count) tell(message.address)
    })
    worker.once('exit', (code, signal) => {
      if (stopping) return
      // One that never got to listen will not do better the next time; it has said why.
      if (listening < count) return giveUp(new UsageError('a worker could not start; it says why above'))
      options.log.error('a worker died; raising another', { code, signal })
      setTimeout(() => stopping || raise(), restartAfterMs)
    })
  }
  for (let at = 0; at < count; at++) raise()
  return {
    address,
    stop: async () => {
      stopping = true
      await Promise.all(Object.values(cluster.workers ?? {}).map((it) => ended(it!)))
    },
  }
}

const ended = (worker: Worker) =>
  new Promise<void>((done) => {
    worker.once('exit', () => done())
    worker.process.kill('SIGTERM')
  })
