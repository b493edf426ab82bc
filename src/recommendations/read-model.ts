// A model is fetched, read and checked on a thread of its own: a large one takes a third of a second to check, and the
// driver gets bytes as text twice as long, which in the heap of whoever answers calls is collected for seconds.

import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import type { Database, Environment } from '../base/db.ts'
import { ModelRefused } from './engine/model-file.ts'
import type { Model } from './engine/model.ts'

/** What the thread is told. */
export interface ToRead {
  connection: pg.PoolConfig
  environment: Environment
  modelId: number
}

/** What the thread says in the end. */
export type ReadWord = { model: Model } | { refusal: string }

/** The model of that number; a ModelRefused says why it cannot serve. */
export async function readModel({ connection, environment }: Database, modelId: number): Promise<Model> {
  const told: ToRead = { connection, environment, modelId }
  const worker = new Worker(new URL('./read-model-thread.ts', import.meta.url), { workerData: told })
  const word = await new Promise<ReadWord>((done, fail) => {
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('the thread that read a model ended without a word')))
  })
  if ('refusal' in word) throw new ModelRefused(word.refusal)
  return word.model
}
