// Relays events from the outbox to reactions and subscribers, in order. A reaction that failed is retried later, so it may
// handle an event after later events of the same subject.

import type { Event } from '../events.ts'
import { elapsedMs } from './clock.ts'
import type { Database, Tx } from './database.ts'
import { toStorableText } from './json.ts'
import type { Log } from './log.ts'
import {
  eventColumns,
  eventsAfter,
  type EventRow,
  type RelayedEvent,
  type Reaction,
  type StoredEvent,
  storedEventFrom,
  outboxBacklog,
} from './outbox.ts'

const batchSize = 200
const pollMs = 250
/** Pause between two batches, so that many small writes are relayed together: four times the last duration, within these. */
const minRestMs = 15
const maxRestMs = 75
/**
 * The background connection is kept, and its query plans with it. A plan for an empty table is bad for a full one, so plans
 * are discarded from time to time, at first soon.
 */
const planLifetimeMs = { first: 250, max: 8_000 }
const maxAttempts = 5
/** Events of other processes that are read at a time. */
const maxReceived = 1_000
const backoffSeconds = [1, 5, 30, 300]

/**
 * Relays committed events to reactions (once on the whole platform) and to subscribers (in every process).
 * Every process runs a relay; a row lock lets one of them work at a time.
 */
export class Relay {
  readonly #db: Database
  readonly #log: Log
  readonly #reactions: Reaction[] = []
  readonly #subscribers: ((event: Event) => void)[] = []
  readonly #orderedSubscribers: ((batch: readonly RelayedEvent[]) => void)[] = []
  readonly #announcedIds = new RecentIds()
  #position = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #woken = false
  #restedAtMs = 0
  #polledAtMs = -Infinity
  #plannedAtMs = elapsedMs()
  #planLifetimeMs = planLifetimeMs.first
  #closed = false

  constructor(db: Database, log: Log, reactions: readonly Reaction[] = []) {
    this.#db = db
    this.#log = log
    this.register(reactions)
    db.onPublished = (events) => {
      this.#notify(events.map((it) => it.event))
      for (const { id } of events) this.#announcedIds.add(id)
      this.wake()
    }
  }

  /** Adds reactions; call it before `start`. */
  register(reactions: readonly Reaction[]): void {
    this.#reactions.push(...reactions)
  }

  /**
   * Calls back for every event of every process: this process's at once, others' within a second, in any order. After a
   * failure an event may come twice: right for cache invalidation, wrong for counting.
   */
  subscribe(subscriber: (event: Event) => void): void {
    this.#subscribers.push(subscriber)
  }

  /** Calls back with the events of every process in the order of their positions, each once, from `start` on. */
  subscribeInOrder(subscriber: (batch: readonly RelayedEvent[]) => void): void {
    this.#orderedSubscribers.push(subscriber)
  }

  /** Starts at the present position: a new process has no use for earlier events. */
  async start(): Promise<void> {
    const newest = await this.#db.read().one<{ position: number }>(`select position from outbox_relay`)
    this.#position = newest.position
    this.wake()
  }

