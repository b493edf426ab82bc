// Carries facts from the outbox to those who listen: every one, in the order of its subject. A reaction that failed is
// tried again later, so it may come behind later facts of its subject.

import type { Event } from '../events.ts'
import { elapsedMs } from './clock.ts'
import type { Database, Tx } from './db.ts'
import { keepable } from './json.ts'
import type { Log } from './log.ts'
import {
  eventColumns,
  eventsAfter,
  type EventRow,
  type Placed,
  type Reaction,
  type Told,
  toldOf,
  waitingEvents,
} from './outbox.ts'

const batchSize = 200
const pollMs = 250
/** Between two looks, so that many small writes are handed on together: four times as long as the last took, within these. */
const leastRestMs = 15
const mostRestMs = 75
/**
 * The connection of the house is kept, and its plans with it: one for an empty table is a bad one when the table has
 * filled. So they are made anew now and then, at first soon.
 */
const plansLastMs = { first: 250, most: 8_000 }
const maxAttempts = 5
/** Heard of others at a time. */
const mostHeard = 1_000
const backoffSeconds = [1, 5, 30, 300]

/**
 * Hands committed facts to the reactions of this house and to the listeners of this process.
 * Several processes may run one: a row lock lets one of them work at a time.
 */
export class Relay {
  readonly #db: Database
  readonly #log: Log
  readonly #reactions: Reaction[]
  readonly #listeners: ((event: Event) => void)[] = []
  readonly #followers: ((batch: readonly Placed[]) => void)[] = []
  readonly #heardAtOnce = new LatelySeen()
  #position = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #woken = false
  #restedAtMs = 0
  #lookedAtMs = -Infinity
  #plannedAtMs = elapsedMs()
  #plansLastMs = plansLastMs.first
  #closed = false

  constructor(db: Database, log: Log, reactions: Reaction[]) {
    this.#db = db
    this.#log = log
    this.#reactions = reactions
    db.onTold = (facts) => {
      this.#hear(facts.map((it) => it.event))
      for (const { id } of facts) this.#heardAtOnce.add(id)
      this.wake()
    }
  }

  /**
   * Calls back for every fact of every process, this one's at once and others' within a second, in any order. After a
   * failure a fact may come twice: good for forgetting what a cache holds, not for counting.
   */
  listen(listener: (event: Event) => void): void {
    this.#listeners.push(listener)
  }

  /** Calls back with the facts of every process in the order of their positions, each once, from the start on. */
  follow(follower: (batch: readonly Placed[]) => void): void {
    this.#followers.push(follower)
  }

  /** Starts from here: what was told before is nothing new to a process that has just read everything. */
  async start(): Promise<void> {
    const newest = await this.#db.read().one<{ position: number }>(`select position from outbox_relay`)
    this.#position = newest.position
    this.wake()
  }

  /** Hands on what was just told, without waiting for the next poll. Under load, a moment's facts go together. */
  wake(): void {
    if (this.#closed) return
    this.#woken = true
    if (!this.#running) this.#schedule(Math.max(0, this.#restedAtMs - elapsedMs()))
  }

  /** Returns when everything committed before the call has been handed on. */
  async settle(): Promise<void> {
    const limit = elapsedMs() + 60_000
    while (elapsedMs() < limit) {
      await this.#running
      this.#lookedAtMs = -Infinity
      this.#schedule(0)
      await this.#running
      const { waiting } = await waitingEvents(this.#db.read())
      if (waiting === 0) return
    }
    throw new Error('the outbox did not empty within a minute')
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
    // Two who settle at once must not hear the same facts side by side.
    if (this.#running) return
    this.#woken = false
    const beganAtMs = elapsedMs()
    this.#running = this.#work().finally(() => {
      this.#running = undefined
      const restMs = Math.min(mostRestMs, Math.max(leastRestMs, 4 * (elapsedMs() - beganAtMs)))
      this.#restedAtMs = elapsedMs() + restMs
      this.#schedule(this.#woken ? restMs : pollMs)
    })
  }

  async #work(): Promise<void> {
    try {
      let handedOn = 0
      for (let count = batchSize; !this.#closed && count === batchSize; handedOn += count) {
        const batch = await this.#handOnBatch()
        count = batch.length
        await this.#hearPlaced(batch)
      }
      if (elapsedMs() < this.#lookedAtMs + pollMs) return
      const isDone = await this.#retryDue()
      if (handedOn === 0) await this.#hearOthers()
      if (isDone) this.#lookedAtMs = elapsedMs()
      else this.#woken = true
    } catch (error) {
      this.#log.warn('the outbox could not be read; trying again', {
        environment: this.#db.environment,
        error,
      })
    }
  }

