// What recent searches matched, kept until a product changes: a buyer who turns the page, sorts or filters sends the same
// text again.

import type { Matches } from '../../search/index.ts'

const maxTexts = 100
/** Rows of all texts together: at most 12 MB. */
const maxRows = 1_000_000

export class RecentMatches {
  readonly #kept = new Map<string, Matches>()
  #rows = 0
  /** By slot; only those of the last result are valid. */
  #scores = new Float64Array(0)

  /** The matches of a search; `slots` is how many slots there are. The scores are valid until the next call. */
  get(search: string, slots: number): Matches | undefined {
    const kept = this.#kept.get(search)
    if (!kept) return undefined
    if (this.#scores.length < slots) this.#scores = new Float64Array(slots)
    const scores = this.#scores
    for (let at = 0; at < kept.slots.length; at++) scores[kept.slots[at]!] = kept.placed[at]!
    return { ...kept, scores }
  }

  set(search: string, found: Matches): void {
    const { slots } = found
    if (slots.length > maxRows) return
    if (this.#kept.size >= maxTexts || this.#rows + slots.length > maxRows) this.clear()
    this.#kept.set(search, found)
    this.#rows += slots.length
  }

  clear(): void {
    if (this.#kept.size === 0) return
    this.#kept.clear()
    this.#rows = 0
  }
}
