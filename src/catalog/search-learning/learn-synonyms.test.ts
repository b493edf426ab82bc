import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchOutcome } from './learn.ts'
import { learnSynonyms, synonymLines } from './learn-synonyms.ts'

const outcome = (query: string, productId: number, weight = 30): SearchOutcome => ({
  query,
  day: '2026-11-01',
  productId,
  categoryId: 1,
  brandId: null,
  weight,
})

const results: Record<string, number[]> = { монитор: [1, 2, 3], 'монитор lg': [3], телефон: [9] }
const find = async (query: string) => results[query] ?? []

const chosen = [
  outcome('экранчик', 1),
  outcome('экранчик', 2),
  outcome('монитор', 1),
  outcome('монитор', 2),
  outcome('монитор', 3),
  outcome('монитор lg', 3),
  outcome('телефон', 9),
]

test('a query that does not find what its buyers chose means the one that does', async () => {
  const [learned, ...others] = await learnSynonyms(chosen, find)
  deepEqual([learned!.query, learned!.meant, learned!.weight, others.length], ['экранчик', 'монитор', 60, 0])
})

test('nothing is learned from few interactions, of a query that finds its products, or with no alike query', async () => {
  const few = chosen.map((it) => ({ ...it, weight: 5 }))
  deepEqual(await learnSynonyms(few, find), [])
  deepEqual(await learnSynonyms(chosen.slice(2), find), [])
  deepEqual(await learnSynonyms([outcome('экранчик', 7), ...chosen.slice(2)], find), [])
})

test('numbers and marks of the dictionary are no forms', async () => {
  const typed = (query: string) => [outcome(query, 1), outcome(query, 2), ...chosen.slice(2)]
  for (const query of ['экран 27', 'экран, большой', 'экран > монитор', 'один два три четыре пять'])
    deepEqual(await learnSynonyms(typed(query), find), [], query)
})

test('the shop’s own lines win over learned ones', () => {
  const learned = [{ query: 'экранчик', meant: 'монитор', similarity: 1, weight: 60 }]
  deepEqual(synonymLines(learned), [{ kind: 'narrower', form: 'экранчик', narrower: ['монитор'] }])
  equal(synonymLines(learned, [{ kind: 'same', forms: ['экранчик', 'телевизор'] }]).length, 0)
})
