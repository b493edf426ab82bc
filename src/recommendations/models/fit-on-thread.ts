// Fits on a worker thread while this one trains the ranker. Products and places are copied, and both threads need memory at
// once, so it is for a first model that a user waits for, not for the trainings of a large shop.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PartOptions, TrainingData } from './fit-parts.ts'
import type { HistoryColumns } from './histories.ts'
import type { Model } from './model.ts'

export interface FitOrder {
  /** Without the class of the histories, which no other thread knows, and without credit, which only cases read. */
  data: Omit<TrainingData, 'buyers' | 'credit'> & { buyers: HistoryColumns; credit?: never }
  parts: Omit<PartOptions, 'timed' | 'threads'>
  /** A model is fitted on the interactions before each of these days, in this order. */
  days: readonly number[]
}

/** By day, the same model as a fit on this thread gives. */
export function fitOnThread(order: FitOrder): Promise<Model>[] {
  const worker = new Worker(new URL('./fit-thread.ts', import.meta.url), { workerData: order })
  const failure = once(worker, 'exit').then(() => {
    throw new Error('the thread that fits sources exited without a result')
  })
  const results = order.days.map(() => Promise.withResolvers<Model>())
  let next = 0
  worker.on('message', (model: Model) => results[next++]!.resolve(model))
  failure.catch((error: unknown) => {
    for (const it of results) it.reject(error)
  })
  return results.map((it) => {
    // The caller may fail before it waits for this one.
    it.promise.catch(() => {})
    return it.promise
  })
}
