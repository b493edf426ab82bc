// Carries things outside, so that none is lost and nobody starves another. Several processes share the work by leases; one
// that dies loses its leases after a while, and what it had under way is carried again: at least once.

import { Loop } from './loop.ts'
import { secretUuid } from './random.ts'
import { Refusal } from './refusal.ts'

/** What is asked of the database: due items, under this lease, no more than there is room for. */
export interface Claim {
  lease: string
  /** How many of each line are under way already. */
  busy: ReadonlyMap<string, number>
  room: number
}

export interface Errand<Item, Outcome> {
  claim(claim: Claim): Promise<Item[]>
  /** The line in which an item stands: each has places of its own. */
  lineOf(item: Item): string
  /** One try. Whatever goes wrong outside is an outcome too. */
  carry(item: Item): Promise<Outcome>
  /** Writes down what tries came to, unless the lease was lost meanwhile. */
  settle(lease: string, outcomes: readonly Outcome[]): Promise<void>
  /** Keeps the leases of what is under way, for tries that may take longer than one lasts. */
  renew?(lease: string): Promise<void>
  /** Gives back what was taken and will not be finished. */
  release(lease: string): Promise<void>
  onError(error: unknown): void
}

const pollMs = 500
const gatherMs = 10
const renewMs = 10_000
/** How long tries under way may take to end when the process stops. */
const graceMs = 3_000

export class Courier<Item, Outcome> {
  readonly #errand: Errand<Item, Outcome>
  readonly #mostUnderWay: number
  readonly #lease = secretUuid()
  readonly #busy = new Map<string, number>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #claiming: Loop
  readonly #settling: Loop
  #renewing: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined
  #ended: { line: string; outcome: Outcome }[] = []

  constructor(errand: Errand<Item, Outcome>, { mostUnderWay }: { mostUnderWay: number }) {
    this.#errand = errand
    this.#mostUnderWay = mostUnderWay
    const { onError } = errand
    this.#claiming = new Loop(() => this.#claim(), { pollMs, onError })
    this.#settling = new Loop(() => this.#settle(), { pollMs, onError })
  }

  start(): void {
    this.#claiming.start()
    this.#settling.start()
    if (this.#errand.renew) this.#renewing = setInterval(() => this.#renew(), renewMs)
  }

  wake(): void {
    this.#claiming.wake()
  }

  /** What is not done in a moment is left to others, and its lease is given back. */
  async close(): Promise<void> {
    await this.#claiming.close()
    const grace = new Promise((done) => setTimeout(done, graceMs).unref())
    await Promise.race([Promise.all(this.#underWay), grace])
    await this.#settling.close()
    clearInterval(this.#renewing)
    await this.#settle().catch(() => {})
    if (this.#busy.size > 0) await this.#errand.release(this.#lease).catch(() => {})
  }

  async #claim(): Promise<boolean> {
    const room = this.#mostUnderWay - this.#underWay.size - this.#ended.length
    if (room <= 0) return false
    const claimed = await this.#errand.claim({ lease: this.#lease, busy: this.#busy, room })
    for (const item of claimed) this.#begin(item)
    return claimed.length > 0
  }

  #begin(item: Item): void {
    const line = this.#errand.lineOf(item)
    this.#count(line, 1)
    const trying = this.#errand.carry(item).then((outcome) => {
      this.#underWay.delete(trying)
      this.#ended.push({ line, outcome })
      this.#gather()
    })
    this.#underWay.add(trying)
  }

  /** What ends within a moment is written down together: most of what that costs is the number of transactions. */
  #gather(): void {
    if (this.#underWay.size === 0) this.#settling.wake()
    else this.#gathering ??= setTimeout(() => this.#settling.wake(), gatherMs)
  }

  async #settle(): Promise<boolean> {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const ended = this.#ended
    if (ended.length === 0) return false
    this.#ended = []
    try {
      await this.#errand.settle(
        this.#lease,
        ended.map((it) => it.outcome),
      )
    } catch (error) {
      // The database will be back: nothing is forgotten. After any other failure the leases run out and others try.
      if (error instanceof Refusal) this.#ended.unshift(...ended)
      else for (const { line } of ended) this.#count(line, -1)
      throw error
    }
    for (const { line } of ended) this.#count(line, -1)
    this.#claiming.wake()
    // What has ended meanwhile is being gathered.
    return false
  }

  #renew(): void {
    if (this.#busy.size > 0) this.#errand.renew!(this.#lease).catch(this.#errand.onError)
  }

  #count(line: string, change: number): void {
    const count = (this.#busy.get(line) ?? 0) + change
    if (count > 0) this.#busy.set(line, count)
    else this.#busy.delete(line)
  }
}
