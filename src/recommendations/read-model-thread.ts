// The thread of `readModel`: reads one model, hands it over without copying its tables, and ends.

import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../base/clock.ts'
import { Database } from '../base/db.ts'
import { yieldThread } from '../base/yield-to-others.ts'
import { ModelRefused, readFile } from './engine/model-file.ts'
import type { ReadWord, ToRead } from './read-model.ts'
import { readBytes } from './store/models.ts'

yieldThread()
const word = spoken(await fetched(workerData as ToRead))
parentPort!.postMessage(word, [...tablesIn(word)])

async function fetched({ connection, environment, modelId }: ToRead): Promise<Buffer> {
  const db = new Database({ connection, environment, clock: systemClock(), poolSize: 1 })
  try {
    return await readBytes(db.read(), modelId)
  } finally {
    await db.close()
  }
}

function spoken(bytes: Buffer): ReadWord {
  try {
    return { model: readFile(bytes) }
  } catch (error) {
    if (error instanceof ModelRefused) return { refusal: error.message }
    throw error
  }
}

function tablesIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer)
  else if (typeof value === 'object' && value !== null)
    for (const it of Object.values(value)) tablesIn(it, found)
  return found
}
