// Scheduled jobs. `job-leases.ts` ensures that one process runs a job at a time.

import { elapsedMs, minuteMs } from './clock.ts'
import { isQuartz, latestDue, nextDue } from './cron.ts'
import type { Database, Environment, PacketTx, Reader, Tx } from './database.ts'
import { JobLeases, type JobRun, type JobRunRecord, type Lease, LeaseLost } from './job-leases.ts'
import type { Log } from './log.ts'

export { type JobRunRecord, makeDue } from './job-leases.ts'

export interface Job {
  name: string
  /** Quartz cron in the shop's zone: second, minute, hour, day, month, weekday (Sunday is 1). */
  cron: string
  /** False: it never becomes due and runs on request only. */
  isEnabled?: boolean
  /**
   * True for a job that only deletes rows which have no effect any more: it runs beside the others. All others run one after
   * the other, in the order of their due times, so that each sees what the earlier ones did.
   */
  isPurge?: boolean
  /** True for a job that takes minutes: neither other jobs nor calls that move the test clock wait for it. */
  isLong?: boolean
  /**
   * Instants of a period that the test clock was moved past, at which the job would have had something to do that is too
   * late at the end of the period. It runs at each of them, in their order among the other jobs.
   */
  missedInstants?(read: Reader, period: { after: Date; until: Date }): Promise<readonly Date[]>
  description: string
  /** Works in batches; returns a note about what it did. */
  run(work: JobContext): Promise<string>
}

export interface JobContext {
  readonly environment: Environment
  /** True at an instant that the test clock was moved past: events of that instant are not published yet. */
  readonly isMissed: boolean
  /** Aborted when this process stops. A long job then ends at once; it runs again in the next process that starts. */
  readonly signal: AbortSignal
  /** A transaction that commits only while this process holds the lease. */
  transaction<T>(batch: (tx: Tx) => Promise<T>): Promise<T>
  /** The same in one round trip: `ask` starts all its statements before it waits. It publishes nothing. */
  packet<T>(ask: (tx: PacketTx) => Promise<T>): Promise<T>
}

export interface JobState {
  name: string
  cron: string
  description: string
  lastDueAt: Date
  nextDueAt: Date | null
  running: boolean
  lastRun: JobRun | null
}

const renewMs = 4_000
const pollMs = 1_000
/** How soon a caller that waits for due jobs asks again for those that another process runs. */
const heldPollMs = 50
/** Clocks of several machines may differ by this much. */
const maxClockSkewMs = 10 * minuteMs
/** Of one job after one move of the test clock. */
const maxMissedInstants = 30

interface Run {
  hasRun: boolean
  end: Promise<void>
}

/** The instant at which something began, once the clock was moved ahead of it; undefined before. */
type Begun = () => Date | undefined

/** A run that is due. `at` is its instant when it is not the present. */
interface DueRun {
  name: string
  due: Date
  at: Date | undefined
  planned: Begun
}

export class Jobs {
  readonly #db: Database
  readonly #leases: JobLeases
  readonly #log: Log
  readonly #zone: string
  readonly #jobs = new Map<string, Job>()
  /** Next due time by job: parsing a cron costs more than the rest of a poll. */
  readonly #nextDues = new Map<string, { afterMs: number; nextMs: number }>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> | undefined
  #polling: Promise<unknown> = Promise.resolve()
  /** A poll that has not begun: later calls share it, because it sees what happened before it begins. */
  #waitingPoll: Promise<boolean> | undefined
  /** The runs of this process that have not ended, by job. */
  readonly #runs = new Map<string, Promise<unknown>>()
  /** The long jobs that run now. */
  #longRuns: Promise<unknown> | undefined
  readonly #stop = new AbortController()

  constructor(db: Database, log: Log, options: { zone: string; jobs?: readonly Job[] }) {
    this.#db = db
    this.#leases = new JobLeases(db)
    this.#log = log
    this.#zone = options.zone
    this.register(options.jobs ?? [])
  }

  /** Adds jobs; call it before `start`. */
  register(jobs: readonly Job[]): void {
    const invalid = jobs.find((it) => !isQuartz(it.cron))
    if (invalid) throw new Error(`job ${invalid.name} has an invalid cron: ${invalid.cron}`)
    for (const job of jobs) this.#jobs.set(job.name, job)
  }

  /** Starts polling. Runs missed while no process was up are made up for by one run. */
  async start(): Promise<void> {
    await this.#lastDues()
    this.#schedulePoll()
  }

