// Reads item factors from Parquet, as Spark writes those of its ALS: a column `id` and a column `features`, a list of
// floats. A thread with limited memory decodes one row group after the other, because a damaged or hostile file may claim
// any size.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { refuse } from '../../base/refusal.ts'
import type { ParquetMessage, ParquetRow } from './parquet-thread.ts'

const mark = Buffer.from('PAR1')
/** Of one file: the footer is at its end, so it is kept on disk. */
export const maxParquetBytes = 2 * 1024 ** 3
const maxHeapMegabytes = 1_024

/** Whether a stream begins as a Parquet file does, and the whole stream. */
export async function startsAsParquet(
  source: AsyncIterable<Uint8Array>,
): Promise<{ isParquet: boolean; source: AsyncIterable<Uint8Array> }> {
  const pieces = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isEnd = false
  while (head.length < mark.length && !isEnd) {
    const next = await pieces.next()
    if (next.done) isEnd = true
    else head = Buffer.concat([head, next.value])
  }
  const whole = async function* () {
    if (head.length > 0) yield head
    while (!isEnd) {
      const next = await pieces.next()
      if (next.done) return
      yield next.value
    }
  }
  return { isParquet: head.subarray(0, mark.length).equals(mark), source: whole() }
}

/** The rows of a file in batches. `name` is that of the part in refusals; empty for a single file. */
export async function* parquetRows(
  source: AsyncIterable<Uint8Array>,
  name = '',
): AsyncGenerator<readonly ParquetRow[], void> {
  const folder = await mkdtemp(join(tmpdir(), 'bozor-parquet-'))
  try {
    const path = join(folder, 'factors.parquet')
    await pipeline(Readable.from(limited(source)), createWriteStream(path))
    yield* decodedRows(path, name)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* limited(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let bytes = 0
  for await (const piece of source) {
    bytes += piece.length
    if (bytes > maxParquetBytes) throw refuse('payload_too_large', { limit_bytes: maxParquetBytes })
    yield piece
  }
}

async function* decodedRows(path: string, name: string): AsyncGenerator<readonly ParquetRow[], void> {
  const worker = new Worker(new URL('./parquet-thread.ts', import.meta.url), {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  })
  try {
    for (;;) {
      const [message] = (await once(worker, 'message')) as [ParquetMessage]
      if ('fault' in message) throw unreadable(name, message.fault)
      if ('end' in message) return
      yield message.rows
      worker.postMessage('next')
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw unreadable(name, 'it needs too much memory')
    throw error
  } finally {
    await worker.terminate()
  }
}

const unreadable = (path: string, fault: string) =>
  refuse('validation_failed', { fields: [{ path, rule: 'parquet', limit: fault }] })
