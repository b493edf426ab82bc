// Statements of one transaction, sent in as few packets as possible.

import type { Writable } from 'node:stream'
import type pg from 'pg'

/**
 * The connection of one transaction. Statements sent with `later` are held back and leave in one packet with the next
 * awaited one: most of the cost of a small write is the number of packets.
 */
export class Pipeline {
  readonly client: pg.PoolClient
  #unsettled: Promise<unknown>[] = []
  #held = false
  /** The commit has been sent, and the work has not ended. */
  #isWhole = false

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  later(send: () => Promise<unknown>, onError: (error: unknown) => void = () => {}): void {
    if (!this.#held) this.#stream.cork()
    this.#held = true
    const sent = send()
    // The error is reported when the transaction settles.
    sent.catch(onError)
    this.#unsettled.push(sent)
  }

  now<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isWhole) throw new Error('a statement was started after the commit had been sent')
    const sent = send()
    if (this.#held) this.#stream.uncork()
    this.#held = false
    return sent
  }

  /** Corking nests, so this works inside and outside of a held packet. */
  together<T>(ask: () => T): T {
    this.#stream.cork()
    try {
      return ask()
    } finally {
      this.#stream.uncork()
    }
  }

  /** Sends a statement and waits for it and for all unsettled ones; fails when any of them fails. */
  async settled(send: () => Promise<unknown>): Promise<void> {
    const before = this.#unsettled
    this.#unsettled = []
    const last = this.now(send)
    last.catch(() => {})
    await Promise.all([...before, last])
  }

  /** Sends the statements that `ask` starts and the last one in one packet. */
  async whole<T>(ask: () => Promise<T>, end: () => Promise<unknown>): Promise<T> {
    const { asked, ended } = this.together(() => ({ asked: ask(), ended: this.settled(end) }))
    this.#isWhole = true
    ended.catch(() => {})
    const result = await asked.finally(() => (this.#isWhole = false))
    await ended
    return result
  }

  /** The error of the first unsettled statement that failed; later statements only report an aborted transaction. */
  async firstFailure(): Promise<unknown> {
    const outcomes = await Promise.allSettled(this.#unsettled)
    return outcomes.find((it) => it.status === 'rejected')?.reason
  }

  discardUnsettled(): void {
    this.#unsettled = []
  }

  get #stream(): Writable {
    return (this.client as unknown as { connection: { stream: Writable } }).connection.stream
  }
}
