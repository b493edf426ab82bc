// Loads what several requests ask for in one turn of the event loop with one statement: under load, a statement costs
// more than the rows that it reads.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CacheKey } from './cache.ts'
import type { BatchLoad, Reader } from './transaction.ts'

/** Further keys open another batch. */
const maxKeys = 256

interface Batch {
  keys: Set<CacheKey>
  loaded: Promise<Map<CacheKey, unknown>>
}

export class LoadBatches {
  /** Batches that are not loaded yet, by what loads them. */
  readonly #open = new Map<unknown, Batch>()

  /** The values of the keys; keys without a value are left out. Loading begins after the call, so it misses no earlier write. */
  async load<K extends CacheKey, V>(
    read: Reader,
    load: BatchLoad<K, V>,
    keys: readonly K[],
  ): Promise<Map<K, V>> {
    const batch = this.#batchOf(read, load)
    for (const key of keys) batch.keys.add(key)
    if (batch.keys.size >= maxKeys) this.#open.delete(load)
    const loaded = (await batch.loaded) as Map<K, V>
    const found = new Map<K, V>()
    for (const key of keys) {
      const value = loaded.get(key)
      if (value !== undefined) found.set(key, value)
    }
    return found
  }

  #batchOf<K extends CacheKey, V>(read: Reader, load: BatchLoad<K, V>): Batch {
    const open = this.#open.get(load)
    if (open) return open
    const keys = new Set<CacheKey>()
    const batch: Batch = {
      keys,
      loaded: nextTurn().then(() => {
        if (this.#open.get(load) === batch) this.#open.delete(load)
        return load(read, [...keys] as K[])
      }),
    }
    this.#open.set(load, batch)
    return batch
  }
}
