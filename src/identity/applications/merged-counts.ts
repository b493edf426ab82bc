// Counts in memory that are saved in batches, never within a request.

export class MergedCounts<Row> {
  readonly #merge: (one: Row, other: Row) => Row
  #rows = new Map<string, Row>()

  constructor(merge: (one: Row, other: Row) => Row) {
    this.#merge = merge
  }

  /** Adds to what was counted under this name. */
  add(name: string, row: Row): void {
    const counted = this.#rows.get(name)
    this.#rows.set(name, counted === undefined ? row : this.#merge(counted, row))
  }

  /** Saves the counts since the last call; on failure they are kept for the next one. */
  async drain(write: (rows: Row[]) => Promise<void>): Promise<void> {
    if (this.#rows.size === 0) return
    const rows = this.#rows
    this.#rows = new Map()
    try {
      // A fixed order prevents deadlocks between processes.
      await write([...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, it]) => it))
    } catch (error) {
      for (const [name, it] of rows) this.add(name, it)
      throw error
    }
  }
}
