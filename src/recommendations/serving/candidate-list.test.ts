import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { allHistory } from '../../ml/retrieval/neighbours.ts'
import { RowWriter } from '../../ml/retrieval/sparse.ts'
import { CandidateList } from './candidate-list.ts'

const writer = new RowWriter()
writer.add([1, 2, 5], [4, 2, 1])
writer.add([2, 3], [1, 3])
const graph = writer.matrix(6)

/** Two sources: one scores the first two items, the other one more. */
function addScores(candidateList: CandidateList): void {
  candidateList.add(1, 5, 2)
  candidateList.addNeighbours(0, graph, [0, 1], allHistory)
}
const blended = (candidateList: CandidateList, takes = (_item: number) => true) => {
  for (const source of [0, 1]) candidateList.addToBlend(source, 1 / candidateList.topOf(source))
  const { ids, scores } = candidateList.best(3, takes)
  return { ids: [...ids], scores: [...scores] }
}

test('the scores of all sources for an item are in one slot, and the blend uses all of them', () => {
  const candidateList = new CandidateList(6, 2)
  addScores(candidateList)
  deepEqual([candidateList.topOf(0), candidateList.topOf(1)], [4, 2])
  deepEqual(blended(candidateList), { ids: [5, 1, 2], scores: [1.25, 1, 0.75] })
  const shares = candidateList.sharesOf(Int32Array.of(1, 2, 5), [4, 0])
  deepEqual(
    shares.map((it) => [...it]),
    [
      [1, 0.75, 0.25],
      [0, 0, 0],
    ],
  )
})

test('excluded items are not chosen and do not affect the scale of a source', () => {
  const candidateList = new CandidateList(6, 2)
  addScores(candidateList)
  candidateList.leaveOut([1, 4])
  equal(candidateList.topOf(0), 3)
  deepEqual(blended(candidateList).ids, [5, 2, 3])
})

test('a cleared candidate list is empty, also after an exception', () => {
  const candidateList = new CandidateList(6, 2)
  addScores(candidateList)
  const first = blended(candidateList)
  candidateList.clear()
  addScores(candidateList)
  candidateList.leaveOut([5])
  throws(() =>
    blended(candidateList, () => {
      throw new Error('no seller')
    }),
  )
  candidateList.clear()
  deepEqual(candidateList.best(3, () => true).ids.length, 0)
  addScores(candidateList)
  deepEqual(blended(candidateList), first)
})
