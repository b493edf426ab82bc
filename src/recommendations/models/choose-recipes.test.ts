import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../base/clock.ts'
import { seededRandom } from '../../ml/random.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { casesBetween } from './cases.ts'
import { chooseRecipes } from './choose-recipes.ts'
import { historiesOf } from './histories.ts'
import { itemsOf } from './items.ts'
import { fitSources, startRecipes, trainingRowsOf } from './sources.ts'

const until = new Date('2026-06-01T00:00:00Z')
const today = until.getTime() / dayMs
const products = Array.from({ length: 60 }, (_, at) => ({
  productId: at + 1,
  categoryId: 1 + (at % 3),
  departmentId: 1,
  brandId: at % 2,
  priceTiyin: 1_000,
  words: `product ${at}`,
}))

/** Buyers who go on from each product to a neighbour of it. */
function openBuyers() {
  const random = seededRandom(7)
  return historiesOf(
    Array.from({ length: 300 }, () => {
      const from = Math.floor(random() * 60)
      return Array.from({ length: 12 }, (_, at): ItemInteraction => ({
        item: (from + Math.floor(random() * 6)) % 60,
        kind: 'view',
        day: today - 24 + 2 * at,
      }))
    }),
  )
}

interface SearchOptions {
  everyNth?: number
  until?: number
  /** By how much a reading moves the clock; one by default. */
  stepOf?: () => number
}

const search = ({ everyNth = 1, until: end = 400, stepOf = () => 1 }: SearchOptions) => {
  const buyers = openBuyers()
  const rows = trainingRowsOf(buyers.before(today - 7), products, { seed: 1, threads: 1 })
  const cases = casesBetween(
    { items: itemsOf(products), buyers, places: Array.from({ length: buyers.length }, () => null) },
    { from: today - 7, to: today, most: 500 },
  )
  let seconds = 0
  const trials: string[] = []
  const chosen = chooseRecipes(cases, startRecipes(products.length), {
    rows,
    items: products.length,
    everyNth,
    repeats: 'allowed',
    elapsed: () => (seconds += stepOf()),
    until: () => end,
    longestFitSeconds: Infinity,
    report: () => {},
    onTrial: ({ source }) => void trials.push(source!),
  })
  return { chosen, rows, trials, readings: () => seconds }
}

test('the first model can use what the search has fitted: it is what a fit of the chosen recipes gives', async () => {
  const { chosen, rows } = search({})
  const { recipes, fitted } = await chosen
  const names = Object.keys(fitted) as (keyof typeof fitted)[]
  ok(names.includes('regression') && names.includes('walk'), names.join())
  const again = await fitSources(rows, recipes)
  for (const name of names) {
    deepEqual(fitted[name]!.tables, again[name]!.tables, name)
    ok(fitted[name]!.seconds > 0)
  }
  let fits = 0
  const known = await fitSources(rows, recipes, { fitted, timed: (_, fit) => (fits++, fit()) })
  equal(fits, Object.keys(recipes).length - names.length)
  deepEqual(known, again)
})

test('what was fitted on a part of the buyers serves no model', async () => {
  const { recipes, fitted } = await search({ everyNth: 2 }).chosen
  ok('rules' in recipes)
  deepEqual(fitted, {})
})

test('every source is tried once before one of them is tried again', async () => {
  const { chosen, trials } = search({})
  await chosen
  const sources = [...new Set(trials)]
  ok(sources.length >= 5, sources.join())
  // Rules and sessions have two kinds of rows.
  const firsts = trials.slice(0, sources.length + 2)
  deepEqual([...new Set(firsts)], sources)
})

test('a search with time for all moves ends where one without a limit does', async () => {
  const endless = search({ until: Infinity })
  const { recipes } = await endless.chosen
  const limited = search({ until: Math.round(1.3 * endless.readings()) })
  deepEqual((await limited.chosen).recipes, recipes)
  equal(limited.trials.length, endless.trials.length)
})

test('where the time suffices for all moves, how long each trial took decides nothing', async () => {
  const endless = search({ until: Infinity })
  const { recipes } = await endless.chosen
  const random = seededRandom(2)
  // One on the mean.
  const stepOf = () => 0.2 + 4 * random() ** 4
  const limited = search({ until: 1.3 * endless.readings(), stepOf })
  deepEqual((await limited.chosen).recipes, recipes)
  equal(limited.trials.length, endless.trials.length)
})

test('a search that ends by its time has tried every source', async () => {
  const endless = search({ until: Infinity })
  await endless.chosen
  const limited = search({ until: Math.round(0.5 * endless.readings()) })
  const { recipes } = await limited.chosen
  ok('regression' in recipes && 'factors' in recipes)
  ok(limited.trials.length < endless.trials.length)
})

test('after the first trials every source but the best is tried beside that one, unless tables are not kept', async () => {
  // Six sources are tried once, and the three that the shop has with the parameters of their families too.
  const triedNext = async (everyNth: number) => {
    const { chosen, trials } = search({ everyNth })
    await chosen
    return new Set(trials.slice(6 + 3, 6 + 3 + 5))
  }
  equal((await triedNext(1)).size, 5)
  equal((await triedNext(2)).size, 1)
})
