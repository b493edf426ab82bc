// Reads files of lines, plain or gzipped, as streams; errors name the file and the line.

import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

const maxLineChars = 64 * 1024 * 1024
const gzipMagic = [0x1f, 0x8b]

/** An error in an input file. It is expected, and reported without a stack trace. */
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
    if (rest.length > maxLineChars)
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
  const zipped = gzipMagic.every((byte, at) => first[at] === byte)
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

const missingWords = new Set(['', 'nan', 'na', 'null', 'none', '?'])
const infinitePattern = /^([+-]?)inf(inity)?$/i

/** A number, infinite ones included, or NaN where a value is missing; undefined for any other text. */
export function featureNumber(text: string): number | undefined {
  const trimmed = text.trim()
  if (missingWords.has(trimmed.toLowerCase())) return Number.NaN
  const infinite = infinitePattern.exec(trimmed)
  if (infinite) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const number = Number(trimmed)
  return Number.isNaN(number) ? undefined : number
}

/** The same, refusing other text with the place where it stands. */
export function neededNumber(text: string, place: string): number {
  const number = featureNumber(text)
  if (number !== undefined) return number
  throw new InputError(`${place}: ${JSON.stringify(text.trim().slice(0, 40))} is not a number`)
}
