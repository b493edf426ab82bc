// A model is read and checked on a thread of its own: a large one takes a third of a second, and no list would be made
// meanwhile.

import { Worker } from 'node:worker_threads'
import type { Reader } from '../base/db.ts'
import { ModelRefused } from './engine/model-file.ts'
import type { Model } from './engine/model.ts'
import { readPieces } from './store/models.ts'

/** What the thread says in the end. */
export type ReadWord = { model: Model } | { refusal: string }

/** The model of that number; a ModelRefused says why it cannot serve. */
export async function readModel(read: Reader, id: number): Promise<Model> {
  const pieces = await readPieces(read, id)
  const worker = new Worker(new URL('./read-model-thread.ts', import.meta.url), {
    workerData: pieces,
    // What shares its memory with others is copied.
    transferList: pieces.flatMap(({ buffer, length }) =>
      buffer.byteLength === length ? [buffer as ArrayBuffer] : [],
    ),
  })
  const word = await new Promise<ReadWord>((done, fail) => {
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('the thread that read a model ended without a word')))
  })
  if ('refusal' in word) throw new ModelRefused(word.refusal)
  return word.model
}