  #inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction(work, 'house')
  }

  /** All reactions of a batch in one transaction; when one of them fails, each event alone. */
  async #handOnBatch(): Promise<Placed[]> {
    try {
      return await this.#inTransaction((tx) =>
        this.#handOn(tx, batchSize, (told) => this.#reactAll(tx, told)),
      )
    } catch (error) {
      this.#log.debug('a batch of reactions failed; going on one by one', { error })
      const done: Placed[] = []
      while (done.length < batchSize) {
        const [one] = await this.#handOnOne()
        if (!one) break
        done.push(one)
      }
      return done
    }
  }

  #handOnOne(): Promise<Placed[]> {
    return this.#inTransaction((tx) =>
      this.#handOn(tx, 1, async ([told]) => {
        for (const it of this.#reactionsTo(told!))
          await tx
            .attempt(() => react(tx, [{ reaction: it, told: [told!] }]))
            .catch((error: unknown) =>
              this.#noteFailure(tx, { reaction: it.name, sequence: told!.sequence }, error),
            )
      }),
    )
  }

  async #handOn(tx: Tx, limit: number, reactTo: (batch: Told[]) => Promise<void>): Promise<Placed[]> {
    // Both travel together; the facts are looked for when the lock is there, so nobody else has taken them.
    const [relay, rows] = await tx.together(() =>
      Promise.all([
        tx.maybe<{ position: number }>(`select position from outbox_relay for update skip locked`),
        tx.all<EventRow>(
          `select ${eventColumns} from outbox_events where position is null order by sequence limit $1`,
          [limit],
        ),
      ]),
    )
    if (!relay || rows.length === 0) return []
    this.#renewPlans(tx)
    const told = rows.map(toldOf)
    await reactTo(told)
    tx.later(
      `update outbox_events set position = $1 + place
       from unnest($2::int8[]) with ordinality as batch (sequence, place)
       where outbox_events.sequence = batch.sequence`,
      [relay.position, rows.map((it) => it.sequence)],
    )
    tx.later(`update outbox_relay set position = position + $1`, [rows.length])
    return told.map((it, at) => ({ ...it, position: relay.position + at + 1 }))
  }

  #renewPlans(tx: Tx): void {
    if (elapsedMs() < this.#plannedAtMs + this.#plansLastMs) return
    tx.later('discard plans')
    this.#plannedAtMs = elapsedMs()
    this.#plansLastMs = Math.min(plansLastMs.most, 2 * this.#plansLastMs)
  }

  async #reactAll(tx: Tx, batch: Told[]): Promise<void> {
    const heard = this.#reactions.map((it) => ({
      reaction: it,
      told: batch.filter((told) => it.to.includes(told.event.type)),
    }))
    await react(tx, heard)
  }

  #reactionsTo(told: Told): Reaction[] {
    return this.#reactions.filter((it) => it.to.includes(told.event.type))
  }

  /**
   * Reactions that failed before get their next chance; the last failure leaves a dead letter. Returns whether all have
   * had it: new facts do not wait until many slow failures have been tried.
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
      const told = toldOf(due)
      const it = this.#reactionsTo(told).find(({ name }) => name === due.reaction)
      const place = { reaction: due.reaction, sequence: due.sequence }
      if (!it)
        await tx.all(`delete from outbox_failures where reaction = $1 and sequence = $2`, [
          place.reaction,
          place.sequence,
        ])
      else
        await tx
          .attempt(async () => {
            await react(tx, [{ reaction: it, told: [told] }])
            await tx.all(`delete from outbox_failures where reaction = $1 and sequence = $2`, [
              place.reaction,
              place.sequence,
            ])
          })
          .catch((error: unknown) => this.#noteFailure(tx, place, error))
      return true
    })
  }

  async #noteFailure(tx: Tx, place: Place, error: unknown): Promise<void> {
    const attempts = await noteFailure(tx, place, error)
    const { environment } = this.#db
    tx.afterCommit(() => {
      if (attempts < maxAttempts)
        this.#log.warn('a reaction failed; it is tried again', { environment, ...place, attempts, error })
      else this.#log.error('a reaction failed for good: a dead letter', { environment, ...place, error })
    })
  }

  /** What we have handed on ourselves need not be read again, unless others were at work in between. */
  async #hearPlaced(batch: readonly Placed[]): Promise<void> {
    const last = batch.at(-1)
    if (!last) return
    if (last.position === this.#position + batch.length) this.#announce(batch)
    else await this.#hearOthers()
  }

  /** Tells this process what other processes have done since it last looked. */
  async #hearOthers(): Promise<void> {
    if (this.#listeners.length + this.#followers.length === 0) return
    for (let count = mostHeard; count === mostHeard;) {
      const batch = await eventsAfter(this.#db.read(), this.#position, mostHeard)
      count = batch.length
      this.#announce(batch)
    }
  }

  #announce(batch: readonly Placed[]): void {
    this.#hear(batch.filter((it) => !this.#heardAtOnce.delete(it.id)).map((it) => it.event))
    this.#position = batch.at(-1)?.position ?? this.#position
    if (batch.length > 0) for (const follower of this.#followers) follower(batch)
  }

  #hear(events: Event[]): void {
    for (const event of events) for (const listener of this.#listeners) listener(event)
  }
}

