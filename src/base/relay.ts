// Carries facts from the outbox to those who listen: every one, in the order of its subject, at least once.

import type { Event } from '../events.ts'
import { elapsedMs } from './clock.ts'
import type { Database, Tx } from './db.ts'
import type { Log } from './log.ts'
import {
  eventColumns,
  type EventRow,
  type Placed,
  type Reaction,
  type Told,
  toldOf,
  waitingEvents,
} from './outbox.ts'

const batchSize = 200
const pollMs = 250
/** Between two looks, so that many small writes are handed on together. */
const restMs = 15
const maxAttempts = 5
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
  /** Our own facts until they come round by position: they were heard when they were told. */
  readonly #heardAtOnce = new Set<string>()
  #position = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #woken = false
  #restedAtMs = 0
  #lookedAtMs = -Infinity
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
    const limit = elapsedMs() + 10_000
    while (elapsedMs() < limit) {
      await this.#running
      this.#lookedAtMs = -Infinity
      this.#schedule(0)
      await this.#running
      const { waiting } = await waitingEvents(this.#db.read())
      if (waiting === 0) return
    }
    throw new Error('the outbox did not empty in ten seconds')
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
    this.#woken = false
    this.#running = this.#work().finally(() => {
      this.#running = undefined
      this.#restedAtMs = elapsedMs() + restMs
      this.#schedule(this.#woken ? restMs : pollMs)
    })
  }

  async #work(): Promise<void> {
    try {
      let handedOn = 0
      for (let count = batchSize; !this.#closed && count === batchSize; handedOn += count) {
        count = await this.#handOnBatch()
        if (count > 0) await this.#hearOthers()
      }
      if (elapsedMs() < this.#lookedAtMs + pollMs) return
      await this.#retryDue()
      if (handedOn === 0) await this.#hearOthers()
      this.#lookedAtMs = elapsedMs()
    } catch (error) {
      this.#log.warn('the outbox could not be read; trying again', {
        environment: this.#db.environment,
        error,
      })
    }
  }

  /** All reactions of a batch in one transaction; when one of them fails, each event alone. */
  async #handOnBatch(): Promise<number> {
    try {
      return await this.#db.transaction((tx) =>
        this.#handOn(tx, batchSize, (told) => this.#reactAll(tx, told)),
      )
    } catch (error) {
      this.#log.debug('a batch of reactions failed; going on one by one', { error })
      let done = 0
      while (done < batchSize && (await this.#handOnOne()) === 1) done++
      return done
    }
  }

  #handOnOne(): Promise<number> {
    return this.#db.transaction((tx) =>
      this.#handOn(tx, 1, async ([told]) => {
        for (const it of this.#reactionsTo(told!))
          await tx
            .attempt(() => react(tx, it, told!))
            .catch((error: unknown) =>
              noteFailure(tx, { reaction: it.name, sequence: told!.sequence }, error),
            )
      }),
    )
  }

  async #handOn(tx: Tx, limit: number, reactTo: (batch: Told[]) => Promise<void>): Promise<number> {
    const relay = await tx.maybe<{ position: number }>(
      `select position from outbox_relay for update skip locked`,
    )
    if (!relay) return 0
    const rows = await tx.all<EventRow>(
      `select ${eventColumns} from outbox_events where position is null order by sequence limit $1`,
      [limit],
    )
    if (rows.length === 0) return 0
    await reactTo(rows.map(toldOf))
    await tx.all(
      `update outbox_events set position = $1 + place
       from unnest($2::int8[]) with ordinality as batch (sequence, place)
       where outbox_events.sequence = batch.sequence`,
      [relay.position, rows.map((it) => it.sequence)],
    )
    await tx.all(`update outbox_relay set position = position + $1`, [rows.length])
    return rows.length
  }

  async #reactAll(tx: Tx, batch: Told[]): Promise<void> {
    for (const told of batch) for (const it of this.#reactionsTo(told)) await react(tx, it, told)
  }

  #reactionsTo(told: Told): Reaction[] {
    return this.#reactions.filter((it) => it.to === told.event.type)
  }

  /** Reactions that failed before get their next chance; the last failure leaves a dead letter. */
  async #retryDue(): Promise<void> {
    for (let turn = 0; turn < batchSize && !this.#closed; turn++) if (!(await this.#retryOne())) return
  }

  #retryOne(): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
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
            await react(tx, it, told)
            await tx.all(`delete from outbox_failures where reaction = $1 and sequence = $2`, [
              place.reaction,
              place.sequence,
            ])
          })
          .catch((error: unknown) => noteFailure(tx, place, error))
      return true
    })
  }

  /** Tells this process what other processes have done since it last looked. */
  async #hearOthers(): Promise<void> {
    if (this.#listeners.length + this.#followers.length === 0) return
    const rows = await this.#db
      .read()
      .all<EventRow & { position: number }>(
        `select position, ${eventColumns} from outbox_events where position > $1 order by position limit 1000`,
        [this.#position],
      )
    this.#hear(rows.filter((it) => !this.#heardAtOnce.delete(it.id)).map((it) => toldOf(it).event))
    this.#position = rows.at(-1)?.position ?? this.#position
    const batch = rows.map((it) => ({ ...toldOf(it), position: it.position }))
    if (batch.length > 0) for (const follower of this.#followers) follower(batch)
    if (rows.length === 1000) await this.#hearOthers()
  }

  #hear(events: Event[]): void {
    for (const event of events) for (const listener of this.#listeners) listener(event)
  }
}

/** Runs a reaction unless its inbox shows that it has run for this event. */
async function react(tx: Tx, it: Reaction, told: Told): Promise<void> {
  const fresh = await tx.maybe(
    `insert into outbox_inbox (reaction, event_id, at) values ($1, $2, $3) on conflict do nothing returning event_id`,
    [it.name, told.id, tx.now],
  )
  if (fresh) await it.run(tx, told)
}

async function noteFailure(
  tx: Tx,
  place: { reaction: string; sequence: number },
  error: unknown,
): Promise<void> {
  const { attempts } = await tx.one<{ attempts: number }>(
    `insert into outbox_failures as failure (reaction, sequence, attempts, retry_at, error) values ($1, $2, 1, $3, $4)
     on conflict (reaction, sequence) do update set attempts = failure.attempts + 1, error = excluded.error
     returning attempts`,
    [place.reaction, place.sequence, tx.now, String(error).slice(0, 500)],
  )
  const wait = backoffSeconds[Math.min(attempts, backoffSeconds.length) - 1]! * 1000
  await tx.all(
    `update outbox_failures set retry_at = $3, dead_at = case when attempts >= $4 then $5::timestamptz end
     where reaction = $1 and sequence = $2`,
    [place.reaction, place.sequence, new Date(tx.now.getTime() + wait), maxAttempts, tx.now],
  )
}
