// Worker processes that serve HTTP. The first process owns the database and the rate counters.

import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../base/log.ts'
import { serveMetrics } from '../http/metrics-workers.ts'
import type { RateCounter } from '../http/rate-limit.ts'
import { serveRateCounter } from '../http/rate-limit-workers.ts'
import { CommandError } from './command.ts'
import { profileSignal } from './cpu-profile.ts'
import { openDrainSteps } from './drain-together.ts'

const restartAfterMs = 500

export interface Workers {
  /** The address once all workers listen; rejects when one cannot start. */
  address: Promise<string>
  /** Resolves when all workers are ready. */
  ready: Promise<void>
  stop(): Promise<void>
}

/** Starts workers and restarts those that die. `inherit` is passed as environment variables. */
export function startWorkers(
  count: number,
  options: { inherit: Record<string, string>; counter: RateCounter; log: Log },
): Workers {
  let stopping = false
  const { promise: address, resolve: onListening, reject: onFailure } = Promise.withResolvers<string>()
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  let listening = 0
  let readyCount = 0
  const running = () => Object.values(cluster.workers ?? {}).map((it) => it!)
  const drainSteps = openDrainSteps(running)
  const startWorker = () => {
    const worker = cluster.fork(options.inherit)
    serveRateCounter(worker, options.counter)
    drainSteps.serve(worker)
    serveMetrics(worker, running)
    worker.on('message', (message: { address?: string; isReady?: true }) => {
      if (message.address && ++listening === count) onListening(message.address)
      if (message.isReady && ++readyCount === count) onReady()
    })
    worker.once('exit', (code, signal) => {
      if (stopping) return
      // A worker that never listened would fail again.
      if (listening < count)
        return onFailure(new CommandError('a worker could not start; see the error above'))
      options.log.error('worker died, starting another', { code, signal })
      setTimeout(() => stopping || startWorker(), restartAfterMs)
    })
  }
  for (let at = 0; at < count; at++) startWorker()
  process.on(profileSignal, () => {
    for (const worker of running()) worker.process.kill(profileSignal)
  })
  return {
    address,
    ready,
    stop: async () => {
      stopping = true
      await Promise.all(running().map(ended))
    },
  }
}

const ended = (worker: Worker) =>
  new Promise<void>((done) => {
    worker.once('exit', () => done())
    worker.process.kill('SIGTERM')
  })
