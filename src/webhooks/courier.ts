// Carries due deliveries to their endpoints. Several processes share the work by leases; one that dies loses its leases
// after a while, and what it had under way is sent again: at least once.

import type { Clock } from '../base/clock.ts'
import type { Database, Reader } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { Loop } from '../base/loop.ts'
import { eventsById, type Placed } from '../base/outbox.ts'
import { secretUuid } from '../base/random.ts'
import { Refusal } from '../base/refusal.ts'
import type { Vault } from '../base/vault.ts'
import { cloudEventText } from './cloud-event.ts'
import { openSender, type Sender, type Sent } from './send.ts'
import { type Outcome, settle } from './settle.ts'
import { signedHeaders } from './sign.ts'
import { type Claimed, claimDue, releaseLeases } from './store/deliveries.ts'
import { secretsOf } from './store/endpoints.ts'

/** Longer than a try and its bookkeeping take. */
const leaseSeconds = 25
/** In one process. More than a hundred endpoints that keep failing could hold, so that they starve nobody. */
const mostUnderWay = 200
const perEndpoint = 20
/** One that keeps failing is tried with one delivery at a time. */
const perFailing = 1
const failingFrom = 5
const pollMs = 500
/** How long tries under way may take to end when the process stops. */
const graceMs = 3_000

export interface CourierOptions {
  db: Database
  vault: Vault
  /** The machine's own clock: receivers compare it with theirs. */
  clock: Clock
  log: Log
}

export class Courier {
  readonly #options: CourierOptions
  readonly #sender: Sender
  readonly #lease = secretUuid()
  readonly #busy = new Map<string, number>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #claiming: Loop
  readonly #settling: Loop
  #outcomes: Outcome[] = []

  constructor(options: CourierOptions) {
    this.#options = options
    this.#sender = openSender(options.db.environment)
    const onError = (error: unknown) =>
      options.log.warn('deliveries of webhooks could not be looked up or noted; trying again', {
        environment: options.db.environment,
        error,
      })
    this.#claiming = new Loop(() => this.#claim(), { pollMs, onError })
    this.#settling = new Loop(() => this.#settle(), { pollMs, onError })
  }

  start(): void {
    this.#claiming.start()
    this.#settling.start()
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
    await this.#settle().catch(() => {})
    this.#sender.close()
    if (this.#busy.size > 0)
      await this.#options.db.transaction((tx) => releaseLeases(tx, this.#lease)).catch(() => {})
  }

  async #claim(): Promise<boolean> {
    const room = mostUnderWay - this.#underWay.size - this.#outcomes.length
    if (room <= 0) return false
    const claim = { lease: this.#lease, leaseSeconds, perEndpoint, perFailing, failingFrom, room }
    const claimed = await this.#options.db.transaction((tx) => claimDue(tx, { ...claim, busy: this.#busy }))
    if (claimed.length === 0) return false
    for (const { endpointId } of claimed) this.#count(endpointId, 1)
    try {
      const cargo = await this.#load(claimed)
      for (const delivery of claimed) this.#begin(delivery, cargo)
    } catch (error) {
      for (const { endpointId } of claimed) this.#count(endpointId, -1)
      throw error
    }
    return true
  }

  async #load(claimed: readonly Claimed[]): Promise<Cargo> {
    const read: Reader = this.#options.db.read()
    const [events, secrets] = await Promise.all([
      eventsById(read, [...new Set(claimed.map((it) => it.eventId))]),
      secretsOf(read, [...new Set(claimed.map((it) => it.endpointId))]),
    ])
    return {
      events: new Map(events.map((it) => [it.id, it])),
      secrets: Map.groupBy(secrets, (it) => it.endpointId),
    }
  }

  #begin(delivery: Claimed, cargo: Cargo): void {
    const trying = this.#try(delivery, cargo).then((outcome) => {
      this.#underWay.delete(trying)
      this.#outcomes.push(outcome)
      this.#settling.wake()
    })
    this.#underWay.add(trying)
  }

  async #try(delivery: Claimed, cargo: Cargo): Promise<Outcome> {
    const { vault, clock, db } = this.#options
    let headers: Record<string, string> = {}
    try {
      const event = cargo.events.get(delivery.eventId)
      if (!event) throw new Error('the event is older than what we keep')
      const sealed = cargo.secrets.get(delivery.endpointId) ?? []
      const secrets = sealed.map((it) => vault.open(it.sealed, it.endpointId))
      const body = cloudEventText(event, db.environment)
      headers = signedHeaders({ id: event.id, body, at: clock.now() }, secrets)
      return { delivery, headers, sent: await this.#sender.send(delivery.url, headers, body) }
    } catch (error) {
      return { delivery, headers, sent: notSent(error) }
    }
  }

  async #settle(): Promise<boolean> {
    const outcomes = this.#outcomes
    if (outcomes.length === 0) return false
    this.#outcomes = []
    try {
      await this.#options.db.transaction((tx) => settle(tx, this.#lease, outcomes))
    } catch (error) {
      // The database will be back: nothing is forgotten. After any other failure the leases run out and others try.
      if (error instanceof Refusal) {
        this.#outcomes.unshift(...outcomes)
        throw error
      }
      this.#release(outcomes)
      throw error
    }
    this.#release(outcomes)
    this.#claiming.wake()
    return true
  }

  #release(outcomes: readonly Outcome[]): void {
    for (const { delivery } of outcomes) this.#count(delivery.endpointId, -1)
  }

  #count(endpointId: string, change: number): void {
    const count = (this.#busy.get(endpointId) ?? 0) + change
    if (count > 0) this.#busy.set(endpointId, count)
    else this.#busy.delete(endpointId)
  }
}

interface Cargo {
  events: Map<string, Placed>
  secrets: Map<string, { sealed: Buffer; endpointId: string }[]>
}

const notSent = (error: unknown): Sent => ({
  milliseconds: 0,
  status: null,
  reply: null,
  error: String(error).slice(0, 500),
  retryAfter: undefined,
})
