// Pairs of transactions on one record, for the locks outside carts and orders. The sequential model of a pair is the shop
// itself: run in turn, in both orders, it shows the two legal outcomes, and a race must end in one of them.

import type { Database } from '../../src/base/database.ts'
import { chanceOf } from './chance.ts'
import { buyingPairs } from './pairs/buying.ts'
import { catalogRulePairs } from './pairs/catalog-rules.ts'
import { catalogPairs } from './pairs/catalog.ts'
import { identityPairs } from './pairs/identity.ts'
import { marketingPairs } from './pairs/marketing.ts'
import { orderPairs } from './pairs/orders.ts'
import { processPairs } from './pairs/processes.ts'
import { recommendationPairs } from './pairs/recommendations.ts'
import { webhookPairs } from './pairs/webhooks.ts'
import { inTurn, race, type Result, type Work } from './race.ts'

/** Two transactions that are ready to run, and what can be seen afterwards: no ids, no times. */
export interface Pair {
  works: [Work<unknown>, Work<unknown>]
  observe?: () => Promise<unknown>
}

export type NewPair = (db: Database) => Promise<Pair>

export const pairs: Readonly<Record<string, NewPair>> = {
  ...catalogPairs,
  ...identityPairs,
  ...marketingPairs,
  ...orderPairs,
  ...buyingPairs,
  ...catalogRulePairs,
  ...processPairs,
  ...recommendationPairs,
  ...webhookPairs,
}

export class IllegalPair extends Error {}

const outcomeOf = async (results: readonly Result<unknown>[], { observe }: Pair): Promise<string> =>
  JSON.stringify([results, await observe?.()])

/** The outcomes of the pair when its transactions run one after the other. */
export async function legalOutcomes(db: Database, newPair: NewPair): Promise<string[]> {
  const outcomes = []
  for (const isReversed of [false, true]) {
    const pair = await newPair(db)
    const works = isReversed ? pair.works.toReversed() : pair.works
    const results = await inTurn(db, works)
    outcomes.push(await outcomeOf(isReversed ? results.toReversed() : results, pair))
  }
  return outcomes
}

/** Runs a pair once with the schedule of a seed; throws when its outcome is not legal. */
export async function runPair(
  db: Database,
  {
    name,
    seed,
    legal,
    sql,
  }: { name: string; seed: number; legal: readonly string[]; sql: (sql: string) => string },
): Promise<void> {
  const chance = chanceOf(seed)
  const pair = await pairs[name]!(db)
  const isReversed = chance.percent(50)
  const works = isReversed ? pair.works.toReversed() : pair.works
  const results = await race({ db, sql, pauses: [1 + chance.below(6), 1] }, works)
  const outcome = await outcomeOf(isReversed ? results.toReversed() : results, pair)
  if (!legal.includes(outcome))
    throw new IllegalPair(`${name}, seed ${seed}: ${outcome} is none of ${legal.join(' or ')}`)
}
