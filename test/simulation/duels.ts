// Pairs of transactions on one record, for the locks outside carts and orders. The sequential model of a duel is the shop
// itself: run in turn, in both orders, it shows the two legal outcomes, and a race must end in one of them.

import type { Database } from '../../src/base/database.ts'
import { chanceOf } from './chance.ts'
import { buyingDuels } from './duels/buying.ts'
import { catalogRuleDuels } from './duels/catalog-rules.ts'
import { catalogDuels } from './duels/catalog.ts'
import { identityDuels } from './duels/identity.ts'
import { marketingDuels } from './duels/marketing.ts'
import { orderDuels } from './duels/orders.ts'
import { processDuels } from './duels/processes.ts'
import { recommendationDuels } from './duels/recommendations.ts'
import { webhookDuels } from './duels/webhooks.ts'
import { inTurn, race, type Result, type Work } from './race.ts'

/** Two transactions that are ready to run, and what can be seen afterwards: no ids, no times. */
export interface Duel {
  works: [Work<unknown>, Work<unknown>]
  observe?: () => Promise<unknown>
}

export type NewDuel = (db: Database) => Promise<Duel>

export const duels: Readonly<Record<string, NewDuel>> = {
  ...catalogDuels,
  ...identityDuels,
  ...marketingDuels,
  ...orderDuels,
  ...buyingDuels,
  ...catalogRuleDuels,
  ...processDuels,
  ...recommendationDuels,
  ...webhookDuels,
}

export class IllegalDuel extends Error {}

const outcomeOf = async (results: readonly Result<unknown>[], { observe }: Duel): Promise<string> =>
  JSON.stringify([results, await observe?.()])

/** The outcomes of the duel when its transactions run one after the other. */
export async function legalOutcomes(db: Database, newDuel: NewDuel): Promise<string[]> {
  const outcomes = []
  for (const isReversed of [false, true]) {
    const duel = await newDuel(db)
    const works = isReversed ? duel.works.toReversed() : duel.works
    const results = await inTurn(db, works)
    outcomes.push(await outcomeOf(isReversed ? results.toReversed() : results, duel))
  }
  return outcomes
}

/** Runs a duel once with the schedule of a seed; throws when its outcome is not legal. */
export async function runDuel(
  db: Database,
  {
    name,
    seed,
    legal,
    sql,
  }: { name: string; seed: number; legal: readonly string[]; sql: (sql: string) => string },
): Promise<void> {
  const chance = chanceOf(seed)
  const duel = await duels[name]!(db)
  const isReversed = chance.percent(50)
  const works = isReversed ? duel.works.toReversed() : duel.works
  const results = await race({ db, sql, pauses: [1 + chance.below(6), 1] }, works)
  const outcome = await outcomeOf(isReversed ? results.toReversed() : results, duel)
  if (!legal.includes(outcome))
    throw new IllegalDuel(`${name}, seed ${seed}: ${outcome} is none of ${legal.join(' or ')}`)
}
