import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auc } from '../metrics.ts'
import { seededRandom } from '../random.ts'
import { factorMachines } from './factor-machine.ts'
import { choosePartner, trainedPartner } from './partner.ts'

/** Rows whose class is decided by whether two categories are of one kind, never by one of them. */
function pairs(rows: number, seed: number) {
  const random = seededRandom(seed)
  const draw = () => Int32Array.from({ length: rows }, () => Math.floor(random() * 20))
  const [left, right] = [draw(), draw()]
  const labels = Float64Array.from(left, (value, row) => (value % 2 === right[row]! % 2 ? 1 : 0))
  const price = Float32Array.from({ length: rows }, () => (random() < 0.1 ? Number.NaN : random()))
  return { columns: { rows, floats: [price], categories: [left, right] }, labels }
}

const train = pairs(1200, 1)
const check = pairs(400, 2)

test('machines learn what two categories decide together', () => {
  const machines = factorMachines(train, { vectorDecay: 0.002, machines: 2 })
  for (let pass = 0; pass < 15; pass++) machines.pass()
  const found = auc(machines.values(check.columns), check.labels)
  assert.ok(found > 0.95, `AUC ${found}`)
})

test('the same seed gives the same values, and unknown values are finite', () => {
  const values = [3, 3, 4].map((seed) => {
    const machines = factorMachines(train, { seed, machines: 1 })
    machines.pass()
    const columns = {
      rows: 1,
      floats: [Float32Array.of(Number.NaN)],
      categories: [Int32Array.of(99), Int32Array.of(3)],
    }
    return machines.values(columns)[0]!
  })
  assert.equal(values[0], values[1])
  assert.notEqual(values[0], values[2])
  assert.ok(values.every(Number.isFinite))
})

test('a partner gets a share where trees know nothing and none where they know all', () => {
  const sides = { train, check }
  const settings = { seed: 1, shouldContinue: () => true }
  const useful = choosePartner(sides, new Float64Array(400), settings)
  assert.ok(useful.share > 0 && useful.passes > 0)
  const certain = check.labels.map((label) => (label === 1 ? 12 : -12))
  assert.equal(choosePartner(sides, certain, settings).share, 0)
  assert.equal(choosePartner(sides, new Float64Array(400), { seed: 1, shouldContinue: () => false }).share, 0)
  assert.equal(trainedPartner(train, useful, 1).values(check.columns).length, 400)
})
