// Concurrent transactions with a reproducible schedule: each pauses after some of its statements and starts the next one,
// and continues when that one has finished or waits for a lock.

import type { Database, Tx } from '../../src/base/database.ts'
import { Refusal } from '../../src/base/refusal.ts'
import { waitUntil } from '../support/wait-until.ts'

/** A transaction as the shop runs it, and what it returns. */
export type Work<T> = (tx: Tx) => Promise<T>

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
    const run = resultOf(
      db.transaction((tx) => work(pausing(tx, { after: pauses[at] ?? 1, sql, pause: next }))),
    )
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
  for (const work of works) results.push(await resultOf(db.transaction(work)))
  return results
}

const resultOf = <T>(done: Promise<T>): Promise<Result<T>> =>
  done.then(
    (value) => ({ kind: 'done', value }),
    (error: unknown) => {
      if (error instanceof Refusal) return { kind: 'refused', code: error.code }
      throw error
    },
  )

function pausing(
  tx: Tx,
  { after, sql, pause }: { after: number; sql: (sql: string) => string; pause: () => Promise<void> },
): Tx {
  let left = after
  const watched = <A extends unknown[], R>(run: (statement: string, ...rest: A) => Promise<R>) =>
    (async (statement: string, ...rest: A): Promise<R> => {
      const rows = await run(sql(statement), ...rest)
      if (--left === 0) await pause()
      return rows
    }) as typeof run
  return {
    ...tx,
    all: watched(tx.all) as Tx['all'],
    one: watched(tx.one) as Tx['one'],
    maybe: watched(tx.maybe) as Tx['maybe'],
    later: (statement, ...rest) => tx.later(sql(statement), ...rest),
  }
}

const isLockAwaited = async (db: Database): Promise<boolean> =>
  (
    await db
      .read()
      .all(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length > 0
