// Rows of phrases, kept until a text changes. The dictionary's phrases recur in most queries for a kind of thing, and
// intersecting the rows of frequent words costs more than the rest of a search.

/** Rows that are kept together: at most 8 MB. A phrase counts as some rows more, so that phrases without rows are limited too. */
const maxRows = 2_000_000
const rowsPerPhrase = 64

export class PhraseCache {
  readonly #rows = new Map<string, Uint32Array>()
  #size = 0

  get(phrase: string): Uint32Array | undefined {
    return this.#rows.get(phrase)
  }

  /** The rows must not be changed any more. */
  set(phrase: string, rows: Uint32Array): void {
    const size = rows.length + rowsPerPhrase
    if (this.#size + size > maxRows) this.clear()
    this.#rows.set(phrase, rows)
    this.#size += size
  }

  clear(): void {
    if (this.#size === 0) return
    this.#rows.clear()
    this.#size = 0
  }
}