  /**
   * Runs every job that is due now, and returns when they are done, also in other processes; long ones have only begun.
   */
  async runDue(): Promise<void> {
    for (;;) {
      const hasRunAll = await this.#poll()
      if (hasRunAll || this.#isClosed) return
      await new Promise((done) => setTimeout(done, heldPollMs))
    }
  }

  /**
   * False if another process holds the lease of a job that is due: it may have begun its run before the test clock was
   * moved. Polls are serialized for the same reason. Callers that wait share one poll.
   */
  #poll(): Promise<boolean> {
    if (this.#waitingPoll) return this.#waitingPoll
    const poll = this.#polling.then(() => {
      this.#waitingPoll = undefined
      return this.#pollOnce()
    })
    this.#waitingPoll = poll
    this.#polling = poll.catch(() => {})
    return poll
  }

  async #pollOnce(): Promise<boolean> {
    const lastDues = await this.#lastDues()
    const of = (kind: (job: Job) => boolean | undefined) =>
      new Map([...lastDues].filter(([name]) => kind(this.#jobs.get(name)!)))
    this.#longRuns ??= this.#runInOrder(of((it) => it.isLong))
      .catch((error: unknown) => this.#log.warn('long job failed to run; retrying', { error }))
      .finally(() => (this.#longRuns = undefined))
    const haveRun = await Promise.all([
      this.#runInOrder(of((it) => it.isPurge)),
      this.#runInOrder(of((it) => !it.isPurge && !it.isLong)),
    ])
    return !haveRun.includes(false)
  }

  /**
   * Runs those that are due, each at most once, in the order of their due times. What is left is looked at again when the
   * clock was moved meanwhile: a job that has not run yet then runs once for both moves, and the next poll finds less to do.
   * Returns false if the lease of one was not free.
   */
  async #runInOrder(lastDues: Map<string, Date>): Promise<boolean> {
    const ends: Promise<void>[] = []
    let haveRun = true
    let plannedAt = this.#db.clock.now()
    let runs = await this.#runsUntil(plannedAt, lastDues)
    for (let next = runs.shift(); next && !this.#isClosed; next = runs.shift()) {
      const { name } = next
      if (runs.some((it) => it.name === name)) lastDues.set(name, next.due)
      else lastDues.delete(name)
      // A run on request began before this poll, or before the clock was moved.
      if (!this.#jobs.get(name)!.isLong) while (this.#runs.has(name)) await this.#runs.get(name)
      const { hasRun, end } = await this.#runFor(name, next)
      haveRun &&= hasRun
      // The record of its end is written while the next job begins.
      ends.push(end)
      end.catch(() => {})
      const now = this.#db.clock.now()
      if (Math.abs(now.getTime() - plannedAt.getTime()) < minuteMs) continue
      plannedAt = now
      runs = await this.#runsUntil(now, lastDues)
    }
    await Promise.all(ends)
    return haveRun
  }

  async #runsUntil(now: Date, lastDues: ReadonlyMap<string, Date>): Promise<DueRun[]> {
    const runs: DueRun[] = []
    const planned = this.#begun()
    for (const [name, after] of lastDues) {
      if (this.#nextDueMs(name, after) > now.getTime()) continue
      const due = latestDue(this.#jobs.get(name)!.cron, this.#zone, { after, until: now })
      if (!due) continue
      for (const at of await this.#missedInstants(name, { after, until: due }))
        runs.push({ name, due: at, at, planned })
      runs.push({ name, due, at: this.#instantOf(due, now), planned })
    }
    return runs.toSorted((a, b) => a.due.getTime() - b.due.getTime())
  }

  async #missedInstants(name: string, period: { after: Date; until: Date }): Promise<Date[]> {
    const { clock } = this.#db
    const job = this.#jobs.get(name)!
    const isLate = period.until.getTime() - period.after.getTime() > minuteMs
    if (!job.missedInstants || !clock.wasSkipped || !isLate) return []
    const asked = await job.missedInstants(this.#db.read(), period)
    return asked
      .filter((it) => period.after < it && it < period.until && clock.wasSkipped?.(it))
      .toSorted((a, b) => a.getTime() - b.getTime())
      .slice(0, maxMissedInstants)
  }

  /** The last due time of each of our jobs, after those that cannot be right were corrected. */
  async #lastDues(): Promise<Map<string, Date>> {
    const known = await this.#leases.lastDues()
    const now = this.#db.clock.now()
    const missing = this.names().filter((it) => !known.has(it))
    if (missing.length > 0) await this.#leases.insert(missing)
    // Those in the future come from a clock that was ahead: else the jobs would wait for it.
    const future = new Date(now.getTime() + maxClockSkewMs)
    const ahead = [...known.values()].some((it) => it > future)
    if (ahead) {
      await this.#leases.correctDuesAfter(future)
      this.#log.warn('jobs had run in the future; their schedule starts from now', {
        environment: this.#db.environment,
      })
    }
    return new Map(
      this.names().map((name) => {
        const lastDueAt = known.get(name)
        return [name, lastDueAt && lastDueAt <= future ? lastDueAt : now]
      }),
    )
  }

  #nextDueOf({ cron, isEnabled = true }: Job, after: Date): Date | null {
    return isEnabled ? nextDue(cron, this.#zone, after) : null
  }

  #nextDueMs(name: string, after: Date): number {
    const known = this.#nextDues.get(name)
    if (known?.afterMs === after.getTime()) return known.nextMs
    const nextMs = this.#nextDueOf(this.#jobs.get(name)!, after)?.getTime() ?? Infinity
    this.#nextDues.set(name, { afterMs: after.getTime(), nextMs })
    return nextMs
  }

  /** Runs a job now, whether or not it is due; false when it is running already. */
  async runNow(name: string): Promise<boolean> {
    if (!this.has(name)) throw new Error(`there is no job "${name}"`)
    await this.#lastDues()
    const { hasRun, end } = await this.#runFor(name)
    await end
    return hasRun
  }

  names(): string[] {
    return [...this.#jobs.keys()]
  }

  has(name: string): boolean {
    return this.#jobs.has(name)
  }

  async states(): Promise<JobState[]> {
    await this.#lastDues()
    const rows = await this.#leases.states(this.names())
    return rows.map((row) => {
      const job = this.#jobs.get(row.name)!
      return {
        ...row,
        cron: job.cron,
        description: job.description,
        nextDueAt: this.#nextDueOf(job, row.lastDueAt),
      }
    })
  }

  /** The latest runs of a job, newest first. */
  history(name: string): Promise<JobRunRecord[]> {
    return this.#leases.history(name)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#running
    await this.#longRuns
  }

  get #isClosed(): boolean {
    return this.#stop.signal.aborted
  }

  #schedulePoll(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#poll()
        .catch((error: unknown) => this.#log.warn('job poll failed; retrying', { error }))
        .finally(() => this.#schedulePoll())
    }, pollMs)
  }

  /** Runs a job if its lease is free. `end` is when that has been recorded. */
  async #runFor(name: string, due: Partial<DueRun> = {}): Promise<Run> {
    if (this.#runs.has(name)) return { hasRun: false, end: Promise.resolve() }
    const run = this.#runWithLease(name, due)
    const ended = run
      .then(({ end }) => end)
      .catch(() => {})
      .finally(() => this.#runs.delete(name))
    this.#runs.set(name, ended)
    return run
  }

  async #runWithLease(name: string, { due, at, planned = this.#begun() }: Partial<DueRun>): Promise<Run> {
    const lease = await this.#leases.take(name, due)
    const job = this.#jobs.get(name)!
    if (!lease) return { hasRun: false, end: Promise.resolve() }
    const started = elapsedMs()
    const renewal = setInterval(() => void this.#renew(lease), renewMs)
    let outcome = 'done'
    let note = ''
    try {
      note = await job.run(this.#contextOf(lease, at, job.isLong ? () => undefined : planned))
    } catch (error) {
      if (error instanceof LeaseLost) return { hasRun: false, end: Promise.resolve() }
      outcome = 'failed'
      note = String(error).slice(0, 500)
      if (this.#isClosed && job.isLong)
        this.#log.info('job stopped', { job: name, environment: this.#db.environment })
      else this.#log.error('job failed', { job: name, environment: this.#db.environment, error })
    } finally {
      clearInterval(renewal)
    }
    const ms = Math.round(elapsedMs() - started)
    // A long job that was stopped stays due.
    const isStopped = outcome === 'failed' && this.#isClosed && job.isLong
    const end = this.#leases.finish(lease, { due: isStopped ? undefined : due, outcome, note })
    this.#log.info('job finished', { job: name, environment: this.#db.environment, outcome, note, ms })
    return { hasRun: true, end }
  }

  /** What a run does after the clock was moved, it does at the instant at which it was planned: later runs do the rest. */
  #contextOf(lease: Lease, at: Date | undefined, planned: Begun): JobContext {
    return {
      environment: this.#db.environment,
      isMissed: at !== undefined,
      signal: this.#stop.signal,
      transaction: (batch) => this.#leases.transaction(lease, batch, at ?? planned()),
      packet: (ask) => this.#leases.packet(lease, ask, at ?? planned()),
    }
  }

  #begun(): Begun {
    const { clock } = this.#db
    const [at, atMs] = [clock.now(), elapsedMs()]
    return () => (clock.now().getTime() - at.getTime() - (elapsedMs() - atMs) < minuteMs ? undefined : at)
  }

  async #renew(lease: Lease): Promise<void> {
    await this.#leases
      .renew(lease)
      .catch((error: unknown) => this.#log.warn('job lease could not be renewed', { job: lease.name, error }))
  }

  /**
   * The due time of a job that the test clock was moved past: the job sees what it would have seen then. Undefined means the
   * present. Jobs of every minute run at the present, because their due time is hardly earlier than `now`, when the runs
   * were planned.
   */
  #instantOf(due: Date, now: Date): Date | undefined {
    const isLate = now.getTime() - due.getTime() > minuteMs
    return isLate && this.#db.clock.wasSkipped?.(due) ? due : undefined
  }
}
