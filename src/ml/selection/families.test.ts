// Every family passes the contract of retrievers, also after its tables were saved and loaded.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkerboard, testRetrieverContract } from '../retrieval/contract.ts'
import { listFor, newScoreBoard } from '../retrieval/score-board.ts'
import { families, type Family, graphOf, type Params, type Tables } from './families.ts'
import { newTrainingSet } from './training-set.ts'

/** The board of the contract is small: these find its diagonal. */
const params: Record<string, Params> = {
  ease: { lambda: 2, fade: 0 },
  ridge: { lambda: 2, support: 30, damping: 0 },
  rules: { itself: 0, fade: 0.1, backward: 0.5 },
  sessions: { neighbours: 20, fade: 0.1, last: 20, distanceFade: 0.05, backward: 0.9 },
  walk: { fromPower: 1, rowPower: 1 },
  ials: { factors: 16, regularisation: 0.003 },
}
const finds: Record<string, 'history' | 'anything'> = {
  again: 'history',
  popular: 'anything',
  alike: 'anything',
}
const paramsOf = ({ kind, start }: Family): Params => ({ ...start, ...params[kind] })

/** Items of one parity share an attribute. */
const alikeOf = (items: number): Int32Array[] =>
  [0, 1].map((parity) =>
    Int32Array.from({ length: items }, (_, item) => item).filter((it) => it % 2 === parity),
  )

const saved = (tables: Tables): Tables =>
  Object.fromEntries(Object.entries(tables).map(([name, values]) => [name, structuredClone(values)]))

for (const family of families)
  testRetrieverContract({
    name: `family ${family.kind}`,
    finds: finds[family.kind] ?? 'diagonal',
    fit: async (sequences, items, { seed, threads }) => {
      const trainingSet = newTrainingSet(sequences, items, { seed, threads, alike: alikeOf(items) })
      return family.load(saved(await family.fit(trainingSet, paramsOf(family))), paramsOf(family), items)
    },
  })

test('a family says what it learnt: neighbours are readable as a graph, other tables are not', async () => {
  const sequences = checkerboard(20)
  for (const family of families) {
    const trainingSet = newTrainingSet(sequences, 20, { seed: 1, threads: 1, alike: alikeOf(20) })
    const graph = graphOf(await family.fit(trainingSet, paramsOf(family)), 20)
    assert.equal(
      graph !== undefined,
      !['sessions', 'ials', 'again', 'popular'].includes(family.kind),
      family.kind,
    )
    if (graph) assert.equal(graph.rows, 20)
  }
})

test('a buyer whom no family has seen is folded in', async () => {
  const sequences = checkerboard(20)
  const history = Int32Array.of(0, 2, 4)
  for (const family of families) {
    const trainingSet = newTrainingSet(sequences, 20, { seed: 1, threads: 1, alike: alikeOf(20) })
    const retriever = family.load(await family.fit(trainingSet, paramsOf(family)), paramsOf(family), 20)
    assert.ok(listFor(retriever, history, { board: newScoreBoard(20), k: 20 }).ids.length > 0, family.kind)
  }
})
