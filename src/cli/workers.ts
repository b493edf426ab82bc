// Several processes that answer calls, raised by one that answers none: it keeps the database and counts for them.

import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../base/log.ts'
import type { RateCounter } from '../http/rate-limit.ts'
import { countFor } from '../http/rate-limit-workers.ts'

const restartAfterMs = 500

export interface Workers {
  /** Where they listen, once all do. */
  address: Promise<string>
  stop(): Promise<void>
}

/** Raises workers and raises each again that dies. What they inherit reaches them by their environment. */
export function raiseWorkers(
  count: number,
  options: { inherit: Record<string, string>; counter: RateCounter; log: Log },
): Workers {
  let stopping = false
  let told: (address: string) => void
  const address = new Promise<string>((done) => (told = done))
  let listening = 0
  const raise = () => {
    const worker = cluster.fork(options.inherit)
    countFor(worker, options.counter)
    worker.on('message', (message: { address?: string }) => {
      if (message.address && ++listening === count) told(message.address)
    })
    worker.once('exit', (code, signal) => {
      if (stopping) return
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
