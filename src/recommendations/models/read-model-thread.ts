// The worker thread of `readModel`: reads one model and transfers its arrays without copying.

import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import { Database } from '../../base/database.ts'
import { lowerThreadPriority } from '../../base/process-priority.ts'
import { Refusal } from '../../base/refusal.ts'
import { withServingTables } from './external-model.ts'
import { ModelRejected, parseModelFile } from './model-file.ts'
import type { ReadResult, ReadOrder } from './read-model.ts'
import { readBytes } from './store.ts'

lowerThreadPriority()
const result = await read(workerData as ReadOrder)
parentPort!.postMessage(result, [...buffersIn(result)])

async function fetchBytes({ connection, environment, modelId }: ReadOrder): Promise<Buffer> {
  const db = new Database({ connection, environment, clock: systemClock(), poolSize: 1 })
  try {
    return await readBytes(db.read(), modelId)
  } finally {
    await db.close()
  }
}

async function read(order: ReadOrder): Promise<ReadResult> {
  try {
    const model = parseModelFile(await fetchBytes(order))
    return { model: { ...model, external: model.external && withServingTables(model.external) } }
  } catch (error) {
    if (error instanceof ModelRejected) return { rejected: error.message }
    if (error instanceof Refusal) return { refused: { code: error.code, details: error.details } }
    throw error
  }
}

function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer)
  else if (typeof value === 'object' && value !== null)
    for (const it of Object.values(value)) buffersIn(it, found)
  return found
}
