// Files of lines, plain or gzipped, read as streams; what is wrong is told with the file and the line.

import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

const MAX_LINE_CHARS = 64 * 1024 * 1024
const GZIP_MAGIC = [0x1f, 0x8b]

/** What is wrong with a file somebody gave us: expected, and told without a stack. */
export class InputError extends Error {
  override name = 'InputError'
}

export interface Line {
  text: string
  /** Counted from 1, blank lines included. */
  number: number
}

/** The lines of a file that hold anything, in batches as they arrive. */
export async function* lineBatches(file: string): AsyncGenerator<Line[]> {
  let rest = ''
  let number = 0
  for await (const chunk of textOf(file)) {
    const pieces = (rest + chunk).split('\n')
    rest = pieces.pop()!
    if (rest.length > MAX_LINE_CHARS)
      throw new InputError(`${file} line ${number + pieces.length + 1}: the line is too long`)
    const batch: Line[] = []
    for (const piece of pieces) {
      number++
      const text = piece.trim()
      if (text !== '') batch.push({ text: piece.replace(/\r$/, ''), number })
    }
    yield batch
  }
  if (rest.trim() !== '') yield [{ text: rest.replace(/\r$/, ''), number: number + 1 }]
}

/** The whole text of a file, for JSON. */
export async function wholeText(file: string): Promise<string> {
  let text = ''
  for await (const chunk of textOf(file)) text += chunk
  return text
}

async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  try {
    for await (const bytes of bytesOf(file)) yield decoder.decode(bytes, { stream: true })
  } catch (error) {
    throw new InputError(`${file}: ${reason(error)}`)
  }
  const tail = decoder.decode()
  if (tail !== '') yield tail
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  const first = await firstBytes(file)
  const zipped = GZIP_MAGIC.every((byte, at) => first[at] === byte)
  const source = createReadStream(file)
  if (!zipped) return yield* source
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  yield* source.pipe(gunzip)
}

async function firstBytes(file: string): Promise<Uint8Array> {
  for await (const bytes of createReadStream(file, { end: 1 })) return bytes
  return new Uint8Array()
}

function reason(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'this is a folder, not a file'
  if (code === 'EACCES') return 'the file may not be read'
  if (code?.startsWith('Z_')) return `the gzip data is damaged or cut (${message})`
  return message
}
