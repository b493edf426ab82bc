// Writes down what was shown, beside the calls: a call leaves its list here and goes on. What comes faster than the
// database takes it is counted and let go.

import type { Log } from '../../base/log.ts'
import { Loop } from '../../base/loop.ts'
import type { Shop } from '../../base/shop.ts'
import * as store from '../store/lists.ts'
import { placeOf } from './assign.ts'
import { type Made, type ShownList, shownList } from './shown-list.ts'

const flushMs = 200
/** So few that no call waits long while they are put together. */
const mostAtOnce = 50
const mostWaiting = 10_000

export class ListLog {
  readonly #shop: Shop
  readonly #log: Log
  readonly #share: number
  readonly #loop: Loop
  readonly #flights = new Set<Promise<void>>()
  readonly #waiting: Made[] = []
  #lost = 0

  /** Of lists outside experiments, a share is written down; those within are always. */
  constructor(shop: Shop, log: Log, share: number) {
    this.#shop = shop
    this.#log = log
    this.#share = share
    this.#loop = new Loop(() => this.#flush(), {
      pollMs: flushMs,
      onError: (error) =>
        log.warn('lists could not be written down; trying again', { error, waiting: this.#waiting.length }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  note(made: Made): void {
    if (!made.part && this.#share < 1 && placeOf('lists', made.id) >= this.#share) return
    if (this.#waiting.length < mostWaiting) this.#waiting.push(made)
    else if (this.#lost++ % mostWaiting === 0)
      this.#log.warn('lists come faster than they can be written down', { lost: this.#lost })
  }

  /** Writes down what waits, and returns when it stands. */
  async settle(): Promise<void> {
    while (this.#waiting.length + this.#flights.size > 0) await Promise.all([this.#flush(), ...this.#flights])
  }

  async close(): Promise<void> {
    await this.#loop.close()
    await this.settle().catch((error: unknown) =>
      this.#log.warn('the last lists could not be written down', { error }),
    )
  }

  async #flush(): Promise<boolean> {
    const some = this.#waiting.splice(0, mostAtOnce)
    if (some.length === 0) return false
    const rows = some.map((it) => this.#rowOf(it))
    const flight = this.#shop.db
      .transaction((tx) => store.insertLists(tx, rows))
      .catch((error: unknown) => {
        this.#waiting.unshift(...some)
        throw error
      })
      .finally(() => this.#flights.delete(flight))
    this.#flights.add(flight)
    await flight
    return this.#waiting.length > 0
  }

  #rowOf(made: Made): ShownList & { standsFor: number } {
    return { ...shownList(made), standsFor: made.part ? 1 : 1 / this.#share }
  }
}
