// The newest events of an environment, in memory, for all who follow the live stream in this process: each is read and
// written out once, however many watch.

import type { Environment, Reader } from '../base/db.ts'
import { eventsAfter, newestPosition, type Placed } from '../base/outbox.ts'
import type { Shop } from '../base/shop.ts'
import { cloudEventText } from './cloud-event.ts'

const keptEvents = 1_000
/** Handed out at once: what a follower who does not read costs is some of these. */
const batchSize = 50

export interface StreamedEvent extends Placed {
  /** As it stands in the stream: written out once, and sent to all. */
  bytes: Buffer
}

export class Tail {
  readonly #shop: Shop
  readonly #watching = new Set<() => void>()
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

  /** Rings for every follower when something has been heard; returns how to leave. */
  watch(ring: () => void): () => void {
    this.#watching.add(ring)
    return () => void this.#watching.delete(ring)
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
    for (const ring of this.#watching) ring()
  }
}

const streamed = (event: Placed, environment: Environment): StreamedEvent => {
  const data = cloudEventText(event, environment)
  return { ...event, bytes: Buffer.from(`id: ${event.id}\nevent: ${event.event.type}\ndata: ${data}\n\n`) }
}
