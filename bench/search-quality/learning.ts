// What learning from behaviour gains: the demo's searches of the earlier days teach, those of the last days are measured.

import { interactionWeights } from '../../src/catalog/search-learning/store.ts'
import { type SearchOutcome, splitByDays } from '../../src/catalog/search-learning/learn.ts'
import { partNames, type SearchTrial, tryParts } from '../../src/catalog/search-learning/learn-parts.ts'
import { synonymLines } from '../../src/catalog/search-learning/learn-synonyms.ts'
import { featureShares } from '../../src/catalog/search-learning/ranker.ts'
import { loggedQuery } from '../../src/catalog/search-log/search-query.ts'
import { ProductIndex } from '../../src/catalog/product-index/product-index.ts'
import { demoSeed } from '../../src/demo/index.ts'
import { demoInteractions } from '../../src/demo/interactions.ts'
import { loanConditions } from '../../src/demo/partners.ts'
import { demoProducts } from '../../src/demo/product.ts'
import { searchedStock, searchesOf } from '../../src/demo/searches.ts'
import { SeededRandom } from '../../src/demo/seeded-random.ts'
import { Synonyms } from '../../src/search/index.ts'
import type { ShopProduct } from './demo-products.ts'

/** Any day will do: the history ends there. */
const historyEnd = new Date('2026-11-15T12:00:00Z')
const shown = 50

interface History {
  outcomes: SearchOutcome[]
  /** Weight by product of the interactions before the held-out days, from searches or not. */
  popularity: Map<number, number>
}

function demoHistory(): History {
  const chance = new SeededRandom(demoSeed)
  const stock = { chance, products: demoProducts(chance), loanConditions: loanConditions(chance) }
  const { market, productOf } = searchedStock(stock)
  const lives = [...demoInteractions(market, historyEnd)]
  const outcomes = lives
    .flatMap((it) => searchesOf(it, { chance, productOf }))
    .flatMap(({ text, interaction }): SearchOutcome[] => {
      const { id, category_id: categoryId, brand_id: brandId } = productOf.get(interaction.offer_id)!.record
      const query = loggedQuery(text)
      if (query === undefined) return []
      const weight = interactionWeights[interaction.kind]
      return [{ query, day: interaction.at.slice(0, 10), productId: id, categoryId, brandId, weight }]
    })
  const [firstHeldOut] = [...new Set(splitByDays(outcomes).heldOut.map((it) => it.day))].sort()
  const popularity = new Map<number, number>()
  for (const { at, offer_id: offer, kind } of lives.flat()) {
    if (at.slice(0, 10) >= firstHeldOut!) continue
    const { id } = productOf.get(offer)!.record
    popularity.set(id, (popularity.get(id) ?? 0) + interactionWeights[kind])
  }
  return { outcomes, popularity }
}

