import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { groupOf, namedGroup, placeOf } from './assign.ts'
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
  buyers.filter((it) => groupOf(experiment, it)?.name === name).length

test('a buyer has one group, whoever asks and whenever', () => {
  for (const buyer of buyers.slice(0, 100)) equal(groupOf(half, buyer), groupOf({ ...half }, buyer))
  // Written down once: another way of drawing would move buyers of experiments that run.
  deepEqual(
    ['1', '2', '3', '4', '5', '6'].map((it) => groupOf(half, it)!.name),
    ['1', '2', '3', '4', '5', '6'].map((it) => (placeOf('half', it) < 0.5 ? 'a' : 'b')),
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

test('what a buyer draws in one experiment says nothing of another', () => {
  const other = { ...half, slug: 'other' }
  const both = buyers.filter((it) => groupOf(half, it)!.name === 'a' && groupOf(other, it)!.name === 'a')
  ok(Math.abs(both.length / buyers.length - 0.25) < 0.012, String(both.length))
})

test('a caller may name a group with its experiment or without', () => {
  equal(namedGroup(half, 'b')?.name, 'b')
  equal(namedGroup(half, 'half:b')?.name, 'b')
  equal(namedGroup(half, 'other:b'), undefined)
})

test('names that repeat and shares above the whole are faults', () => {
  deepEqual(groupFaults([group('a', 0.3), group('b', 0.7)]), [])
  deepEqual(groupFaults([group('a', 0.6), group('a', 0.6)]), [
    { path: 'groups.1.name', rule: 'unique' },
    { path: 'groups', rule: 'shares_within_one' },
  ])
})
