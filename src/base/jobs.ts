// Scheduled jobs. One run at a time in all processes: a lease names the process, and a fencing token that grows with every
// lease keeps a process that lost its lease from committing.

import { elapsedMs, minuteMs } from './clock.ts'
import { isQuartz, latestDue, nextDue } from './cron.ts'
import type { Database, Tx } from './database.ts'
import type { Log } from './log.ts'
import { secretUuid } from './random.ts'

export interface Job {
  name: string
  /** Quartz cron in the shop's zone: second, minute, hour, day, month, weekday (Sunday is 1). */
  cron: string
  /** False: it never becomes due and runs on request only. */
  isEnabled?: boolean
  description: string
  /** Works in batches; returns a note about what it did. */
  run(work: JobContext): Promise<string>
}

export interface JobContext {
  /** A transaction that commits only while this process holds the lease. */
  transaction<T>(batch: (tx: Tx) => Promise<T>): Promise<T>
}

export interface JobState {
  name: string
  cron: string
  description: string
  lastDueAt: Date
  nextDueAt: Date | null
  running: boolean
  lastRun: { startedAt: Date; finishedAt: Date | null; outcome: string; note: string } | null
}

export interface JobRunRecord {
  dueAt: Date
  startedAt: Date
  finishedAt: Date | null
  outcome: string
  note: string
}

const historyRuns = 100
/** After a process is killed, another takes its job over when the lease has expired. */
const leaseSeconds = 15
const renewMs = 4_000
/** A lease that ends later comes from a clock that was ahead. */
const longestLeaseSeconds = 120
const pollMs = 1_000
/** Clocks of several machines may differ by this much. */
const maxClockSkewMs = 10 * minuteMs

/** Another process has taken the lease; the transaction is rolled back. */
class LeaseLost extends Error {}

export class Jobs {
  readonly #db: Database
  readonly #log: Log
  readonly #zone: string
  readonly #jobs: Job[] = []
  readonly #holder = secretUuid()
  /** Next due time by job: parsing a cron costs more than the rest of a poll. */
  readonly #nextDues = new Map<string, { afterMs: number; nextMs: number }>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #polling: Promise<void> = Promise.resolve()
  /** A poll that has not begun: later calls share it, because it sees what happened before it begins. */
  #waitingPoll: Promise<void> | undefined
  #closed = false

  constructor(db: Database, log: Log, options: { zone: string; jobs?: readonly Job[] }) {
    this.#db = db
    this.#log = log
    this.#zone = options.zone
    this.register(options.jobs ?? [])
  }

  /** Adds jobs; call it before `start`. */
  register(jobs: readonly Job[]): void {
    const invalid = jobs.find((it) => !isQuartz(it.cron))
    if (invalid) throw new Error(`job ${invalid.name} has an invalid cron: ${invalid.cron}`)
    this.#jobs.push(...jobs)
  }

  /** Starts polling. Runs missed while no process was up are made up for by one run. */
  async start(): Promise<void> {
    await this.#insertMissing()
    this.#schedulePoll()
  }

