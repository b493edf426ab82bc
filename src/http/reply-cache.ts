// Cached replies of one route. An event that may change them clears the cache. The least recently used reply is
// evicted first.

import type { Event, EventType } from '../events.ts'

export interface CachedReply {
  dataJson: Buffer
  etag: string
  /** When the reply was made. If the test clock is set back, the reply is from the future and not used. */
  fromMs: number
  /** When the reply expires; Infinity if only an event can change it. */
  untilMs: number
}

const maxEntries = 500
const maxReplyLength = 64 * 1024

export class ReplyCache {
  readonly #invalidateOn: readonly EventType[]
  readonly #replies = new Map<string, CachedReply>()
  #generation = 0

  constructor(invalidateOn: readonly EventType[]) {
    this.#invalidateOn = invalidateOn
  }

  /** Must be taken before reading: a read that began before an event must not be cached after it. */
  get generation(): number {
    return this.#generation
  }

  get(key: string, nowMs: number): CachedReply | undefined {
    const found = this.#replies.get(key)
    if (!found) return undefined
    this.#replies.delete(key)
    if (nowMs < found.fromMs || nowMs >= found.untilMs) return undefined
    this.#replies.set(key, found)
    return found
  }

  set(key: string, reply: CachedReply, generation: number): void {
    if (generation !== this.#generation || reply.dataJson.length > maxReplyLength) return
    if (this.#replies.size >= maxEntries) this.#replies.delete(this.#replies.keys().next().value!)
    this.#replies.set(key, reply)
  }

  handle(event: Event): void {
    if (!this.#invalidateOn.includes(event.type)) return
    this.#generation++
    this.#replies.clear()
  }
}
