// Processes items of durable queues, at least once and fairly between queues. Several processes share the work by leases;
// the leases of a dead process expire, and its items are attempted again.

import { Loop } from './loop.ts'
import { secretUuid } from './random.ts'
import { Refusal } from './refusal.ts'

/** Asks the database for due items under a lease, at most `capacity`. */
export interface ClaimRequest {
  lease: string
  /** Items in flight by queue. */
  inFlight: ReadonlyMap<string, number>
  capacity: number
}

export interface WorkQueue<Item, Outcome> {
  claim(claim: ClaimRequest): Promise<Item[]>
  /** The queue of an item; each queue has its own concurrency. */
  queueOf(item: Item): string
  /** One attempt. A failure of the remote side is an outcome too. */
  attempt(item: Item): Promise<Outcome>
  /** Stores outcomes, except of items whose lease was lost. */
  saveOutcomes(lease: string, outcomes: readonly Outcome[]): Promise<void>
  /** Extends leases, for attempts that may take longer than a lease. */
  renewLeases?(lease: string): Promise<void>
  /** Gives back claimed items that will not be finished. */
  releaseLeases(lease: string): Promise<void>
  onError(error: unknown): void
}

const pollMs = 500
const batchMs = 10
const renewMs = 10_000
/** How long attempts in flight may take to end when the process stops. */
const graceMs = 3_000

export class QueueWorker<Item, Outcome> {
  readonly #queue: WorkQueue<Item, Outcome>
  readonly #maxInFlight: number
  readonly #lease = secretUuid()
  readonly #inFlight = new Map<string, number>()
  readonly #attempts = new Set<Promise<void>>()
  readonly #claiming: Loop
  readonly #saving: Loop
  #renewing: NodeJS.Timeout | undefined
  #batching: NodeJS.Timeout | undefined
  #outcomes: { queue: string; outcome: Outcome }[] = []

  constructor(queue: WorkQueue<Item, Outcome>, { maxInFlight }: { maxInFlight: number }) {
    this.#queue = queue
    this.#maxInFlight = maxInFlight
    const { onError } = queue
    this.#claiming = new Loop(() => this.#claim(), { pollMs, onError })
    this.#saving = new Loop(() => this.#saveOutcomes(), { pollMs, onError })
  }

  start(): void {
    this.#claiming.start()
    this.#saving.start()
    if (this.#queue.renewLeases) this.#renewing = setInterval(() => this.#renew(), renewMs)
  }

  wake(): void {
    this.#claiming.wake()
  }

  /** Waits briefly for attempts in flight; the rest is released to other processes. */
  async close(): Promise<void> {
    await this.#claiming.close()
    const grace = new Promise((done) => setTimeout(done, graceMs).unref())
    await Promise.race([Promise.all(this.#attempts), grace])
    await this.#saving.close()
    clearInterval(this.#renewing)
    await this.#saveOutcomes().catch(() => {})
    if (this.#inFlight.size > 0) await this.#queue.releaseLeases(this.#lease).catch(() => {})
  }

  async #claim(): Promise<boolean> {
    const room = this.#maxInFlight - this.#attempts.size - this.#outcomes.length
    if (room <= 0) return false
    const claimed = await this.#queue.claim({ lease: this.#lease, inFlight: this.#inFlight, capacity: room })
    for (const item of claimed) this.#begin(item)
    return claimed.length > 0
  }

  #begin(item: Item): void {
    const queue = this.#queue.queueOf(item)
    this.#count(queue, 1)
    const attempt = this.#queue.attempt(item).then((outcome) => {
      this.#attempts.delete(attempt)
      this.#outcomes.push({ queue, outcome })
      this.#scheduleSave()
    })
    this.#attempts.add(attempt)
  }

  /** Outcomes of a short period are stored in one transaction: the number of transactions is most of the cost. */
  #scheduleSave(): void {
    if (this.#attempts.size === 0) this.#saving.wake()
    else this.#batching ??= setTimeout(() => this.#saving.wake(), batchMs)
  }

  async #saveOutcomes(): Promise<boolean> {
    clearTimeout(this.#batching)
    this.#batching = undefined
    const outcomes = this.#outcomes
    if (outcomes.length === 0) return false
    this.#outcomes = []
    try {
      await this.#queue.saveOutcomes(
        this.#lease,
        outcomes.map((it) => it.outcome),
      )
    } catch (error) {
      // The database will be back: keep the outcomes. After any other failure the leases expire and the items are retried.
      if (error instanceof Refusal) this.#outcomes.unshift(...outcomes)
      else for (const { queue } of outcomes) this.#count(queue, -1)
      throw error
    }
    for (const { queue } of outcomes) this.#count(queue, -1)
    this.#claiming.wake()
    return false
  }

  #renew(): void {
    if (this.#inFlight.size > 0) this.#queue.renewLeases!(this.#lease).catch(this.#queue.onError)
  }

  #count(queue: string, change: number): void {
    const count = (this.#inFlight.get(queue) ?? 0) + change
    if (count > 0) this.#inFlight.set(queue, count)
    else this.#inFlight.delete(queue)
  }
}