  /**
   * Runs every job that is due now, and returns when they are done. Polls are serialized: one that began before the test
   * clock was moved would hold leases of jobs that are due after the move. Callers that wait share one poll.
   */
  runDue(): Promise<void> {
    if (this.#waitingPoll) return this.#waitingPoll
    const poll = this.#polling.then(() => {
      this.#waitingPoll = undefined
      return this.#pollOnce()
    })
    this.#waitingPoll = poll
    this.#polling = poll.catch(() => {})
    return poll
  }

  async #pollOnce(): Promise<void> {
    await this.#insertMissing()
    await this.#correctFutureDues()
    const rows = await this.#db
      .read()
      .all<{ name: string; lastDueAt: Date }>(
        `select name, last_due_at as "lastDueAt" from job_leases where name = any($1)`,
        [this.#jobs.map((it) => it.name)],
      )
    const now = this.#db.clock.now()
    const dues = rows.flatMap(({ name, lastDueAt }) => {
      if (this.#nextDueMs(name, lastDueAt) > now.getTime()) return []
      const due = latestDue(this.#find(name)!.cron, this.#zone, { after: lastDueAt, until: now })
      return due ? [{ name, due }] : []
    })
    for (const { name, due } of dues.toSorted((a, b) => a.due.getTime() - b.due.getTime()))
      if (!this.#closed) await this.#runFor(name, due)
  }

  /** Last due times in the future come from a clock that was ahead. They are set to now, else the jobs would wait for it. */
  async #correctFutureDues(): Promise<void> {
    const now = this.#db.clock.now()
    const future = new Date(now.getTime() + maxClockSkewMs)
    const ahead = await this.#db
      .read()
      .maybe(`select 1 from job_leases where last_due_at > $1 limit 1`, [future])
    if (!ahead) return
    await this.#db.transaction((tx) =>
      tx.all(`update job_leases set last_due_at = $1 where last_due_at > $2`, [now, future]),
    )
    this.#log.warn('jobs had run in the future; their schedule starts from now', {
      environment: this.#db.environment,
    })
  }

  #nextDueOf({ cron, isEnabled = true }: Job, after: Date): Date | null {
    return isEnabled ? nextDue(cron, this.#zone, after) : null
  }

  #nextDueMs(name: string, after: Date): number {
    const known = this.#nextDues.get(name)
    if (known?.afterMs === after.getTime()) return known.nextMs
    const nextMs = this.#nextDueOf(this.#find(name)!, after)?.getTime() ?? Infinity
    this.#nextDues.set(name, { afterMs: after.getTime(), nextMs })
    return nextMs
  }

  /** Runs a job now, whether or not it is due; false when it is running in another process. */
  async runNow(name: string): Promise<boolean> {
    if (!this.#find(name)) throw new Error(`there is no job "${name}"`)
    await this.#insertMissing()
    return this.#runFor(name, undefined)
  }

  names(): string[] {
    return this.#jobs.map((it) => it.name)
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  async states(): Promise<JobState[]> {
    await this.#insertMissing()
    const rows = await this.#db.read().all<Omit<JobState, 'cron' | 'description' | 'nextDueAt'>>(
      `select lease.name, lease.last_due_at as "lastDueAt", coalesce(lease.leased_until > clock_timestamp(), false) as running,
         (select json_build_object('startedAt', started_at, 'finishedAt', finished_at, 'outcome', outcome, 'note', note)
          from job_runs where job_runs.name = lease.name order by id desc limit 1) as "lastRun"
       from job_leases lease where name = any($1) order by name`,
      [this.#jobs.map((it) => it.name)],
    )
    return rows.map((row) => {
      const job = this.#find(row.name)!
      return {
        ...row,
        cron: job.cron,
        description: job.description,
        nextDueAt: this.#nextDueOf(job, row.lastDueAt),
      }
    })
  }

  /** The latest runs of a job, newest first. */
  async history(name: string): Promise<JobRunRecord[]> {
    return this.#db.read().all<JobRunRecord>(
      `select due_at as "dueAt", started_at as "startedAt", finished_at as "finishedAt", outcome, note
       from job_runs where name = $1 order by id desc limit ${historyRuns}`,
      [name],
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedulePoll(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#running = this.runDue()
        .catch((error: unknown) => this.#log.warn('job poll failed; retrying', { error }))
        .finally(() => this.#schedulePoll())
    }, pollMs)
  }

  /** A job that is new in this database counts from now: no run was missed. */
  async #insertMissing(): Promise<void> {
    const { names } = await this.#db
      .read()
      .one<{ names: string[] }>(`select coalesce(array_agg(name), '{}') as names from job_leases`)
    const missing = this.#jobs.map((it) => it.name).filter((it) => !names.includes(it))
    if (missing.length > 0)
      await this.#db.transaction((tx) =>
        tx.all(
          `insert into job_leases (name, last_due_at) select unnest($1::text[]), $2 on conflict do nothing`,
          [missing, tx.now],
        ),
      )
  }

  async #runFor(name: string, due: Date | undefined): Promise<boolean> {
    const job = this.#find(name)!
    const lease = await this.#takeLease(name, due)
    if (!lease) return false
    const started = elapsedMs()
    const renewal = setInterval(() => void this.#renew(name, lease.token), renewMs)
    let outcome = 'done'
    let note = ''
    try {
      const at = due && this.#instantOf(due)
      note = await job.run({ transaction: (batch) => this.#fenced({ name, token: lease.token, at }, batch) })
    } catch (error) {
      if (error instanceof LeaseLost) return false
      outcome = 'failed'
      note = String(error).slice(0, 500)
      this.#log.error('job failed', { job: name, environment: this.#db.environment, error })
    } finally {
      clearInterval(renewal)
    }
    await this.#finish(name, lease, { due, outcome, note })
    this.#log.info('job finished', {
      job: name,
      environment: this.#db.environment,
      outcome,
      note,
      ms: Math.round(elapsedMs() - started),
    })
    return true
  }

  /**
   * Leases use the database's clock: the test clock may be moved, and clocks of machines differ. A lease that is longer
   * than any lease counts as free.
   */
  #takeLease(name: string, due: Date | undefined): Promise<{ token: number; run: number } | undefined> {
    return this.#db.transaction(async (tx) => {
      const lease = await tx.maybe<{ token: number }>(
        `update job_leases set token = token + 1, holder = $2, leased_until = clock_timestamp() + make_interval(secs => $3)
         where name = $1 and (leased_until is null
             or leased_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => $5))
           and ($4::timestamptz is null or last_due_at < $4)
         returning token`,
        [name, this.#holder, leaseSeconds, due ?? null, longestLeaseSeconds],
      )
      if (!lease) return undefined
      // The lease was free, so the process of these runs has ended.
      tx.later(
        `update job_runs set finished_at = $2, outcome = 'failed', note = 'its process ended' where name = $1 and outcome = 'running'`,
        [name, tx.now],
      )
      const { id } = await tx.one<{ id: number }>(
        `insert into job_runs (name, due_at, started_at, outcome, note) values ($1, $2, $3, 'running', '') returning id`,
        [name, due ?? tx.now, tx.now],
      )
      return { token: lease.token, run: id }
    })
  }

  async #renew(name: string, token: number): Promise<void> {
    await this.#db
      .transaction((tx) =>
        tx.all(
          `update job_leases set leased_until = clock_timestamp() + make_interval(secs => $3) where name = $1 and token = $2`,
          [name, token, leaseSeconds],
        ),
      )
      .catch((error: unknown) => this.#log.warn('job lease could not be renewed', { job: name, error }))
  }

  /**
   * The due time of a job that the test clock was moved past: the job sees what it would have seen then. Undefined means the
   * present. Jobs of every minute run at the present, because their due time is hardly earlier.
   */
  #instantOf(due: Date): Date | undefined {
    const { clock } = this.#db
    const isLate = clock.now().getTime() - due.getTime() > minuteMs
    return isLate && clock.wasSkipped?.(due) ? due : undefined
  }

  #fenced<T>(
    { name, token, at }: { name: string; token: number; at: Date | undefined },
    batch: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const work = async (tx: Tx) => {
      const held = await tx.maybe(`select 1 from job_leases where name = $1 and token = $2 for share`, [
        name,
        token,
      ])
      if (!held) throw new LeaseLost()
      return batch(tx)
    }
    return at ? this.#db.transactionAt(at, work) : this.#db.transaction(work)
  }

  async #finish(
    name: string,
    lease: { token: number; run: number },
    end: { due: Date | undefined; outcome: string; note: string },
  ) {
    await this.#db.transaction(async (tx) => {
      await tx.all(
        `update job_leases set leased_until = null, holder = null, last_due_at = greatest(last_due_at, $3::timestamptz)
         where name = $1 and token = $2`,
        [name, lease.token, end.due ?? null],
      )
      await tx.all(`update job_runs set finished_at = $2, outcome = $3, note = $4 where id = $1`, [
        lease.run,
        tx.now,
        end.outcome,
        end.note,
      ])
    })
  }

  #find(name: string): Job | undefined {
    return this.#jobs.find((it) => it.name === name)
  }
}
