// The past of a demo shop is loaded some buyers at a time, and each time it is noted how far it has come: whoever is
// stopped in the middle goes on from there, and ends with the same past.

import type { Tx } from '../base/db.ts'
import { countPopularity, hasInteractions, interactionRecords, makeRoom } from '../recommendations/index.ts'
import { demoBehaviour, lifeDays } from './behaviour.ts'
import { Chance } from './chance.ts'
import { clientCount } from './clients.ts'
import { loanConditions } from './partners.ts'
import { stockedProducts } from './product.ts'
import * as store from './store.ts'

const batchSize = 1_000
const buyersAtOnce = 100
const monthsBack = Math.ceil(lifeDays / 28)

/** Notes that the demo's buyers are to have lived here until now; a shop in which anybody has done anything is left alone. */
export async function beginDemoLife(tx: Tx): Promise<void> {
  if (!(await hasInteractions(tx))) store.insertLife(tx)
}

export class DemoLife {
  readonly #stock

  constructor(seed: string) {
    const chance = new Chance(seed)
    this.#stock = { chance, products: stockedProducts(chance), loanConditions: loanConditions(chance) }
  }

  /** Lets some more buyers have lived; returns how many deeds that were, or undefined when all have. */
  async goOn(tx: Tx): Promise<number | undefined> {
    const life = await store.lockLife(tx)
    if (!life || life.nextBuyer > clientCount) return undefined
    if (life.nextBuyer === 1) await makeRoom(tx, monthsBack)
    const end = Math.min(clientCount + 1, life.nextBuyer + buyersAtOnce)
    const deeds = [...demoBehaviour(this.#stock, life.endsAt, { from: life.nextBuyer, to: end - 1 })].flat()
    for (let begin = 0; begin < deeds.length; begin += batchSize)
      await interactionRecords.load(tx, deeds.slice(begin, begin + batchSize))
    store.saveLife(tx, end)
    if (end > clientCount) await countPopularity(tx)
    return deeds.length
  }
}

/** Notes that the past is there and has been learnt from. */
export const endDemoLife = async (tx: Tx): Promise<void> => store.endLife(tx)
