import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { assortments } from './assortment/index.ts'
import { demoSeed } from './demo-records.ts'
import { demoInteractions } from './interactions.ts'
import { loanConditions } from './partners.ts'
import { demoProducts } from './product.ts'
import { searchWords } from './search-words.ts'
import { searchedStock, searchesOf } from './searches.ts'
import { SeededRandom } from './seeded-random.ts'

const chance = new SeededRandom(demoSeed)
const stock = { chance, products: demoProducts(chance), loanConditions: loanConditions(chance) }
const { market, productOf } = searchedStock(stock)
const lives = [...demoInteractions(market, new Date('2026-11-15T12:00:00Z'), { from: 1, to: 200 })]
const searched = lives.flatMap((it) => searchesOf(it, { chance, productOf }))

test('a third of the interactions began with a search, and the same seed gives the same searches', () => {
  const share = searched.length / lives.flat().length
  ok(share > 0.3 && share < 0.4, String(share))
  deepEqual(
    lives.flatMap((it) => searchesOf(it, { chance, productOf })),
    searched,
  )
})

test('all interactions of a buyer with an offer on a day began with one search', () => {
  const texts = Map.groupBy(
    searched,
    ({ interaction: it }) => `${it.user_id} ${it.offer_id} ${it.at.slice(0, 10)}`,
  )
  for (const its of texts.values()) equal(new Set(its.map((it) => it.text)).size, 1)
})

test('buyers type everyday words for every product that is no book', () => {
  for (const { kinds } of assortments)
    for (const { noun, work } of kinds)
      if (!work) equal(searchWords[noun.words[0]]?.split(' | ').length, 3, noun.words[0])
})

test('only who looks for the cheapest third says cheap', () => {
  const cheap = searched.filter(({ text }) => /(недорого|arzon|cheap)$/.test(text))
  ok(cheap.length > 20)
  ok(cheap.every(({ interaction }) => productOf.get(interaction.offer_id)!.priceBand === 0))
})
