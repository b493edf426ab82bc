// Writes shown lists in the background, so that calls do not wait for the database. When the queue is full, lists are dropped and counted.

import type { Log } from '../../base/log.ts'
import { Loop } from '../../base/loop.ts'
import type { Shop } from '../../base/shop.ts'
import { hashShare } from './assignment.ts'
import * as store from './list-store.ts'
import { type ServedList, shownList } from './shown-list.ts'

const flushMs = 200
/** Small, so that building the arrays of a statement does not block the event loop for long. */
const batchSize = 50
const maxQueued = 10_000

export class ListLog {
  readonly #shop: Shop
  readonly #log: Log
  readonly #share: number
  readonly #loop: Loop
  readonly #writes = new Set<Promise<void>>()
  readonly #queue: store.ListRow[] = []
  #dropped = 0

  /** `share` of the lists outside experiments is logged; lists of experiments always are. */
  constructor(shop: Shop, log: Log, share: number) {
    this.#shop = shop
    this.#log = log
    this.#share = share
    this.#loop = new Loop(() => this.#flush(), {
      pollMs: flushMs,
      onError: (error) =>
        log.warn('shown lists could not be saved; retrying', { error, queued: this.#queue.length }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  add(list: ServedList): void {
    if (!list.participation && this.#share < 1 && hashShare('lists', list.id) >= this.#share) return
    if (this.#queue.length < maxQueued) this.#queue.push(this.#rowOf(list))
    else if (this.#dropped++ % maxQueued === 0)
      this.#log.warn('the queue of shown lists is full; lists are dropped', { dropped: this.#dropped })
  }

  /** Saves all queued lists. */
  async flush(): Promise<void> {
    while (this.#queue.length + this.#writes.size > 0) await Promise.all([this.#flush(), ...this.#writes])
  }

  async close(): Promise<void> {
    await this.#loop.close()
    await this.flush().catch((error: unknown) =>
      this.#log.warn('the last shown lists could not be saved', { error }),
    )
  }

  async #flush(): Promise<boolean> {
    const batch = this.#queue.splice(0, batchSize)
    if (batch.length === 0) return false
    const write = this.#shop.db
      .transaction((tx) => store.insertLists(tx, batch))
      .catch((error: unknown) => {
        this.#queue.unshift(...batch)
        throw error
      })
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
    await write
    return this.#queue.length > 0
  }

  #rowOf(list: ServedList): store.ListRow {
    return store.rowOf(shownList(list), list.participation ? 1 : 1 / this.#share)
  }
}
