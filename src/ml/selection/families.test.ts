// Every family passes the contract of retrievers, also after its tables were saved and loaded.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkerboard,
  type Subject,
  testExplainerContract,
  testRetrieverContract,
} from '../retrieval/contract.ts'
import { listFor, newScoreBoard } from '../retrieval/score-board.ts'
import { seededRandom } from '../random.ts'
import { families, type Family, graphOf, type Params, searchable, type Tables } from './families.ts'
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

/** As a file keeps them: bytes. */
const saved = (tables: Tables): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, values]) => {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice()
      const kind = values.constructor as new (buffer: ArrayBuffer) => Tables[string]
      return [name, new kind(bytes.buffer)]
    }),
  )

const fittedTables = (family: Family, ...[sequences, items, how]: Parameters<Subject['fit']>) =>
  family.fit(newTrainingSet(sequences, items, { ...how, alike: alikeOf(items) }), paramsOf(family))

for (const family of families) {
  const subject = {
    name: `family ${family.kind}`,
    finds: finds[family.kind] ?? ('diagonal' as const),
    fit: async (...[sequences, items, how]: Parameters<Subject['fit']>) =>
      family.load(saved(await fittedTables(family, sequences, items, how)), paramsOf(family), items),
    explain: async (...[sequences, items, how]: Parameters<Subject['fit']>) =>
      family.explain(saved(await fittedTables(family, sequences, items, how)), paramsOf(family), items),
  }
  testRetrieverContract(subject)
  testExplainerContract(subject)

  test(`family ${family.kind}: saved and loaded it gives the same lists and the same reasons`, async () => {
    const items = 40
    const sequences = checkerboard(items)
    const tables = await fittedTables(family, sequences, items, { seed: 1, threads: 1 })
    const [before, after] = [tables, saved(tables)].map((it) => {
      const retriever = family.load(it, paramsOf(family), items)
      const explain = family.explain(it, paramsOf(family), items)
      return sequences.map((history) => {
        const list = listFor(retriever, history, { board: newScoreBoard(items), k: 10 })
        return { list, reasons: Array.from(list.ids, (item) => explain(history, item)) }
      })
    })
    assert.deepEqual(after, before)
    assert.ok(before!.some((it) => it.reasons.flat().length > 0))
  })
}

test('an order that means nothing is not searched', () => {
  const axesOf = (given: Parameters<typeof searchable>[1]) =>
    new Set(families.flatMap((family) => Object.keys(searchable(family, given).axes)))
  const named = (given: Parameters<typeof searchable>[1]) =>
    ['halfLife', 'fade'].filter((axis) => axesOf(given).has(axis))
  assert.deepEqual(named({ rows: 'oldest_first', order: 'time' }), ['halfLife', 'fade'])
  assert.deepEqual(named({ rows: 'oldest_first', order: 'none' }), ['halfLife'])
  assert.deepEqual(named({ rows: 'unordered', order: 'time' }), ['fade'])
  assert.deepEqual(named({ rows: 'unordered', order: 'none' }), [])
})

test('unordered rows and histories give the same lists in any order', async () => {
  const random = seededRandom(3)
  const rows = Array.from({ length: 200 }, (_, row) =>
    Array.from(new Set(Array.from({ length: 6 }, () => (row % 4) * 10 + Math.floor(random() ** 2 * 20)))),
  )
  const unordered = families.filter(({ suits }) => suits({ items: 50, order: 'none', repeats: 'excluded' }))
  for (const family of unordered) {
    const { axes } = searchable(family, { rows: 'unordered', order: 'none' })
    // Also where an axis begins and ends.
    const givenAt = (place: number) =>
      Object.fromEntries(Object.entries(axes).map(([name, values]) => [name, values.at(place)!]))
    for (const params of [family.start, ...[0, -1].map((at) => ({ ...family.start, ...givenAt(at) }))]) {
      const listsOf = async (sequences: number[][], inOrder: (row: number[]) => number[]) => {
        const trainingSet = newTrainingSet(sequences, 50, { seed: 1, threads: 1, alike: undefined })
        const retriever = family.load(await family.fit(trainingSet, params), params, 50)
        return rows
          .slice(0, 20)
          .map((row) => [...listFor(retriever, inOrder(row), { board: newScoreBoard(50), k: 5 }).ids])
      }
      const reversed = await listsOf(rows.toReversed(), (row) => row.toReversed())
      assert.deepEqual(reversed, await listsOf(rows, (row) => row), family.kind)
    }
  }
  assert.ok(unordered.length >= 4)
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

test('a cheap axis of a family needs no new fit', async () => {
  const sequences = checkerboard(20)
  for (const family of families) {
    const trainingSet = newTrainingSet(sequences, 20, { seed: 1, threads: 1, alike: alikeOf(20) })
    await family.fit(trainingSet, family.start)
    const fitted: string[] = []
    const part: typeof trainingSet.part = (key, make) =>
      trainingSet.part(key, () => {
        fitted.push(key)
        return make()
      })
    for (const axis of family.cheapAxes)
      for (const value of family.axes[axis] ?? [])
        await family.fit({ ...trainingSet, part }, { ...family.start, [axis]: value })
    assert.deepEqual(fitted, [], family.kind)
  }
})
