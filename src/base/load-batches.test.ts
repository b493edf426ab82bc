import { deepEqual, rejects } from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { LoadBatches } from './load-batches.ts'
import type { Reader } from './transaction.ts'

const read = {} as Reader

/** A loader that records which keys it loaded; keys from 100 on have no value. */
function opened() {
  const loads: number[][] = []
  const batches = new LoadBatches()
  const load = async (_read: Reader, keys: number[]) => {
    loads.push(keys)
    return new Map(keys.filter((it) => it < 100).map((it) => [it, `value ${it}`]))
  }
  return { loads, get: (...keys: number[]) => batches.load(read, load, keys) }
}

test('keys of one turn are loaded together, and each caller gets its own', async () => {
  const { loads, get } = opened()
  const [one, other] = await Promise.all([get(1, 2), get(2, 100)])
  deepEqual(loads, [[1, 2, 100]])
  deepEqual(
    [...one],
    [
      [1, 'value 1'],
      [2, 'value 2'],
    ],
  )
  deepEqual([...other], [[2, 'value 2']])
})

test('keys of a later turn are loaded again: they may have changed', async () => {
  const { loads, get } = opened()
  const first = get(1)
  await nextTurn()
  await Promise.all([first, get(1)])
  deepEqual(loads, [[1], [1]])
})

test('a full batch is followed by another', async () => {
  const { loads, get } = opened()
  const many = Array.from({ length: 256 }, (_, at) => at)
  await Promise.all([get(...many), get(7)])
  deepEqual(loads, [many, [7]])
})

test('every caller of a batch learns of its failure', async () => {
  const batches = new LoadBatches()
  const load = async (): Promise<Map<number, string>> => {
    throw new Error('no database')
  }
  const calls = [batches.load(read, load, [1]), batches.load(read, load, [2])]
  await Promise.all(calls.map((it) => rejects(it, /no database/)))
})
