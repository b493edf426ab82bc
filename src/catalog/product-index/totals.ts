// Cached totals of lists: how many products pass a filter, updated with every product that is added, changed or removed.

import type { RowFilter } from './row-filter.ts'

const maxTotals = 64

export class Totals {
  readonly #totals = new Map<string, { filter: RowFilter; total: number }>()

  get(key: string): number | undefined {
    const cached = this.#totals.get(key)
    if (!cached) return undefined
    // The map is in order of use: the first entry is evicted next.
    this.#totals.delete(key)
    this.#totals.set(key, cached)
    return cached.total
  }

  set(key: string, filter: RowFilter, total: number): void {
    this.#totals.set(key, { filter, total })
    if (this.#totals.size > maxTotals) this.#totals.delete(this.#totals.keys().next().value!)
  }

  clear(): void {
    this.#totals.clear()
  }

  /** Must be called before a row changes or is removed. */
  beforeChange(slot: number): void {
    for (const it of this.#totals.values()) if (it.filter.passes(slot)) it.total--
  }

  /** Must be called after a row was added or changed. */
  afterChange(slot: number): void {
    for (const it of this.#totals.values()) if (it.filter.passes(slot)) it.total++
  }
}
