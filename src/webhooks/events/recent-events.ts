// The newest events of an environment, in memory, for all live streams of this process: each event is loaded and
// serialized once, however many clients are connected.

import type { Environment, Reader } from '../../base/database.ts'
import { eventsAfter, newestPosition, type RelayedEvent } from '../../base/outbox.ts'
import { ownBytes } from '../../base/own-bytes.ts'
import type { Shop } from '../../base/shop.ts'
import { cloudEventText } from './cloud-event.ts'

const maxRecent = 1_000
/** Events per chunk. A client that does not read costs at most a few chunks. */
const batchSize = 50

export interface StreamedEvent extends RelayedEvent {
  /** The server-sent event, serialized once for all clients. */
  bytes: Buffer
}

export class RecentEvents {
  readonly #shop: Shop
  readonly #watchers = new Set<() => void>()
  #recent: StreamedEvent[] = []
  /** All events after this position are in memory. */
  #from: number | undefined

  constructor(shop: Shop) {
    this.#shop = shop
    shop.relay.subscribeInOrder((batch) => this.#add(batch))
  }

  /** The position of the newest event. */
  async newest(): Promise<number> {
    return this.#recent.at(-1)?.position ?? newestPosition(this.#read())
  }

  /** The next events after a position, from memory if they are recent enough; empty when there are none yet. */
  async after(position: number): Promise<StreamedEvent[]> {
    if (this.#from !== undefined && position >= this.#from) {
      const start = this.#recent.findIndex((it) => it.position > position)
      return start < 0 ? [] : this.#recent.slice(start, start + batchSize)
    }
    const { environment } = this.#shop
    return (await eventsAfter(this.#read(), position, batchSize)).map((it) => streamed(it, environment))
  }

  /** Calls back after new events; returns the function that unsubscribes. */
  watch(onEvents: () => void): () => void {
    this.#watchers.add(onEvents)
    return () => void this.#watchers.delete(onEvents)
  }

  #read(): Reader {
    return this.#shop.db.read()
  }

  #add(batch: readonly RelayedEvent[]): void {
    const { environment } = this.#shop
    this.#from ??= batch[0]!.position - 1
    this.#recent.push(...batch.map((it) => streamed(it, environment)))
    if (this.#recent.length > maxRecent) {
      this.#recent = this.#recent.slice(-maxRecent)
      this.#from = this.#recent[0]!.position - 1
    }
    for (const onEvents of this.#watchers) onEvents()
  }
}

const streamed = (event: RelayedEvent, environment: Environment): StreamedEvent => {
  const data = cloudEventText(event, environment, 'admin')
  return { ...event, bytes: ownBytes(`id: ${event.id}\nevent: ${event.event.type}\ndata: ${data}\n\n`) }
}
