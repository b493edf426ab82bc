// The worker thread of `parquetRows`. It sends a batch of rows and waits until it is asked for the next one.

import { once } from 'node:events'
import { open, type FileHandle } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  snappyUncompress,
} from 'hyparquet'
import { lowerThreadPriority } from '../../base/process-priority.ts'

/** A row; a value may be of any type, as in a line of JSON. */
export interface ParquetRow {
  id: unknown
  features: unknown
}

export type ParquetMessage = { rows: readonly ParquetRow[] } | { fault: string } | { end: true }

/** Of both columns in one row group, and of one page. Spark writes row groups of 128 MB. */
const maxGroupBytes = 256 * 1024 ** 2
const maxMetadataBytes = 16 * 1024 ** 2
const batchRows = 2_000

/** A file that cannot be read; its message is shown to the caller. */
class Unreadable extends Error {}

async function* rowsOf(handle: FileHandle): AsyncGenerator<readonly ParquetRow[], void> {
  const buffer = await bufferOf(handle)
  const metadata = await metadataOf(buffer)
  checkColumns(metadata)
  let rowStart = 0
  for (const [at, group] of metadata.row_groups.entries()) {
    checkGroup(group, { at, fileBytes: buffer.byteLength })
    const rowEnd = rowStart + Number(group.num_rows)
    const columns = ['id', 'features']
    const rows = await parquetReadObjects({ file: buffer, metadata, columns, compressors, rowStart, rowEnd })
    if (rows.length !== rowEnd - rowStart) throw new Unreadable(`row group ${at} lacks rows`)
    for (let from = 0; from < rows.length; from += batchRows)
      yield rows.slice(from, from + batchRows).map(plainRow)
    rowStart = rowEnd
  }
}

/** As a line of JSON: numbers of 64 bits become ordinary ones, and NaN and infinity are no numbers. */
const plainRow = ({ id, features }: Record<string, unknown>): ParquetRow => ({
  id: typeof id === 'bigint' ? Number(id) : id,
  features: isListed(features) ? Array.from(features, (it) => (Number.isFinite(it) ? it : null)) : features,
})

const isListed = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || ArrayBuffer.isView(value)

async function bufferOf(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat()
  return {
    byteLength: size,
    async slice(start, end = size) {
      if (!(start >= 0 && end <= size && start <= end)) throw new Unreadable('it is truncated')
      const bytes = Buffer.alloc(end - start)
      await handle.read(bytes, 0, bytes.length, start)
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    },
  }
}

/** The footer: its length is before the mark at the end of the file. */
async function metadataOf(buffer: AsyncBuffer): Promise<FileMetaData> {
  if (buffer.byteLength < 12) throw new Unreadable('it is truncated')
  const end = new DataView(await buffer.slice(buffer.byteLength - 8))
  if (end.getUint32(4, true) !== 0x31524150)
    throw new Unreadable('it is truncated: the mark at its end is missing')
  const bytes = end.getUint32(0, true)
  if (bytes > Math.min(maxMetadataBytes, buffer.byteLength - 12))
    throw new Unreadable('its footer is damaged or too large')
  return parquetMetadataAsync(buffer, { geoparquet: false })
}

function checkColumns({ schema, row_groups: groups }: FileMetaData): void {
  const names = new Set(schema.slice(1).map((it) => it.name))
  if (!names.has('id') || !names.has('features'))
    throw new Unreadable('it needs the columns id (a whole number) and features (a list of floats)')
  for (const { columns } of groups) {
    const typeOf = (name: string) => columns.find((it) => it.meta_data?.path_in_schema[0] === name)?.meta_data
    const [id, features] = [typeOf('id'), typeOf('features')]
    if (id?.path_in_schema.length !== 1 || !['INT32', 'INT64'].includes(id.type))
      throw new Unreadable('its column id must have whole numbers (INT32 or INT64)')
    if (!features || features.path_in_schema.length < 2 || !['FLOAT', 'DOUBLE'].includes(features.type))
      throw new Unreadable('its column features must have lists of FLOAT or DOUBLE')
  }
}

/** Sizes are checked before anything of that size is read. */
function checkGroup(
  { columns }: FileMetaData['row_groups'][number],
  { at, fileBytes }: { at: number; fileBytes: number },
): void {
  let bytes = 0
  for (const { meta_data: column } of columns) {
    if (!column || !['id', 'features'].includes(column.path_in_schema[0]!)) continue
    bytes += Number(column.total_uncompressed_size)
    const begin = Number(column.dictionary_page_offset ?? column.data_page_offset)
    if (begin + Number(column.total_compressed_size) > fileBytes) throw new Unreadable('it is truncated')
    if (Number(column.num_values) * 4 > 64 * maxGroupBytes)
      throw new Unreadable(`row group ${at} has too many values`)
  }
  if (bytes > maxGroupBytes)
    throw new Unreadable(`row group ${at} has ${bytes} bytes, at most ${maxGroupBytes} are read at once`)
}

/** The length that a page claims is checked before memory is allocated for it. */
const bounded =
  (decompress: (input: Uint8Array, length: number) => Uint8Array) =>
  (input: Uint8Array, length: number): Uint8Array => {
    if (!(length >= 0 && length <= maxGroupBytes)) throw new Unreadable(`a page claims ${length} bytes`)
    return decompress(input, length)
  }

const compressors: Compressors = {
  SNAPPY: bounded((input, length) => {
    const output = new Uint8Array(length)
    snappyUncompress(input, output)
    return output
  }),
  GZIP: bounded((input, length) => gunzipSync(input, { maxOutputLength: length + 1 })),
  ZSTD: bounded((input, length) => zstdDecompressSync(input, { maxOutputLength: length + 1 })),
}

lowerThreadPriority()
const file = await open(workerData as string)
try {
  for await (const rows of rowsOf(file)) {
    parentPort!.postMessage({ rows } satisfies ParquetMessage)
    await once(parentPort!, 'message')
  }
  parentPort!.postMessage({ end: true } satisfies ParquetMessage)
} catch (error) {
  // Damaged bytes make the decoder fail anywhere, so every error here is one of the file.
  parentPort!.postMessage({
    fault: error instanceof Error ? error.message : String(error),
  } satisfies ParquetMessage)
} finally {
  await file.close()
}
