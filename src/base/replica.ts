// A streaming replica that answers reads which may lag. It is used while it follows the primary closely. What it has
// applied is compared with positions of the primary's log: a replica that is cut off from its primary is noticed too.

import pg from 'pg'
import { elapsedMs } from './clock.ts'
import type { Environment } from './transaction.ts'
import type { Log } from './log.ts'
import { isStatementTimeout, throwAsRefusal } from './sql-errors.ts'

export interface ReplicaOptions {
  url: string
  log: Pick<Log, 'info' | 'warn'>
}

const checkEveryMs = 1_000
/** A replica that is further behind is not used. */
export const maxLagMs = 10_000
const keptSamples = Math.ceil((2 * maxLagMs) / checkEveryMs)

/** A position that the primary's log had reached at this time. */
export interface LogSample {
  position: number
  atMs: number
}

/** The latest time at which the primary was known to hold nothing that the replica lacks. */
export const freshAt = (samples: readonly LogSample[], applied: number): number =>
  samples.findLast((it) => it.position <= applied)?.atMs ?? -Infinity

export class Replica {
  readonly #pool: pg.Pool
  readonly #primary: pg.Pool
  readonly #environment: Environment
  readonly #log: ReplicaOptions['log']
  readonly #timer: NodeJS.Timeout
  #samples: LogSample[] = []
  #freshAtMs = -Infinity
  #isChecking = false
  #wasUsable: boolean | undefined

  constructor(
    pool: pg.Pool,
    { primary, environment, log }: { primary: pg.Pool; environment: Environment; log: ReplicaOptions['log'] },
  ) {
    this.#pool = pool
    this.#primary = primary
    this.#environment = environment
    this.#log = log
    this.#timer = setInterval(() => void this.#check(), checkEveryMs).unref()
    void this.#check()
  }

  isUsable(): boolean {
    return this.lagMs() <= maxLagMs
  }

  /** Infinity while it is unreachable or was never seen close to the primary. */
  lagMs(): number {
    return elapsedMs() - this.#freshAtMs
  }

  /**
   * Queries the replica; when it fails, the primary. A statement that is too slow for the one is not tried on the
   * other.
   */
  async ask<T>(onReplica: (pool: pg.Pool) => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    try {
      return await onReplica(this.#pool)
    } catch (error) {
      if (isStatementTimeout(error)) return throwAsRefusal(error)
      // A conflict with what is being applied concerns one statement; a lost connection concerns the replica.
      if (!(error instanceof pg.DatabaseError)) this.#freshAtMs = -Infinity
      return onPrimary()
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#pool.end()
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      const atMs = elapsedMs()
      const position = await positionOf(this.#primary, 'pg_current_wal_lsn()')
      if (position !== null) this.#samples = [...this.#samples, { position, atMs }].slice(-keptSamples)
      const applied = await positionOf(this.#pool, 'pg_last_wal_replay_lsn()')
      // Null: it is not a replica, or was promoted.
      this.#freshAtMs = applied === null ? -Infinity : freshAt(this.#samples, applied)
    } catch {
      // Neither confirms that the replica is fresh: its lag grows.
    } finally {
      this.#isChecking = false
    }
    this.#report()
  }

  #report(): void {
    const isUsable = this.isUsable()
    if (isUsable === this.#wasUsable) return
    this.#wasUsable = isUsable
    const fields = { environment: this.#environment }
    if (isUsable) this.#log.info('the replica follows the primary: it answers reads that may lag', fields)
    else this.#log.warn('the replica is unreachable or too far behind: the primary answers all reads', fields)
  }
}

/** A position in the log in bytes. A promoted replica still reports what it had replayed, so it must be in recovery. */
async function positionOf(pool: pg.Pool, lsn: string): Promise<number | null> {
  const wanted = lsn === 'pg_current_wal_lsn()' ? 'not pg_is_in_recovery()' : 'pg_is_in_recovery()'
  const { rows } = await pool.query<{ position: number | null }>(
    `select case when ${wanted} then pg_wal_lsn_diff(${lsn}, '0/0')::bigint end as position`,
  )
  return rows[0]!.position
}

/** Fails when it cannot be reached or is not a replica. */
export async function pingReplica(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 4_000 })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client
    .query<{ isReplica: boolean }>(`select pg_is_in_recovery() as "isReplica"`)
    .finally(() => client.end())
  if (!rows[0]!.isReplica) throw new Error('it is a primary, not a replica')
}