interface Hearing {
  reaction: Reaction
  told: readonly Told[]
}

/** Runs reactions for those facts for which their inboxes do not show that they have run. */
async function react(tx: Tx, hearings: readonly Hearing[]): Promise<void> {
  const pairs = hearings.flatMap(({ reaction, told }) => told.map(({ id }) => ({ name: reaction.name, id })))
  if (pairs.length === 0) return
  const rows = await tx.all<{ name: string; id: string }>(
    `insert into outbox_inbox (reaction, event_id, at) select unnest($1::text[]), unnest($2::uuid[]), $3
     on conflict do nothing returning reaction as name, event_id as id`,
    [pairs.map((it) => it.name), pairs.map((it) => it.id), tx.now],
  )
  const fresh = new Set(rows.map(({ name, id }) => `${name} ${id}`))
  for (const { reaction, told } of hearings) {
    const its = told.filter(({ id }) => fresh.has(`${reaction.name} ${id}`))
    if (its.length > 0) await reaction.run(tx, its)
  }
}

interface Place {
  reaction: string
  sequence: number
}

/** Writes down that a reaction failed once more, and when it is tried again; returns how often it has failed. */
async function noteFailure(tx: Tx, place: Place, error: unknown): Promise<number> {
  const { attempts } = await tx.one<{ attempts: number }>(
    `insert into outbox_failures as failure (reaction, sequence, attempts, retry_at, error) values ($1, $2, 1, $3, $4)
     on conflict (reaction, sequence) do update set attempts = failure.attempts + 1, error = excluded.error
     returning attempts`,
    [place.reaction, place.sequence, tx.now, keepable(String(error)).slice(0, 500)],
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
 * Our own facts until they come round by position: they were heard when they were told. One that came round before we
 * knew that it was committed never comes again, so each is kept for a minute or two and no longer.
 */
class LatelySeen {
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
