// Removes one lock at a time and looks for a seed that shows the difference.

import type pg from 'pg'
import { minuteMs } from '../../src/base/clock.ts'
import { Database } from '../../src/base/database.ts'
import { setLimits } from '../../src/cart/limits/limits-record.ts'
import { IllegalHistory, runCartHistory, type ThemeName, themes } from './cart-histories.ts'
import { pairs, IllegalPair, legalOutcomes, runPair } from './pairs.ts'
import { type Lock, locksInSource, without } from './locks.ts'

/** A history by its name: a theme of cart histories, or a pair. */
export const scenarioNames: readonly string[] = [...Object.keys(themes), ...Object.keys(pairs)]

const beginning = Date.parse('2026-03-01T05:00:00Z')

export interface LockCheck {
  /** Runs a scenario with the schedule of a seed; returns what went wrong. */
  run(scenario: string, seed: number, removed?: Lock): Promise<string | undefined>
  /** The first seed that shows that the lock is missing, and what it shows; undefined when none does. */
  firstRed(lock: Lock, scenario: string, seeds: number): Promise<{ seed: number; why: string } | undefined>
  /** The locks that a run of the scenario takes. */
  locksOf(scenario: string, seeds: number): Promise<Set<string>>
  close(): Promise<void>
}

const keep = (sql: string): string => sql
const isTheme = (name: string): name is ThemeName => Object.hasOwn(themes, name)

export async function openLockCheck(connection: pg.PoolConfig): Promise<LockCheck> {
  let nowMs = beginning
  const clock = { now: () => new Date(nowMs) }
  const db = new Database({ connection, environment: 'test', clock, poolSize: 6 })
  const shop = { db, pass: (ms: number) => void (nowMs += ms) }
  const locks = locksInSource()
  const legal = new Map<string, string[]>()
  const generous = { dailyAmountTiyin: 10 ** 12, creditTiyin: 10 ** 12 }
  const runWith = async (scenario: string, seed: number, sql: (sql: string) => string): Promise<void> => {
    nowMs += minuteMs
    if (isTheme(scenario)) {
      await db.transaction((tx) => setLimits(tx, generous))
      return runCartHistory(shop, { seed, theme: scenario, sql })
    }
    if (!legal.has(scenario)) legal.set(scenario, await legalOutcomes(db, pairs[scenario]!))
    return runPair(db, { name: scenario, seed, legal: legal.get(scenario)!, sql })
  }
  const check: LockCheck = {
    run: (scenario, seed, removed) =>
      runWith(scenario, seed, removed ? without(removed, locks) : keep).then(
        () => undefined,
        (error: unknown) => messageOf(error, removed),
      ),
    firstRed: async (lock, scenario, seeds) => {
      for (let seed = 1; seed <= seeds; seed++) {
        const why = await check.run(scenario, seed, lock)
        if (why !== undefined) return { seed, why }
      }
      return undefined
    },
    locksOf: async (scenario, seeds) => {
      const seen = new Set<string>()
      const removals = locks.map((lock) => ({ lock, remove: without(lock, locks) }))
      const watching = (sql: string): string => {
        for (const { lock, remove } of removals) if (remove(sql) !== sql) seen.add(lock.id)
        return sql
      }
      for (let seed = 1; seed <= seeds; seed++) await runWith(scenario, seed, watching)
      return seen
    },
    close: () => db.close(),
  }
  return check
}

/** A shop without a lock may also fail in other ways, such as a violated constraint. */
function messageOf(error: unknown, removed: Lock | undefined): string {
  if (error instanceof IllegalHistory || error instanceof IllegalPair || removed)
    return (error as Error).message
  throw error
}