  /** Relays new events without waiting for the next poll. Under load, events of a short period go together. */
  wake(): void {
    if (this.#closed) return
    this.#woken = true
    if (!this.#running) this.#schedule(Math.max(0, this.#restedAtMs - elapsedMs()))
  }

  /** Relays what waits now and retries what is due, unless another process does. */
  async poll(): Promise<void> {
    await this.#running
    this.#polledAtMs = -Infinity
    this.#schedule(0)
    await this.#running
  }

  /** Returns when all events committed before the call have been relayed. */
  async catchUp(): Promise<void> {
    const limit = elapsedMs() + 60_000
    while (elapsedMs() < limit) {
      await this.poll()
      const { waiting } = await outboxBacklog(this.#db.read())
      if (waiting === 0) return
    }
    throw new Error('the outbox was not empty after a minute')
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    if (delayMs === 0) this.#run()
    else this.#timer = setTimeout(() => this.#run(), delayMs)
  }

  #run(): void {
    // Two concurrent calls of catchUp must not run two batches at once.
    if (this.#running) return
    this.#woken = false
    const beganAtMs = elapsedMs()
    this.#running = this.#work().finally(() => {
      this.#running = undefined
      const restMs = Math.min(maxRestMs, Math.max(minRestMs, 4 * (elapsedMs() - beganAtMs)))
      this.#restedAtMs = elapsedMs() + restMs
      this.#schedule(this.#woken ? restMs : pollMs)
    })
  }

  async #work(): Promise<void> {
    try {
      let relayed = 0
      for (let count = batchSize; !this.#closed && count === batchSize; relayed += count) {
        const batch = await this.#relayBatch()
        count = batch.length
        await this.#announceOwn(batch)
      }
      if (elapsedMs() < this.#polledAtMs + pollMs) return
      const isDone = await this.#retryDue()
      if (relayed === 0) await this.#receiveOthers()
      if (isDone) this.#polledAtMs = elapsedMs()
      else this.#woken = true
    } catch (error) {
      this.#log.warn('outbox read failed; retrying', {
        environment: this.#db.environment,
        error,
      })
    }
  }

  #inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction(work, 'background')
  }

  /** Runs all reactions of a batch in one transaction; when one fails, each event alone. */
  async #relayBatch(): Promise<RelayedEvent[]> {
    try {
      return await this.#inTransaction((tx) =>
        this.#relayEvents(tx, batchSize, (events) => this.#reactAll(tx, events)),
      )
    } catch (error) {
      this.#log.debug('batch of reactions failed; continuing event by event', { error })
      const done: RelayedEvent[] = []
      while (done.length < batchSize) {
        const [one] = await this.#relayOne()
        if (!one) break
        done.push(one)
      }
      return done
    }
  }

  #relayOne(): Promise<RelayedEvent[]> {
    return this.#inTransaction((tx) =>
      this.#relayEvents(tx, 1, async ([event]) => {
        for (const it of this.#reactionsTo(event!))
          await tx
            .attempt(() => react(tx, [{ reaction: it, events: [event!] }]))
            .catch((error: unknown) =>
              this.#recordFailure(tx, { reaction: it.name, sequence: event!.sequence }, error),
            )
      }),
    )
  }

  async #relayEvents(
    tx: Tx,
    limit: number,
    reactTo: (batch: StoredEvent[]) => Promise<void>,
  ): Promise<RelayedEvent[]> {
    // One packet; the events are read after the lock is taken, so no other process has relayed them.
    const [relay, rows] = await tx.pipeline(() =>
      Promise.all([
        tx.maybe<{ position: number }>(`select position from outbox_relay for update skip locked`),
        tx.all<EventRow>(
          `select ${eventColumns} from outbox_events where position is null order by sequence limit $1`,
          [limit],
        ),
      ]),
    )
    if (!relay || rows.length === 0) return []
    this.#discardOldPlans(tx)
    const events = rows.map(storedEventFrom)
    await reactTo(events)
    tx.later(
      `update outbox_events set position = $1 + place
       from unnest($2::int8[]) with ordinality as batch (sequence, place)
       where outbox_events.sequence = batch.sequence`,
      [relay.position, rows.map((it) => it.sequence)],
    )
    tx.later(`update outbox_relay set position = position + $1`, [rows.length])
    return events.map((it, at) => ({ ...it, position: relay.position + at + 1 }))
  }

  #discardOldPlans(tx: Tx): void {
    if (elapsedMs() < this.#plannedAtMs + this.#planLifetimeMs) return
    tx.later('discard plans')
    this.#plannedAtMs = elapsedMs()
    this.#planLifetimeMs = Math.min(planLifetimeMs.max, 2 * this.#planLifetimeMs)
  }

  async #reactAll(tx: Tx, batch: StoredEvent[]): Promise<void> {
    const work = this.#reactions.map((it) => ({
      reaction: it,
      events: batch.filter(({ event }) => it.to.includes(event.type)),
    }))
    await react(tx, work)
  }

  #reactionsTo({ event }: StoredEvent): Reaction[] {
    return this.#reactions.filter((it) => it.to.includes(event.type))
  }

  /**
   * Retries failed reactions that are due; the last failure leaves a dead letter. Returns whether all were retried: new
   * events do not wait for many slow failures.
   */
  async #retryDue(): Promise<boolean> {
    const limit = elapsedMs() + pollMs
    while (!this.#closed && elapsedMs() < limit) if (!(await this.#retryOne())) return true
    return false
  }

  #retryOne(): Promise<boolean> {
    return this.#inTransaction(async (tx) => {
      const due = await tx.maybe<EventRow & { reaction: string }>(
        `select failure.reaction, ${eventColumns.replace('sequence', 'event.sequence')}
         from outbox_failures failure join outbox_events event using (sequence)
         where failure.retry_at <= $1 and failure.dead_at is null
         order by failure.retry_at limit 1 for update of failure skip locked`,
        [tx.now],
      )
      if (!due) return false
      const event = storedEventFrom(due)
      const it = this.#reactionsTo(event).find(({ name }) => name === due.reaction)
      const place = { reaction: due.reaction, sequence: due.sequence }
      if (!it)
        await tx.all(`delete from outbox_failures where reaction = $1 and sequence = $2`, [
          place.reaction,
          place.sequence,
        ])
      else
        await tx
          .attempt(async () => {
            await react(tx, [{ reaction: it, events: [event] }])
            await tx.all(`delete from outbox_failures where reaction = $1 and sequence = $2`, [
              place.reaction,
              place.sequence,
            ])
          })
          .catch((error: unknown) => this.#recordFailure(tx, place, error))
      return true
    })
  }

  async #recordFailure(tx: Tx, place: Place, error: unknown): Promise<void> {
    const attempts = await recordFailure(tx, place, error)
    const { environment } = this.#db
    tx.afterCommit(() => {
      if (attempts < maxAttempts)
        this.#log.warn('reaction failed; it will be retried', { environment, ...place, attempts, error })
      else this.#log.error('reaction failed permanently: dead letter', { environment, ...place, error })
    })
  }

  /** Events that this process relayed need not be read again, unless another process relayed some in between. */
  async #announceOwn(batch: readonly RelayedEvent[]): Promise<void> {
    const last = batch.at(-1)
    if (!last) return
    if (last.position === this.#position + batch.length) this.#announce(batch)
    else await this.#receiveOthers()
  }

  /** Announces what other processes have relayed since the last poll. */
  async #receiveOthers(): Promise<void> {
    if (this.#subscribers.length + this.#orderedSubscribers.length === 0) return
    for (let count = maxReceived; count === maxReceived;) {
      const batch = await eventsAfter(this.#db.read(), this.#position, maxReceived)
      count = batch.length
      this.#announce(batch)
    }
  }

  #announce(batch: readonly RelayedEvent[]): void {
    this.#notify(batch.filter((it) => !this.#announcedIds.delete(it.id)).map((it) => it.event))
    this.#position = batch.at(-1)?.position ?? this.#position
    if (batch.length > 0) for (const subscriber of this.#orderedSubscribers) subscriber(batch)
  }

  #notify(events: Event[]): void {
    for (const event of events) for (const subscriber of this.#subscribers) subscriber(event)
  }
}

