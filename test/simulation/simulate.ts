// One seed drives buyers, operators, banks, crashes and a clock through the real use cases and a real database. After
// every step the invariants are checked.

import type pg from 'pg'
import { Refusal } from '../../src/base/refusal.ts'
import { chanceOf } from './chance.ts'
import { actions } from './actions.ts'
import { settle } from './actions/time.ts'
import { checkCharges, checkDelivery, checkInvariants } from './invariants.ts'
import { openWorld, type Mutation } from './world.ts'

export interface Run {
  seed: number
  steps: number
  mutation?: Mutation
  /** Names of the allowed actions; all by default. */
  only?: readonly string[]
}

export interface Summary {
  /** How often each action succeeded. */
  done: Record<string, number>
  refused: number
  orders: number
}

/** Says what is wrong, at which step, and how to repeat the run. */
export class InvariantBroken extends Error {
  constructor({ seed, steps }: Run, at: { step: number; action: string }, cause: unknown) {
    super(
      `seed ${seed}, step ${at.step} (${at.action}): ${(cause as Error).message}\n` +
        `repeat with: npm run simulate -- --seed ${seed} --steps ${steps}`,
      { cause },
    )
  }
}

export async function simulate(connection: pg.PoolConfig, run: Run): Promise<Summary> {
  const chance = chanceOf(run.seed)
  const world = await openWorld(connection, chance, run.mutation)
  const possible = actions.filter((it) => run.only?.includes(it.name) ?? true)
  const summary: Summary = { done: {}, refused: 0, orders: 0 }
  const at = { step: 0, action: 'start' }
  try {
    for (at.step = 1; at.step <= run.steps; at.step++) {
      const action = chance.pick(possible)
      at.action = action.name
      world.pass(1_000 + chance.below(60_000))
      await action(world).then(
        () => (summary.done[at.action] = (summary.done[at.action] ?? 0) + 1),
        (error: unknown) => {
          // A refusal is a valid result; any other error is a bug.
          if (!(error instanceof Refusal)) throw error
          summary.refused++
        },
      )
      await checkInvariants(world)
    }
    at.action = 'settle'
    await settle(world)
    await checkInvariants(world)
    await checkCharges(world)
    await checkDelivery(world)
    summary.orders = world.expected.orders.size
    return summary
  } catch (error) {
    throw new InvariantBroken(run, at, error)
  } finally {
    await world.close()
  }
}