export async function printLearning(all: readonly ShopProduct[]): Promise<void> {
  const { outcomes, popularity } = demoHistory()
  const { earlier, heldOut } = splitByDays(outcomes)
  const curated = Synonyms.curated()
  const index = new ProductIndex(curated)
  for (const { product } of all) index.put({ ...product, popularity: popularity.get(product.id) ?? 0 })
  const queryOf = (text: string, trial: SearchTrial) =>
    ({
      region: 'home',
      language: 'ru',
      text,
      limit: shown,
      filters: {},
      sort: 'relevance',
      wantsFacets: false,
      trial,
    }) as const
  const search = {
    find: async (text: string, trial: SearchTrial) => index.find(queryOf(text, trial)).ids,
    candidates: async (text: string, trial: SearchTrial) => index.candidates(queryOf(text, trial)),
    synonymsWith: (learned: Parameters<typeof synonymLines>[0]) => curated.with(synonymLines(learned)),
  }
  const daysOf = (them: readonly SearchOutcome[]) => new Set(them.map((it) => it.day)).size
  console.log(
    `${outcomes.length} choices after searches on ${daysOf(outcomes)} days; learned from the first ${daysOf(earlier)}, measured on the last ${daysOf(heldOut)}`,
  )
  console.log(
    `${new Set(earlier.map((it) => it.query)).size} queries were learned from, ${new Set(heldOut.map((it) => it.query)).size} are measured\n`,
  )

  console.log(
    'The gate, as the nightly job applies it: mean of 1 / place of what buyers chose on the held-out days',
  )
  const parts = await tryParts({ earlier, heldOut }, search)
  for (const part of partNames) {
    const { comparison: it, isWinning } = parts[part]
    console.log(
      `${part.padEnd(12)} without ${it.plain.toFixed(4)}  with ${it.learned.toFixed(4)}  weight ${it.weight}  ${isWinning ? 'used' : 'not used'}`,
    )
  }

  const none: SearchTrial = { categories: new Map(), synonyms: curated, ranker: undefined }
  const { categories } = parts.predictions.trial
  const { synonyms } = parts.synonyms.trial
  const { ranker } = parts.ranker.trial
  const trials: [string, SearchTrial][] = [
    ['static', none],
    ['categories', { ...none, categories }],
    ['synonyms', { ...none, synonyms }],
    ['ranker', { ...none, ranker }],
    ['all three', { synonyms, categories, ranker }],
  ]
  console.log(
    '\nEach part alone, learned from the earlier days only (held-out days; weighted by interaction)',
  )
  await printTrials(trials, { heldOut, known: new Set(earlier.map((it) => it.query)), search })
  console.log('\nSynonyms learned from the earlier days (query > meant):')
  for (const it of parts.synonyms.learned)
    console.log(`  ${it.query} > ${it.meant}  similarity ${it.similarity.toFixed(2)}`)
  console.log('\nWhat the ranker uses:')
  for (const { name, share } of featureShares(parts.ranker.learned!.model).slice(0, 8))
    console.log(`  ${share.toFixed(3)} ${name}`)
}

type Lists = Map<string, readonly number[]>

async function printTrials(
  trials: readonly [string, SearchTrial][],
  given: {
    heldOut: readonly SearchOutcome[]
    known: ReadonlySet<string>
    search: { find(text: string, trial: SearchTrial): Promise<number[]> }
  },
): Promise<void> {
  const { heldOut, known, search } = given
  console.log(
    `${'search'.padEnd(12)} 1/place  in first 5  in first 10  known queries  new queries  days better than static`,
  )
  let plain: Lists | undefined
  for (const [name, trial] of trials) {
    const lists: Lists = new Map()
    for (const { query } of heldOut) if (!lists.has(query)) lists.set(query, await search.find(query, trial))
    plain ??= lists
    const base = plain
    const place = (of: Lists) => (it: SearchOutcome) => {
      const at = of.get(it.query)!.indexOf(it.productId)
      return at < 0 ? 0 : 1 / (at + 1)
    }
    const within = (count: number) => (it: SearchOutcome) =>
      Number(lists.get(it.query)!.slice(0, count).includes(it.productId))
    const days = [...Map.groupBy(heldOut, (it) => it.day).values()]
    const better = days.filter((its) => mean(its, place(lists)) > mean(its, place(base))).length
    const cells = [
      mean(heldOut, place(lists)).toFixed(4),
      mean(heldOut, within(5)).toFixed(4),
      mean(heldOut, within(10)).toFixed(4),
      mean(
        heldOut.filter((it) => known.has(it.query)),
        place(lists),
      ).toFixed(4),
      mean(
        heldOut.filter((it) => !known.has(it.query)),
        place(lists),
      ).toFixed(4),
      lists === base ? '' : `${better} of ${days.length}`,
    ]
    console.log(
      `${name.padEnd(12)} ${cells[0]!.padEnd(8)} ${cells[1]!.padEnd(11)} ${cells[2]!.padEnd(12)} ${cells[3]!.padEnd(14)} ${cells[4]!.padEnd(12)} ${cells[5]!}`,
    )
  }
}

function mean(its: readonly SearchOutcome[], value: (it: SearchOutcome) => number): number {
  const weight = its.reduce((sum, it) => sum + it.weight, 0)
  return its.reduce((sum, it) => sum + it.weight * value(it), 0) / Math.max(1, weight)
}
