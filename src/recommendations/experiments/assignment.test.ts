import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { assignedGroup, namedGroup, hashShare } from './assignment.ts'
import { type Group, groupFaults } from './experiment.ts'

const group = (name: string, share: number): Group => ({
  name,
  share,
  method: null,
  modelId: null,
  explorationShare: null,
})
const half = { slug: 'half', groups: [group('a', 0.5), group('b', 0.5)] }
const buyers = Array.from({ length: 20_000 }, (_, at) => `buyer-${at}`)
const countOf = (experiment: typeof half, name: string | undefined) =>
  buyers.filter((it) => assignedGroup(experiment, it)?.name === name).length

test('a buyer always has the same group', () => {
  for (const buyer of buyers.slice(0, 100))
    equal(assignedGroup(half, buyer), assignedGroup({ ...half }, buyer))
  // Fixed expectations: another assignment function would move buyers of running experiments.
  deepEqual(
    ['1', '2', '3', '4', '5', '6'].map((it) => assignedGroup(half, it)!.name),
    ['1', '2', '3', '4', '5', '6'].map((it) => (hashShare('half', it) < 0.5 ? 'a' : 'b')),
  )
})

test('groups get their shares of buyers, and the rest takes no part', () => {
  const odd = { slug: 'odd', groups: [group('a', 0.1), group('b', 0.3), group('never', 0)] }
  for (const [name, share] of [
    ['a', 0.1],
    ['b', 0.3],
    ['never', 0],
    [undefined, 0.6],
  ] as const)
    ok(Math.abs(countOf(odd, name) / buyers.length - share) < 0.012, `${name}`)
})

test('groups of one experiment are independent of those of another', () => {
  const other = { ...half, slug: 'other' }
  const both = buyers.filter(
    (it) => assignedGroup(half, it)!.name === 'a' && assignedGroup(other, it)!.name === 'a',
  )
  ok(Math.abs(both.length / buyers.length - 0.25) < 0.012, String(both.length))
})

test('a caller may name a group with its experiment or without', () => {
  equal(namedGroup(half, 'b')?.name, 'b')
  equal(namedGroup(half, 'half:b')?.name, 'b')
  equal(namedGroup(half, 'other:b'), undefined)
})

test('repeated names and shares above 100 % are faults', () => {
  deepEqual(groupFaults([group('a', 0.3), group('b', 0.7)]), [])
  deepEqual(groupFaults([group('a', 0.6), group('a', 0.6)]), [
    { path: 'groups.1.name', rule: 'unique' },
    { path: 'groups', rule: 'shares_within_one' },
  ])
})

test('a named group is found in any letter case', () => {
  const upper = { slug: 'Half', groups: [group('A', 0.5), group('b', 0.5)] }
  deepEqual(
    ['a', 'A', 'half:a', 'HALF:B', 'c'].map((it) => namedGroup(upper, it)?.name),
    ['A', 'A', 'A', 'b', undefined],
  )
  deepEqual(
    groupFaults([group('a', 0.5), group('A', 0.5)]).map((it) => it.rule),
    ['unique'],
  )
})
