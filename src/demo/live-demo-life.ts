import type { Tx } from '../base/db.ts'
import { countPopularity, hasInteractions, interactionRecords, makeRoom } from '../recommendations/index.ts'
import { demoBehaviour, lifeDays } from './behaviour.ts'
import { Chance } from './chance.ts'
import { loanConditions } from './partners.ts'
import { stockedProducts } from './product.ts'

const batchSize = 1_000
const monthsBack = Math.ceil(lifeDays / 28)

/**
 * Lets the demo's buyers have lived in the shop for three months until now, and returns how many deeds that were. A shop
 * in which anybody has done anything has a life of its own: it is left alone.
 */
export async function liveDemoLife(tx: Tx, seed: string): Promise<number> {
  if (await hasInteractions(tx)) return 0
  await makeRoom(tx, monthsBack)
  const chance = new Chance(seed)
  const stock = { chance, products: stockedProducts(chance), loanConditions: loanConditions(chance) }
  let count = 0
  let batch: object[] = []
  const flush = async () => {
    await interactionRecords.load(tx, batch)
    count += batch.length
    batch = []
  }
  for (const deeds of demoBehaviour(stock, tx.now)) {
    batch.push(...deeds)
    if (batch.length >= batchSize) await flush()
  }
  await flush()
  await countPopularity(tx)
  return count
}