interface ReactionWork {
  reaction: Reaction
  events: readonly StoredEvent[]
}

/** Runs reactions for the events that their inboxes do not hold yet. */
async function react(tx: Tx, work: readonly ReactionWork[]): Promise<void> {
  const pairs = work.flatMap(({ reaction, events }) => events.map(({ id }) => ({ name: reaction.name, id })))
  if (pairs.length === 0) return
  const rows = await tx.all<{ name: string; id: string }>(
    `insert into outbox_inbox (reaction, event_id, at) select unnest($1::text[]), unnest($2::uuid[]), $3
     on conflict do nothing returning reaction as name, event_id as id`,
    [pairs.map((it) => it.name), pairs.map((it) => it.id), tx.now],
  )
  const fresh = new Set(rows.map(({ name, id }) => `${name} ${id}`))
  for (const { reaction, events } of work) {
    const its = events.filter(({ id }) => fresh.has(`${reaction.name} ${id}`))
    if (its.length > 0) await reaction.run(tx, its)
  }
}

interface Place {
  reaction: string
  sequence: number
}

/** Counts a failure and schedules the retry; returns how often the reaction has failed. */
async function recordFailure(tx: Tx, place: Place, error: unknown): Promise<number> {
  const { attempts } = await tx.one<{ attempts: number }>(
    `insert into outbox_failures as failure (reaction, sequence, attempts, retry_at, error) values ($1, $2, 1, $3, $4)
     on conflict (reaction, sequence) do update set attempts = failure.attempts + 1, error = excluded.error
     returning attempts`,
    [place.reaction, place.sequence, tx.now, toStorableText(String(error)).slice(0, 500)],
  )
  const wait = backoffSeconds[Math.min(attempts, backoffSeconds.length) - 1]! * 1000
  await tx.all(
    `update outbox_failures set retry_at = $3, dead_at = case when attempts >= $4 then $5::timestamptz end
     where reaction = $1 and sequence = $2`,
    [place.reaction, place.sequence, new Date(tx.now.getTime() + wait), maxAttempts, tx.now],
  )
  return attempts
}

const generationMs = 60_000

/**
 * Ids of this process's events until they arrive by position: subscribers were notified at the commit. An event that
 * arrived before its commit was known here never arrives again, so ids expire after one to two minutes.
 */
class RecentIds {
  #young = new Set<string>()
  #old = new Set<string>()
  #bornAtMs = elapsedMs()

  add(id: string): void {
    if (elapsedMs() - this.#bornAtMs > generationMs) {
      this.#old = this.#young
      this.#young = new Set()
      this.#bornAtMs = elapsedMs()
    }
    this.#young.add(id)
  }

  delete(id: string): boolean {
    return this.#young.delete(id) || this.#old.delete(id)
  }
}
