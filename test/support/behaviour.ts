// Training data with a known pattern: two groups of buyers, each interacting with its own half of the products.

import { dayMs } from '../../src/base/clock.ts'
import type { Database, Environment } from '../../src/base/database.ts'
import { interactionRecords, trainModel } from '../../src/recommendations/index.ts'
import type { TestPlatform } from './shop.ts'
import type { openStock } from './stock.ts'
import { waitUntil } from './wait-until.ts'

export const groupSize = 40
const buyers = 120
const visits = 6

/** Offers 1 … 80, one for each product; the first forty belong to the first group. Buyers: `first-0`, `second-1`, … */
export async function stockTwoGroups(stock: Awaited<ReturnType<typeof openStock>>): Promise<void> {
  await stock.load('category', { id: 2, slug: 'cases', name: { ru: 'Чехлы', en: 'Cases' } })
  for (let id = 1; id <= 2 * groupSize; id++) {
    const name = { ru: `Вещь ${id}`, en: `Thing ${id}` }
    await stock.load('product', { id, category_id: 1 + (id % 2), slug: `thing-${id}`, name })
    await stock.offer({ id, productId: id, partnerId: 1 + (id % 2), price: 1_000 * id })
  }
}

export async function addGroupInteractions(db: Database, { days = 60 } = {}): Promise<void> {
  const records: object[] = []
  const now = db.clock.now().getTime()
  for (let buyer = 0; buyer < buyers; buyer++) {
    const group = buyer % 2
    for (let visit = 0; visit < visits; visit++) {
      const begin = now - ((days * (visit + 0.5)) / visits) * dayMs - buyer * 60_000
      for (let look = 0; look < 4; look++) {
        const thing = 1 + group * groupSize + ((buyer * 7 + visit * 11 + look * 3) % groupSize)
        const interaction = { user_id: nameOf(buyer), offer_id: String(thing) }
        const at = (later: number) => new Date(begin + (look * 60 + later) * 1_000).toISOString()
        records.push({ ...interaction, kind: 'view', at: at(0) })
        if (look === 1) records.push({ ...interaction, kind: 'cart', at: at(10) })
      }
    }
  }
  for (let begin = 0; begin < records.length; begin += 1_000)
    await db.transaction((tx) => interactionRecords.load(tx, records.slice(begin, begin + 1_000)))
}

export const nameOf = (buyer: number): string => `${buyer % 2 === 0 ? 'first' : 'second'}-${buyer}`

/** Trains a model and waits until it serves. */
export async function trainAndServe(
  { app, call, keys }: Pick<TestPlatform, 'app' | 'call' | 'keys'>,
  environment: Environment = 'test',
): Promise<number> {
  const { modelId } = await train(app.shops[environment].db)
  const asked = { key: keys[environment], body: { offer_ids: ['3'] } }
  const serving = async () => (await call('POST', '/v1/recommendations/explain', asked)).body.data.model_id
  await waitUntil(async () => (await serving()) === String(modelId))
  return modelId!
}

/** Trains in this process with one thread; the data set is small. */
export const train = (db: Database) => trainModel(db, { seed: 1, threads: 1, report: () => {} })
