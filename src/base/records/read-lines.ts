// Splits a byte stream into lines and holds at most `maxBytes` of a line.

import type { FieldFault } from '../validation.ts'

export interface Line {
  /** Counted from 1. */
  number: number
  /** Without the newline; valid until the next lines are read. Null when the line is too long. */
  bytes: Uint8Array | null
  /** Why the line cannot be read; found before it was parsed. */
  faults?: FieldFault[]
}

const newline = 0x0a

/** The lines completed by each chunk. The last line needs no newline. */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line[], void> {
  const partial = new PartialLine(maxBytes)
  let number = 0
  for await (const piece of source) {
    const lines: Line[] = []
    let from = 0
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      lines.push(lineOf(++number, partial.finish(piece.subarray(from, end))))
      from = end + 1
    }
    // The buffer of the partial line is reused only after these lines were consumed.
    if (lines.length > 0) yield lines
    partial.add(piece.subarray(from))
  }
  if (partial.size > 0) yield [lineOf(++number, partial.finish(new Uint8Array()))]
}

/** Spreadsheets and some editors begin a file with a byte order mark; it is not part of the first line. */
const lineOf = (number: number, bytes: Uint8Array | null): Line => ({
  number,
  bytes: number === 1 && bytes && startsWithMark(bytes) ? bytes.subarray(3) : bytes,
})

const startsWithMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** A line whose end has not been read yet. */
class PartialLine {
  size = 0
  readonly #maxBytes: number
  #kept: Uint8Array | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#kept ??= new Uint8Array(this.#maxBytes)
    if (this.size + bytes.length <= this.#maxBytes) this.#kept.set(bytes, this.size)
    this.size += bytes.length
  }

  finish(rest: Uint8Array): Uint8Array | null {
    const isAlone = this.size === 0
    if (!isAlone) this.add(rest)
    const size = isAlone ? rest.length : this.size
    this.size = 0
    if (size > this.#maxBytes) return null
    return isAlone ? rest : this.#kept!.subarray(0, size)
  }
}
