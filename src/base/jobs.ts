// Work that a schedule starts. One run at a time in all processes: a lease says whose turn it is, and a token
// that grows with every lease keeps a process that was thought dead from finishing somebody else's run.

import { elapsedMs } from './clock.ts'
import { isQuartz, latestDue, nextDue } from './cron.ts'
import type { Database, Tx } from './db.ts'
import type { Log } from './log.ts'
import { secretUuid } from './random.ts'

export interface Job {
  name: string
  /** Quartz cron in the shop's zone: second, minute, hour, day, month, weekday (Sunday is 1). */
  cron: string
  meaning: string
  /** Works in batches; says in the end what it did. */
  run(work: JobRun): Promise<string>
}

export interface JobRun {
  /** A transaction that commits only while the lease is ours. */
  transaction<T>(batch: (tx: Tx) => Promise<T>): Promise<T>
}

export interface JobState {
  name: string
  cron: string
  meaning: string
  lastDueAt: Date
  nextDueAt: Date | null
  running: boolean
  lastRun: { startedAt: Date; finishedAt: Date | null; outcome: string; note: string } | null
}

export interface JobPast {
  dueAt: Date
  startedAt: Date
  finishedAt: Date | null
  outcome: string
  note: string
}

const historyRuns = 100
const leaseSeconds = 60
const renewMs = 20_000
const longestNapMs = 1_000

/** Another process has taken the job over; what this one was about to write is rolled back. */
class LeaseLost extends Error {}

export class Jobs {
  readonly #db: Database
  readonly #log: Log
  readonly #zone: string
  readonly #jobs: Job[]
  readonly #holder = secretUuid()
  /** By job, when it falls due after it last was: to read a cron costs more than all else of a look. */
  readonly #nextDues = new Map<string, { afterMs: number; nextMs: number }>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #looking: Promise<void> = Promise.resolve()
  #closed = false

  constructor(db: Database, log: Log, options: { zone: string; jobs: Job[] }) {
    this.#db = db
    this.#log = log
    this.#zone = options.zone
    this.#jobs = options.jobs
    const unreadable = options.jobs.find((it) => !isQuartz(it.cron))
    if (unreadable) throw new Error(`the cron of ${unreadable.name} cannot be read: ${unreadable.cron}`)
  }

  /** Begins to watch the clock. What fell due while nobody watched is run at once, once. */
  async start(): Promise<void> {
    await this.#register()
    this.#nap()
  }

  /**
   * Runs every job that is due now, and returns when they are done. One look follows the other: one that began before
   * the clock was moved would hold the leases of those that have fallen due by it.
   */
  runDue(): Promise<void> {
    const look = this.#looking.then(() => this.#lookOnce())
    this.#looking = look.catch(() => {})
    return look
  }

  async #lookOnce(): Promise<void> {
    await this.#register()
    const rows = await this.#db
      .read()
      .all<{ name: string; lastDueAt: Date }>(
        `select name, last_due_at as "lastDueAt" from job_leases where name = any($1)`,
        [this.#jobs.map((it) => it.name)],
      )
    for (const { name, lastDueAt } of rows) {
      const now = this.#db.clock.now()
      if (this.#nextDueMs(name, lastDueAt) > now.getTime()) continue
      const due = latestDue(this.#find(name)!.cron, this.#zone, { after: lastDueAt, until: now })
      if (due && !this.#closed) await this.#runFor(name, due)
    }
  }

  #nextDueMs(name: string, after: Date): number {
    const known = this.#nextDues.get(name)
    if (known?.afterMs === after.getTime()) return known.nextMs
    const nextMs = nextDue(this.#find(name)!.cron, this.#zone, after)?.getTime() ?? Infinity
    this.#nextDues.set(name, { afterMs: after.getTime(), nextMs })
    return nextMs
  }

  /** Runs a job now, whether or not it is due; false when another process is at it. */
  async runNow(name: string): Promise<boolean> {
    if (!this.#find(name)) throw new Error(`there is no job "${name}"`)
    await this.#register()
    return this.#runFor(name, undefined)
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  async states(): Promise<JobState[]> {
    await this.#register()
    const rows = await this.#db.read().all<Omit<JobState, 'cron' | 'meaning' | 'nextDueAt'>>(
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
        meaning: job.meaning,
        nextDueAt: nextDue(job.cron, this.#zone, row.lastDueAt),
      }
    })
  }

  /** What a job did lately, newest first. */
  async history(name: string): Promise<JobPast[]> {
    return this.#db.read().all<JobPast>(
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

  #nap(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#running = this.runDue()
        .catch((error: unknown) => this.#log.warn('the jobs could not be looked up; trying again', { error }))
        .finally(() => this.#nap())
    }, longestNapMs)
  }

  /** A job that is new in this database counts from now: nothing of it was missed. */
  async #register(): Promise<void> {
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
      note = await job.run({ transaction: (batch) => this.#fenced(name, lease.token, batch) })
    } catch (error) {
      if (error instanceof LeaseLost) return false
      outcome = 'failed'
      note = String(error).slice(0, 500)
      this.#log.error('a job failed', { job: name, environment: this.#db.environment, error })
    } finally {
      clearInterval(renewal)
    }
    await this.#finish(name, lease, { due, outcome, note })
    this.#log.info('a job ran', {
      job: name,
      environment: this.#db.environment,
      outcome,
      note,
      ms: Math.round(elapsedMs() - started),
    })
    return true
  }

  /** Leases live by the database's clock: the shop's clock may be moved, and machines disagree. */
  #takeLease(name: string, due: Date | undefined): Promise<{ token: number; run: number } | undefined> {
    return this.#db.transaction(async (tx) => {
      const lease = await tx.maybe<{ token: number }>(
        `update job_leases set token = token + 1, holder = $2, leased_until = clock_timestamp() + make_interval(secs => $3)
         where name = $1 and (leased_until is null or leased_until < clock_timestamp())
           and ($4::timestamptz is null or last_due_at < $4)
         returning token`,
        [name, this.#holder, leaseSeconds, due ?? null],
      )
      if (!lease) return undefined
      // Whoever began these is gone: the lease was free.
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
      .catch((error: unknown) => this.#log.warn('a lease could not be renewed', { job: name, error }))
  }

  #fenced<T>(name: string, token: number, batch: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (tx) => {
      const held = await tx.maybe(`select 1 from job_leases where name = $1 and token = $2 for share`, [
        name,
        token,
      ])
      if (!held) throw new LeaseLost()
      return batch(tx)
    })
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
