import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_HISTORY } from '../ml/retrieval/neighbours.ts'
import { RowWriter } from '../ml/retrieval/sparse.ts'
import { Slate } from './slate.ts'

const writer = new RowWriter()
writer.add([1, 2, 5], [4, 2, 1])
writer.add([2, 3], [1, 3])
const graph = writer.matrix(6)

/** Two sources: what the first two items say, and what is said of one more. */
function told(slate: Slate): void {
  slate.add(1, 5, 2)
  slate.addNeighbours(0, graph, [0, 1], ALL_HISTORY)
}
const blended = (slate: Slate, takes = (_item: number) => true) => {
  for (const source of [0, 1]) slate.addToBlend(source, 1 / slate.topOf(source))
  const { ids, scores } = slate.best(3, takes)
  return { ids: [...ids], scores: [...scores] }
}

test('what sources say of an item stands in one slot, and the blend chooses by all of it', () => {
  const slate = new Slate(6, 2)
  told(slate)
  deepEqual([slate.topOf(0), slate.topOf(1)], [4, 2])
  deepEqual(blended(slate), { ids: [5, 1, 2], scores: [1.25, 1, 0.75] })
  deepEqual([...slate.sharesOf(0, Int32Array.of(1, 2, 5), 4)], [1, 0.75, 0.25])
})

test('what is left out is not chosen, and no source is measured by it', () => {
  const slate = new Slate(6, 2)
  told(slate)
  slate.leaveOut([1, 4])
  equal(slate.topOf(0), 3)
  deepEqual(blended(slate).ids, [5, 2, 3])
})

test('a slate that was cleared knows nothing, also after somebody failed in the middle', () => {
  const slate = new Slate(6, 2)
  told(slate)
  const first = blended(slate)
  slate.clear()
  told(slate)
  slate.leaveOut([5])
  throws(() =>
    blended(slate, () => {
      throw new Error('no seller')
    }),
  )
  slate.clear()
  deepEqual(slate.best(3, () => true).ids.length, 0)
  told(slate)
  deepEqual(blended(slate), first)
})
