// How many products pass a set of filters, remembered, and kept true by every product that comes, changes or goes.

import type { Sieve } from './sieve.ts'

const mostRemembered = 64

export class Totals {
  readonly #known = new Map<string, { sieve: Sieve; total: number }>()

  find(key: string): number | undefined {
    const known = this.#known.get(key)
    if (!known) return undefined
    this.#known.delete(key)
    this.#known.set(key, known)
    return known.total
  }

  remember(key: string, sieve: Sieve, total: number): void {
    this.#known.set(key, { sieve, total })
    if (this.#known.size > mostRemembered) this.#known.delete(this.#known.keys().next().value!)
  }

  /** When so many rows change that to count them anew costs less. */
  clear(): void {
    this.#known.clear()
  }

  /** To be called before a row changes or goes. */
  leave(slot: number): void {
    for (const it of this.#known.values()) if (it.sieve.passes(slot)) it.total--
  }

  /** To be called after a row came or changed. */
  enter(slot: number): void {
    for (const it of this.#known.values()) if (it.sieve.passes(slot)) it.total++
  }
}
