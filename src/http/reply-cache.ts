// Replies of one path, kept until a fact says that they may have changed, or until their time is over. Bounded; the
// longest unused goes first.

import type { Event, EventType } from '../events.ts'

export interface KeptReply {
  dataJson: Buffer
  etag: string
  /** The instant it was made for: a clock that was set back makes it a reply from the future. */
  fromMs: number
  /** From then on it is no longer true; Infinity when only a fact can change it. */
  untilMs: number
}

const maxEntries = 500
const maxReplyLength = 64 * 1024

export class ReplyCache {
  readonly #forgetOn: readonly EventType[]
  readonly #kept = new Map<string, KeptReply>()
  #generation = 0

  constructor(forgetOn: readonly EventType[]) {
    this.#forgetOn = forgetOn
  }

  /** To be noted before reading: a read that began before a fact must not be kept after it. */
  get generation(): number {
    return this.#generation
  }

  find(key: string, nowMs: number): KeptReply | undefined {
    const found = this.#kept.get(key)
    if (!found) return undefined
    this.#kept.delete(key)
    if (nowMs < found.fromMs || nowMs >= found.untilMs) return undefined
    this.#kept.set(key, found)
    return found
  }

  keep(key: string, reply: KeptReply, generation: number): void {
    if (generation !== this.#generation || reply.dataJson.length > maxReplyLength) return
    if (this.#kept.size >= maxEntries) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(key, reply)
  }

  hear(event: Event): void {
    if (!this.#forgetOn.includes(event.type)) return
    this.#generation++
    this.#kept.clear()
  }
}
