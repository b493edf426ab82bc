import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { SortedValues } from './sorted-values.ts'

/** The same numbers on every run. */
function* numbers() {
  for (let state = 7; ;) yield (state = (state * 48_271) % 2_147_483_647)
}

test('counts of ranges are right while values change', () => {
  const random = numbers()
  const below = (most: number) => random.next().value! % most
  const value = () => (below(9) === 0 ? Number.NaN : below(200))
  const values = Float64Array.from({ length: 3_000 }, value)
  const sorted = new SortedValues(values)
  for (let turn = 0; turn < 6_000; turn++) {
    const at = below(values.length)
    const next = value()
    sorted.replace(values[at]!, next)
    values[at] = next
    if (turn % 50 > 0) continue
    const [min, max] = [below(220) - 10, below(220) - 10]
    equal(sorted.count(min, max), values.filter((it) => it >= min && it <= max).length, `${min} to ${max}`)
  }
  equal(sorted.count(-Infinity, Infinity), values.filter((it) => !Number.isNaN(it)).length)
})
