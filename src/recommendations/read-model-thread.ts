// The thread of `readModel`: reads one model, hands it over without copying its tables, and ends.

import { parentPort, workerData } from 'node:worker_threads'
import { ModelRefused, readFile } from './engine/model-file.ts'
import type { ReadWord } from './read-model.ts'

const word = spoken(Buffer.concat(workerData as Uint8Array[]))
parentPort!.postMessage(word, [...tablesIn(word)])

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
