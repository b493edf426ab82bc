// The rows of jobs: the lease that names the process which runs a job, and the record of each run. One run at a time in all
// processes: a fencing token that grows with every lease keeps a process that lost its lease from committing.

import { dayMs } from './clock.ts'
import type { Database, PacketTx, Tx } from './database.ts'
import { secretUuid } from './random.ts'
import { isDivisionByZero } from './sql-errors.ts'

export interface JobRun {
  startedAt: Date
  finishedAt: Date | null
  outcome: string
  note: string
}

export interface JobRunRecord extends JobRun {
  dueAt: Date
}

export interface Lease {
  name: string
  token: number
  /** The record of the run. */
  run: number
}

const historyRuns = 100
/** After a process is killed, another takes its job over when the lease has expired. */
const leaseSeconds = 15
/** A lease that ends later comes from a clock that was ahead. */
const longestLeaseSeconds = 120

/** A missed run of a daily job lies within this time. */
const missedMs = 2 * dayMs

/** Makes a daily job due: some process runs it at its next poll, as if it had missed a run. */
export function makeDue(tx: Tx, name: string): void {
  tx.later(
    `insert into job_leases as known (name, last_due_at) values ($1, $2)
     on conflict (name) do update set last_due_at = least(known.last_due_at, excluded.last_due_at)`,
    [name, new Date(tx.now.getTime() - missedMs)],
  )
}

/** Another process has taken the lease; the transaction is rolled back. */
export class LeaseLost extends Error {}

export class JobLeases {
  readonly #db: Database
  readonly #holder = secretUuid()

  constructor(db: Database) {
    this.#db = db
  }

  /** The last due time of every job in this database. */
  async lastDues(): Promise<Map<string, Date>> {
    const rows = await this.#db.jobPacket((tx) =>
      tx.all<{ name: string; lastDueAt: Date }>(`select name, last_due_at as "lastDueAt" from job_leases`),
    )
    return new Map(rows.map((it) => [it.name, it.lastDueAt]))
  }

  /** A job that is new in this database counts from now: no run was missed. */
  async insert(names: readonly string[]): Promise<void> {
    await this.#db.jobPacket((tx) =>
      tx.all(
        `insert into job_leases (name, last_due_at) select unnest($1::text[]), $2 on conflict do nothing`,
        [names, tx.now],
      ),
    )
  }

  /** Jobs with a last due time after an instant start from now. */
  async correctDuesAfter(future: Date): Promise<void> {
    await this.#db.jobPacket((tx) =>
      tx.all(`update job_leases set last_due_at = $1 where last_due_at > $2`, [tx.now, future]),
    )
  }

  /**
   * Leases use the database's clock: the test clock may be moved, and clocks of machines differ. A lease that is longer
   * than any lease counts as free, and so does one of this process, which asks for one lease of a job at a time: it was left
   * when a connection broke. The lease was free, so the process of runs that seem to be under way has ended.
   */
  async take(name: string, due: Date | undefined): Promise<Lease | undefined> {
    const taken = await this.#db.jobPacket((tx) =>
      tx.maybe<Omit<Lease, 'name'>>(
        `with lease as (
           update job_leases set token = token + 1, holder = $2, leased_until = clock_timestamp() + make_interval(secs => $3)
           where name = $1 and (leased_until is null or holder = $2
               or leased_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => $5))
             and ($4::timestamptz is null or last_due_at < $4)
           returning token),
         ended as (
           update job_runs set finished_at = $6, outcome = 'failed', note = 'its process ended'
           where name = $1 and outcome = 'running' and exists (select 1 from lease)),
         run as (
           insert into job_runs (name, due_at, started_at, outcome, note)
           select $1, coalesce($4, $6::timestamptz), $6, 'running', '' from lease returning id)
         select lease.token, run.id as run from lease, run`,
        [name, this.#holder, leaseSeconds, due ?? null, longestLeaseSeconds, tx.now],
      ),
    )
    return taken && { name, ...taken }
  }

  /** A renewal may arrive after the end of its run, which has given the lease back: it must not hold the job then. */
  async renew({ name, token }: Lease): Promise<void> {
    await this.#db.jobPacket((tx) =>
      tx.all(
        `update job_leases set leased_until = clock_timestamp() + make_interval(secs => $3)
         where name = $1 and token = $2 and holder = $4`,
        [name, token, leaseSeconds, this.#holder],
      ),
    )
  }

  async finish(
    { name, token, run }: Lease,
    end: { due: Date | undefined; outcome: string; note: string },
  ): Promise<void> {
    await this.#db.jobPacket((tx) =>
      Promise.all([
        tx.all(
          `update job_leases set leased_until = null, holder = null, last_due_at = greatest(last_due_at, $3::timestamptz)
           where name = $1 and token = $2`,
          [name, token, end.due ?? null],
        ),
        tx.all(`update job_runs set finished_at = $2, outcome = $3, note = $4 where id = $1`, [
          run,
          tx.now,
          end.outcome,
          end.note,
        ]),
      ]),
    )
  }

  /** A transaction that begins and commits only while the lease is held. */
  transaction<T>(lease: Lease, work: (tx: Tx) => Promise<T>, at?: Date): Promise<T> {
    return this.#db.jobTransaction(async (tx) => {
      await fence(tx, lease)
      return work(tx)
    }, at)
  }

  /** The same in one round trip: the check travels with the statements and the commit. */
  packet<T>(lease: Lease, ask: (tx: PacketTx) => Promise<T>, at?: Date): Promise<T> {
    return this.#db.jobPacket(async (tx) => {
      // Statements behind a failed check fail too; their errors only say that the transaction was aborted.
      const [check, asked] = await Promise.allSettled([fence(tx, lease), ask(tx)])
      if (check.status === 'rejected') throw check.reason
      if (asked.status === 'rejected') throw asked.reason
      return asked.value
    }, at)
  }

  states(
    names: readonly string[],
  ): Promise<{ name: string; lastDueAt: Date; running: boolean; lastRun: JobRun | null }[]> {
    return this.#db.read().all(
      `select lease.name, lease.last_due_at as "lastDueAt", coalesce(lease.leased_until > clock_timestamp(), false) as running,
         (select json_build_object('startedAt', started_at, 'finishedAt', finished_at, 'outcome', outcome, 'note', note)
          from job_runs where job_runs.name = lease.name order by id desc limit 1) as "lastRun"
       from job_leases lease where name = any($1) order by name`,
      [names],
    )
  }

  /** The latest runs of a job, newest first. */
  history(name: string): Promise<JobRunRecord[]> {
    return this.#db.read().all<JobRunRecord>(
      `select due_at as "dueAt", started_at as "startedAt", finished_at as "finishedAt", outcome, note
       from job_runs where name = $1 order by id desc limit ${historyRuns}`,
      [name],
    )
  }
}

/** A lost lease is a division by zero, so that a commit which was sent with it rolls back. */
const fence = (tx: PacketTx, { name, token }: Lease): Promise<unknown> =>
  tx
    .all(
      `select 1 / count(*) from (select 1 from job_leases where name = $1 and token = $2 for share) as held`,
      [name, token],
    )
    .catch((error: unknown) => {
      throw isDivisionByZero(error) ? new LeaseLost() : error
    })
