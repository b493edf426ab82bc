// What a training learns of the same dates a year ago, from the stored interactions to the list of a new buyer.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups } from '../../../test/support/behaviour.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { dayMs } from '../../base/clock.ts'
import { interactionRecords } from '../index.ts'
import { profileOf } from '../serving/buyer-profile.ts'
import { prepareModel } from './active-model.ts'
import type { Snapshot } from './fit-parts.ts'
import { fitModel } from './fit-model.ts'
import type { Model } from './model.ts'
import { modelFileBytes, parseModelFile } from './model-file.ts'
import { readSnapshot } from './read-snapshot.ts'
import { daysAfter, daysBefore, yearDays } from './seasonal-demand.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockTwoGroups(await openStock(shop))
await addGroupInteractions(db)
const now = db.clock.now()
const withoutLastYear = await readSnapshot(db, now)

/** A view of a random product of category 1 by every buyer on every day, and in the coming weeks three of category 2. */
async function addLastYear(): Promise<void> {
  const date = now.getTime() - yearDays * dayMs
  const view = (buyer: string, offer: number, day: number) => ({
    user_id: buyer,
    offer_id: String(offer),
    kind: 'view',
    at: new Date(date + (day + 0.5) * dayMs + offer).toISOString(),
  })
  for (let day = -daysBefore; day < daysAfter; day++) {
    const records: object[] = []
    for (let buyer = 0; buyer < 40; buyer++) {
      records.push(view(`past-${buyer}`, 2 + 2 * ((buyer + day + 40) % 40), day))
      for (let more = 0; more < (day < 0 ? 1 : 3); more++)
        records.push(view(`past-${buyer}`, 1 + 2 * ((buyer + day + 40 + more) % 40), day))
    }
    await db.transaction((tx) => interactionRecords.load(tx, records))
  }
  // A program looks at one product again and again.
  const program = Array.from({ length: 900 }, (_, at) => ({
    ...view('program', 2, 3),
    at: new Date(date + 3 * dayMs + at * 60_000).toISOString(),
  }))
  await db.transaction((tx) => interactionRecords.load(tx, program))
}

const fitted = async (snapshot: Snapshot): Promise<Model> =>
  (await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })).model

/** The share of category 2 in the first places of an unknown buyer. */
function shareOfNewBuyer(model: Model): number {
  const { propose } = prepareModel(0, model)
  const profile = profileOf(model.items, [])
  const query = { layer: 'main_page', context: [], day: now.getTime() / dayMs, profile, place: null } as const
  const { items } = propose(query, { limit: 20, out: [] })
  return [...items].filter((item) => model.items.categories[item] === 2).length / items.length
}

test('a shop without interactions a year ago has no expected demand, and its file no trace of it', async () => {
  equal(withoutLastYear.lastYear, undefined)
  const { products } = withoutLastYear
  const bytes = modelFileBytes(await fitted(withoutLastYear))
  ok(!bytes.subarray(0, 20_000).includes('expected'))
  equal(parseModelFile(bytes).expected, undefined)
  // Interactions of other months, and those of one of the two windows, say nothing either.
  const firstDay = now.getTime() / dayMs - yearDays - daysBefore
  const byCategory = new Map([[products[0]!.categoryId, new Float64Array(daysBefore).fill(100)]])
  for (const lastYear of [
    { firstDay, byCategory },
    { firstDay: firstDay - 100, byCategory },
  ])
    ok(modelFileBytes(await fitted({ ...withoutLastYear, lastYear })).equals(bytes))
})

test('the list of a new buyer follows what was wanted at this time a year ago', async () => {
  await addLastYear()
  const snapshot = await readSnapshot(db, now)
  deepEqual([...snapshot.lastYear!.byCategory.keys()].toSorted(), [1, 2])
  const ofProgram = snapshot.lastYear!.byCategory.get(1)!
  ok(Math.max(...ofProgram) <= 41, 'a program counts once a day')
  const model = await fitted(snapshot)
  const factors = model.expected!.map((weight, item) => weight / model.popularity[item]!)
  model.items.categories.forEach((category, item) => {
    if (!(model.popularity[item]! > 0)) return
    ok(category === 2 ? factors[item]! > 1.3 : factors[item]! < 0.8, `${category}: ${factors[item]}`)
  })

  const before = await fitted(withoutLastYear)
  deepEqual(model.popularity, before.popularity)
  deepEqual(model.recent, before.recent)
  deepEqual(model.companions, before.companions)
  ok(shareOfNewBuyer(model) > shareOfNewBuyer(before) + 0.2)

  const bytes = modelFileBytes(model)
  deepEqual(modelFileBytes(parseModelFile(bytes)), bytes)
  deepEqual(modelFileBytes(await fitted(snapshot)), bytes)
})
