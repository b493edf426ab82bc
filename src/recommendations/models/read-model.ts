// Reads and checks a model on a worker thread. Checking a large one takes a third of a second, and the driver's text form
// of its bytes would cause seconds of garbage collection on the serving thread.

import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import type { Database, Environment } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { ModelRejected } from './model-file.ts'
import type { Model } from './model.ts'

export interface ReadOrder {
  connection: pg.PoolConfig
  environment: Environment
  modelId: number
}

/** Errors lose their class between threads, so the expected ones are results. */
export type ReadResult =
  | { model: Model }
  | { rejected: string }
  | { refused: { code: string; details: Record<string, unknown> } }

/** Throws `ModelRejected` with the reason when the file is invalid, and a refusal when the database does not answer. */
export async function readModel({ connection, environment }: Database, modelId: number): Promise<Model> {
  const order: ReadOrder = { connection, environment, modelId }
  const worker = new Worker(new URL('./read-model-thread.ts', import.meta.url), { workerData: order })
  const result = await new Promise<ReadResult>((done, fail) => {
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('the thread that reads a model exited without a result')))
  })
  if ('rejected' in result) throw new ModelRejected(result.rejected)
  if ('refused' in result) throw refuse(result.refused.code, result.refused.details)
  return result.model
}
