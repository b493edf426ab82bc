// Counts searches by query in the background, so that calls do not wait. When the queue is full, searches are dropped.

import type { Log } from '../../base/log.ts'
import { Loop } from '../../base/loop.ts'
import type { Shop } from '../../base/shop.ts'
import { loggedQuery, searchIdOf } from './search-query.ts'
import { addSearches, type LoggedSearch } from './store.ts'

const flushMs = 1_000
const maxQueued = 5_000

export class SearchLog {
  readonly #shop: Shop
  readonly #loop: Loop
  /** By id. Equal queries are one row. */
  #queue = new Map<string, LoggedSearch>()

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#loop = new Loop(() => this.#flush(), {
      pollMs: flushMs,
      onError: (error) => log.warn('searches could not be counted; they are dropped', { error }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  async close(): Promise<void> {
    await this.#loop.close()
    await this.#flush().catch(() => undefined)
  }

  /** Notes a search and returns the id of its query; null if the query is not kept. */
  add(typed: string, results: number): string | null {
    const query = loggedQuery(typed)
    if (query === undefined) return null
    const id = searchIdOf(query)
    const known = this.#queue.get(id)
    const searches = (known?.searches ?? 0) + 1
    if (known || this.#queue.size < maxQueued)
      this.#queue.set(id, { id, query, searches, results, lastAt: this.#shop.clock.now() })
    return id
  }

  /** Saves all queued searches. */
  async #flush(): Promise<boolean> {
    const batch = [...this.#queue.values()]
    this.#queue = new Map()
    if (batch.length > 0) await this.#shop.db.transaction((tx) => addSearches(tx, batch))
    return false
  }
}
