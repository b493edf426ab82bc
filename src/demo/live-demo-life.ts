// The past of a demo shop is loaded some buyers at a time, and each time it is noted how far it has come: whoever is
// stopped in the middle goes on from there, and ends with the same past.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tx } from '../base/db.ts'
import { countPopularity, hasInteractions, interactionRecords, makeRoom } from '../recommendations/index.ts'
import { demoBehaviour, lifeDays, type Scene, sceneOf } from './behaviour.ts'
import { Chance } from './chance.ts'
import { clientCount } from './clients.ts'
import { loanConditions } from './partners.ts'
import { stockedProducts } from './product.ts'
import type { InteractionRecord } from './record.ts'
import * as store from './store.ts'
import type { LifeState } from './store.ts'

const batchSize = 1_000
const buyersAtOnce = 100
const monthsBack = Math.ceil(lifeDays / 28)

/** Notes that the demo's buyers are to have lived here until now; a shop in which anybody has done anything is left alone. */
export async function beginDemoLife(tx: Tx): Promise<void> {
  if (!(await hasInteractions(tx))) store.insertLife(tx)
}

export class DemoLife {
  readonly #scene: Scene
  /** What the next ones did, made while the database kept what those before them did. */
  #ahead: { life: LifeState; deeds: InteractionRecord[] } | undefined

  constructor(seed: string) {
    const chance = new Chance(seed)
    this.#scene = sceneOf({
      chance,
      products: stockedProducts(chance),
      loanConditions: loanConditions(chance),
    })
  }

  /** Lets some more buyers have lived; returns how many deeds that were, or undefined when all have. */
  async goOn(tx: Tx): Promise<number | undefined> {
    const life = await store.lockLife(tx)
    if (!life || life.nextBuyer > clientCount) return undefined
    if (life.nextBuyer === 1) await makeRoom(tx, monthsBack)
    const deeds = await this.#deedsOf(life)
    const nextBuyer = endOf(life)
    await Promise.all([keep(tx, deeds), this.#liveAhead({ ...life, nextBuyer })])
    store.saveLife(tx, nextBuyer)
    if (nextBuyer > clientCount) await countPopularity(tx)
    return deeds.length
  }

  async #deedsOf(life: LifeState): Promise<InteractionRecord[]> {
    if (!this.#ahead || !isSame(this.#ahead.life, life)) await this.#liveAhead(life)
    return this.#ahead!.deeds
  }

  async #liveAhead(life: LifeState): Promise<void> {
    const deeds: InteractionRecord[] = []
    const some = { from: life.nextBuyer, to: endOf(life) - 1 }
    for (const lived of demoBehaviour(this.#scene, life.endsAt, some)) {
      deeds.push(...lived)
      await nextTurn()
    }
    this.#ahead = { life, deeds }
  }
}

/** The first buyer who is not among the next. */
const endOf = ({ nextBuyer }: LifeState): number => Math.min(clientCount + 1, nextBuyer + buyersAtOnce)

const isSame = (a: LifeState, b: LifeState): boolean =>
  a.nextBuyer === b.nextBuyer && a.endsAt.getTime() === b.endsAt.getTime()

async function keep(tx: Tx, deeds: readonly InteractionRecord[]): Promise<void> {
  for (let begin = 0; begin < deeds.length; begin += batchSize)
    await interactionRecords.load(tx, deeds.slice(begin, begin + batchSize))
}

/** Notes that the past is there and has been learnt from. */
export const endDemoLife = async (tx: Tx): Promise<void> => store.endLife(tx)
