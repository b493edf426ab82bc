// Concurrent transactions with a reproducible schedule: each pauses after some of its statements and starts the next one,
// and continues when that one has finished or waits for a lock.

import type { Database, Reader, Tx } from '../../src/base/database.ts'
import { Refusal } from '../../src/base/refusal.ts'
import { waitUntil } from '../support/wait-until.ts'

/** A transaction as the shop runs it, or a part of a process that runs transactions of its own, and what it returns. */
export type Work<T> = ((tx: Tx) => Promise<T>) | { process: (handles: Handles) => Promise<T> }

/** What a process gets instead of its own handles: its statements are counted and replaced like those of a transaction. */
export interface Handles {
  db: Database
  /** Makes a function that sends SQL pause and replace statements. */
  watch<R>(
    run: (sql: string, values?: unknown[]) => Promise<R>,
  ): (sql: string, values?: unknown[]) => Promise<R>
}

export type Result<T> = { kind: 'done'; value: T } | { kind: 'refused'; code: string }

export interface Race {
  db: Database
  /** Replaces statements, to break the shop on purpose. */
  sql: (sql: string) => string
  /** After how many statements each transaction pauses; one that pauses later than it ends starts the next at its end. */
  pauses: readonly number[]
}

/** Runs all works concurrently; the results are in the order of the works. */
export async function race<T>({ db, sql, pauses }: Race, works: readonly Work<T>[]): Promise<Result<T>[]> {
  const running: (Promise<Result<T>> | undefined)[] = works.map(() => undefined)
  const start = (at: number): Promise<Result<T>> | undefined => {
    const work = works[at]
    if (!work) return undefined
    let isPaused = false
    const next = async (): Promise<void> => {
      if (isPaused) return
      isPaused = true
      let isOver = false
      const other = start(at + 1)?.then(
        () => (isOver = true),
        () => (isOver = true),
      )
      if (other)
        await waitUntil(async () => isOver || isLockAwaited(db), {
          what: 'the next transaction ends or waits for a lock',
          pollMs: 2,
        })
    }
    const run = resultOf(perform(db, work, pausing({ after: pauses[at] ?? 1, sql, pause: next })))
    // A transaction that ended before its pause starts the next one now.
    running[at] = run.finally(next)
    return running[at]
  }
  void start(0)
  const results: Result<T>[] = []
  const failures: unknown[] = []
  // Each one has started the next before it ends. All must end before the outcome is looked at.
  for (let at = 0; at < works.length; at++)
    await running[at]!.then(
      (it) => void results.push(it),
      (error: unknown) => void failures.push(error),
    )
  if (failures.length > 0) throw failures[0]
  return results
}

/** Runs all works one after the other. */
export async function inTurn<T>(db: Database, works: readonly Work<T>[]): Promise<Result<T>[]> {
  const results: Result<T>[] = []
  for (const work of works) results.push(await resultOf(perform(db, work, atOnce)))
  return results
}

function perform<T>(db: Database, work: Work<T>, schedule: Schedule): Promise<T> {
  if (typeof work === 'function') return db.transaction((tx) => work(watchedTx(tx, schedule)))
  return work.process({ db: watchedDatabase(db, schedule), watch: watched(schedule) })
}

const resultOf = <T>(done: Promise<T>): Promise<Result<T>> =>
  done.then(
    (value) => ({ kind: 'done', value }),
    (error: unknown) => {
      if (error instanceof Refusal) return { kind: 'refused', code: error.code }
      throw error
    },
  )

interface Schedule {
  sql: (sql: string) => string
  /** Called after every awaited statement. */
  step: () => Promise<void>
}

const atOnce: Schedule = { sql: (it) => it, step: () => Promise.resolve() }

/** Replaces every statement, and pauses after one of them. */
function pausing({
  after,
  sql,
  pause,
}: {
  after: number
  sql: Schedule['sql']
  pause: Schedule['step']
}): Schedule {
  let left = after
  return { sql, step: async () => (--left === 0 ? pause() : undefined) }
}

const watched =
  ({ sql, step }: Schedule): Handles['watch'] =>
  (run) =>
  async (statement, values) => {
    const rows = await run(sql(statement), values)
    await step()
    return rows
  }

function watchedReader<R extends Reader>(read: R, schedule: Schedule): R {
  const watch = watched(schedule) as <F>(run: F) => F
  return { ...read, all: watch(read.all), one: watch(read.one), maybe: watch(read.maybe) }
}

const watchedTx = (tx: Tx, schedule: Schedule): Tx => ({
  ...watchedReader(tx, schedule),
  later: (statement, ...rest) => tx.later(schedule.sql(statement), ...rest),
})

/**
 * All transactions use the pool of requests: two processes would otherwise wait for one background connection. A packet goes
 * statement by statement, so that another process can come in between.
 */
function watchedDatabase(db: Database, schedule: Schedule): Database {
  const { environment, clock, connection } = db
  const transaction = (work: (tx: Tx) => Promise<unknown>) =>
    db.transaction((tx) => work(watchedTx(tx, schedule)))
  return {
    environment,
    clock,
    connection,
    onPublished: () => {},
    cache: undefined,
    read: () => watchedReader(db.read(), schedule),
    transaction,
    jobTransaction: transaction,
    jobPacket: transaction,
  } as unknown as Database
}

const isLockAwaited = async (db: Database): Promise<boolean> =>
  (
    await db
      .read()
      .all(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length > 0
