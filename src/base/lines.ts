// Bytes as they come, cut into lines. However long a line is, no more of it is held than a line may have.

export interface Line {
  /** Counted from 1. */
  number: number
  /** Without its end, and good until the next lines are asked for; null when the line is longer than it may be. */
  bytes: Uint8Array | null
}

const newline = 0x0a

/** The lines that each piece of the source completes. The last one needs no end. */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line[], void> {
  const begun = new BegunLine(maxBytes)
  let number = 0
  for await (const piece of source) {
    const lines: Line[] = []
    let from = 0
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      lines.push({ number: ++number, bytes: begun.finish(piece.subarray(from, end)) })
      from = end + 1
    }
    // What is begun is written over only when those lines have been read.
    if (lines.length > 0) yield lines
    begun.add(piece.subarray(from))
  }
  if (begun.size > 0) yield [{ number: ++number, bytes: begun.finish(new Uint8Array()) }]
}

/** The beginning of a line whose end has not come yet. */
class BegunLine {
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
