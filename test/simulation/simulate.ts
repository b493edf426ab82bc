// One seed drives buyers, operators, banks, crashes and a clock through the real use cases and a real database. After
// every step the invariants are checked.

import type pg from 'pg'
import { Refusal } from '../../src/base/refusal.ts'
import { chanceOf } from './chance.ts'
import { deeds } from './deeds.ts'
import { settle } from './deeds/time.ts'
import { checkBooks, checkDelivery, checkInvariants } from './invariants.ts'
import { openWorld, type Tamper } from './world.ts'

export interface Fate {
  seed: number
  steps: number
  tamper?: Tamper
  /** The names of all that may happen; everything when left out. */
  only?: readonly string[]
}

export interface Told {
  /** How often each deed was done, and how often it was refused. */
  done: Record<string, number>
  refused: number
  orders: number
}

/** What went wrong, where, and how to see it again. */
export class Broken extends Error {
  constructor({ seed, steps }: Fate, at: { step: number; deed: string }, cause: unknown) {
    super(
      `seed ${seed}, step ${at.step} (${at.deed}): ${(cause as Error).message}\n` +
        `see it again: npm run simulate -- --seed ${seed} --steps ${steps}`,
      { cause },
    )
  }
}

export async function simulate(connection: pg.PoolConfig, fate: Fate): Promise<Told> {
  const chance = chanceOf(fate.seed)
  const world = await openWorld(connection, chance, fate.tamper)
  const possible = deeds.filter((it) => fate.only?.includes(it.name) ?? true)
  const told: Told = { done: {}, refused: 0, orders: 0 }
  const at = { step: 0, deed: 'beginning' }
  try {
    for (at.step = 1; at.step <= fate.steps; at.step++) {
      const deed = chance.pick(possible)
      at.deed = deed.name
      world.pass(1_000 + chance.below(60_000))
      await deed(world).then(
        () => (told.done[at.deed] = (told.done[at.deed] ?? 0) + 1),
        (error: unknown) => {
          // To refuse is the shop's right; anything else is a bug.
          if (!(error instanceof Refusal)) throw error
          told.refused++
        },
      )
      await checkInvariants(world)
    }
    at.deed = 'settling'
    await settle(world)
    await checkInvariants(world)
    await checkBooks(world)
    await checkDelivery(world)
    told.orders = world.promised.orders.size
    return told
  } catch (error) {
    throw new Broken(fate, at, error)
  } finally {
    await world.close()
  }
}
