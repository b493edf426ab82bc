import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { possibleParents, treeRows } from './category-tree.ts'

const category = (id: string, parent: string | null, name = id) => ({ id, parent_id: parent, name })
const rows = treeRows([
  category('3', '1'),
  category('2', null, 'b'),
  category('1', null, 'a'),
  category('4', '3'),
  category('5', '99', 'c'),
])

test('every category stands below its parent, siblings by name', () => {
  deepEqual(
    rows.map((it) => [it.category.id, it.depth]),
    [
      ['1', 0],
      ['3', 1],
      ['4', 2],
      ['2', 0],
      ['5', 0],
    ],
  )
})

test('a category cannot be moved into itself or below itself', () => {
  const parents = (id: string) => possibleParents(rows, id).map((it) => it.id)
  deepEqual(parents('1'), ['2', '5'])
  deepEqual(parents('3'), ['1', '2', '5'])
  deepEqual(parents('5'), ['1', '3', '4', '2'])
})
