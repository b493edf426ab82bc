// The newest events of an environment, in memory, for all who follow the live stream in this process: each is read and
// written out once, however many watch.

import type { Environment, Reader } from '../base/db.ts'
import { eventsAfter, newestPosition, type Placed } from '../base/outbox.ts'
import type { Shop } from '../base/shop.ts'
import { cloudEventText } from './cloud-event.ts'

const keptEvents = 1_000
const batchSize = 200

export interface StreamedEvent extends Placed {
  /** As it stands in the stream. */
  text: string
}

export class Tail {
  readonly #shop: Shop
  readonly #waiting = new Set<() => void>()
  #recent: StreamedEvent[] = []
  /** Events beyond this position are all in memory. */
  #from: number | undefined

  constructor(shop: Shop) {
    this.#shop = shop
    shop.relay.follow((batch) => this.#hear(batch))
  }

  /** The position after the newest event that has been heard. */
  async newest(): Promise<number> {
    return this.#recent.at(-1)?.position ?? newestPosition(this.#read())
  }

  /** Some events beyond a position, from memory if they are new enough; empty when there are none yet. */
  async after(position: number): Promise<StreamedEvent[]> {
    if (this.#from !== undefined && position >= this.#from) {
      const start = this.#recent.findIndex((it) => it.position > position)
      return start < 0 ? [] : this.#recent.slice(start, start + batchSize)
    }
    const { environment } = this.#shop
    return (await eventsAfter(this.#read(), position, batchSize)).map((it) => streamed(it, environment))
  }

  /** Returns when there is something beyond a position, when the time is over, or when nobody waits any more. */
  news(position: number, { waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const newest = this.#recent.at(-1)?.position ?? 0
    if (signal.aborted || newest > position) return Promise.resolve()
    const wake = () => resolve()
    const timer = setTimeout(wake, waitMs)
    signal.addEventListener('abort', wake)
    this.#waiting.add(wake)
    return promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      this.#waiting.delete(wake)
    })
  }

  #read(): Reader {
    return this.#shop.db.read()
  }

  #hear(batch: readonly Placed[]): void {
    const { environment } = this.#shop
    this.#from ??= batch[0]!.position - 1
    this.#recent.push(...batch.map((it) => streamed(it, environment)))
    if (this.#recent.length > keptEvents) {
      this.#recent = this.#recent.slice(-keptEvents)
      this.#from = this.#recent[0]!.position - 1
    }
    for (const wake of this.#waiting) wake()
  }
}

const streamed = (event: Placed, environment: Environment): StreamedEvent => ({
  ...event,
  text: `id: ${event.id}\nevent: ${event.event.type}\ndata: ${cloudEventText(event, environment)}\n\n`,
})
