import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../ml/random.ts'
import { nextBound, Postings } from './postings.ts'

test('short and long lists equal sorted sets after values are added, removed and swept', () => {
  const random = seededRandom(6)
  const postings = new Postings()
  const plain = Array.from({ length: 40 }, () => new Set<number>())
  for (let step = 0; step < 120_000; step++) {
    // The first lists grow far beyond a block.
    const list = Math.floor(plain.length * random() ** 6)
    const values = plain[list]!
    const value = Math.floor(random() * 0xffff_ffff)
    const [first] = values
    if (random() < 0.1 && first !== undefined) {
      postings.remove(list, first)
      values.delete(first)
    } else if (!values.has(value)) {
      postings.add(list, value)
      values.add(value)
    }
    if (step % 40_000 === 39_999) {
      postings.sweep(0, () => true)
      plain[0]!.clear()
      postings.sweep(1, (it) => it % 2 === 0)
      for (const it of plain[1]!) if (it % 2 === 0) plain[1]!.delete(it)
    }
  }
  for (const [list, values] of plain.entries())
    deepEqual(postings.view(list), Uint32Array.from(values).sort())
})

test('the next value is found from any place before it', () => {
  const random = seededRandom(6)
  for (let turn = 0; turn < 300; turn++) {
    let last = 0
    const values = Uint32Array.from(
      { length: Math.floor(random() * 300) },
      () => (last += 1 + Math.floor(random() * 9)),
    )
    const wanted = Math.floor(random() * (last + 20))
    const found = values.findIndex((it) => it >= wanted)
    const expected = found < 0 ? values.length : found
    equal(nextBound(values, wanted, Math.floor(random() * (expected + 1))), expected)
  }
})
