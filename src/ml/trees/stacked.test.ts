import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logLoss } from '../metrics.ts'
import { seededNormal, seededRandom } from '../random.ts'
import { trainAdditive, type WeighedTerm } from './additive-model.ts'
import { candidateTerms, termInput, termName } from './additive-terms.ts'
import { chooseTerms } from './choose-terms.ts'
import { stacking } from './stacked.ts'
import { memberValues, tuneMembers, type TunePlan } from './tune.ts'
import type { TrainData } from './train.ts'

const values = 40

/** Rows whose class is decided by a weight of every pair of two categories, and a weight of every third one. */
function pairTable(rows: number, seed: number): TrainData {
  const normal = seededNormal(3)
  const pairWeights = Float64Array.from({ length: values * values }, () => 2 * normal())
  const weights = Float64Array.from({ length: values }, () => 1.5 * normal())
  const random = seededRandom(seed)
  const draw = () => Int32Array.from({ length: rows }, () => Math.floor(random() * values))
  const categories = [draw(), draw(), draw()]
  const labels = Float64Array.from({ length: rows }, (_, row) => {
    const [left, right, third] = categories.map((column) => column[row]!)
    const value = pairWeights[left! * values + right!]! + weights[third!]!
    return random() < 1 / (1 + Math.exp(-value)) ? 1 : 0
  })
  return { columns: { rows, floats: [], categories }, labels }
}

const train = pairTable(6000, 1)
const check = pairTable(2000, 2)
const fresh = pairTable(3000, 4)
const lossOf = (raw: Float64Array, { labels }: TrainData) =>
  logLoss(
    raw.map((value) => 1 / (1 + Math.exp(-value))),
    labels,
  )
const endless = { seed: 1, shouldContinue: () => true }

function plan(changes: Partial<TunePlan>): TunePlan {
  return {
    data: train,
    slice: () => ({ train, check }),
    cuts: 1,
    candidates: [
      {
        kind: 'boosted',
        options: {
          loss: 'Logloss',
          iterations: 60,
          learningRate: 0.15,
          matchNewRows: true,
          modelSizeReg: 0,
          earlyStoppingRounds: 20,
        },
      },
    ],
    tolerance: 0,
    slack: 0,
    maxMembers: 2,
    partner: true,
    seconds: 1,
    now: () => 0,
    seed: 1,
    threads: 1,
    ...changes,
  }
}

test('pairs of many values: trees with an additive model win by a hundredth of log-loss', () => {
  const progress: string[] = []
  const together = memberValues(
    tuneMembers(plan({ onProgress: (text) => progress.push(text) })),
    fresh.columns,
  )
  const alone = memberValues(tuneMembers(plan({ partner: false })), fresh.columns)
  const [won, lost] = [lossOf(together, fresh), lossOf(alone, fresh)]
  assert.ok(won < lost - 0.01, `${won.toFixed(4)} with the additive model, ${lost.toFixed(4)} without`)
  assert.ok(
    progress.some((text) => /^stacked trees: .* share of the additive model/.test(text)),
    progress.join('\n'),
  )
})

test('the terms of a table are those that decide its classes, the same for the same seed', () => {
  const terms = chooseTerms(train, endless)
  const names = terms.map(({ term }) => termName(term))
  assert.deepEqual(names.slice(0, 2).toSorted(), ['value 0+1', 'value 2'])
  assert.deepEqual(chooseTerms(train, endless), terms)
  assert.deepEqual(chooseTerms(train, { seed: 1, shouldContinue: () => false }), [])
})

test('a combination that divides rows like a smaller one is no term', () => {
  const twice = { rows: 4, floats: [], categories: [Int32Array.of(1, 1, 2, 3), Int32Array.of(7, 7, 8, 9)] }
  assert.deepEqual(candidateTerms(twice).map(termName), ['value 0', 'count 0'])
})

test('terms know rare values as one, count the other rows, and place missing numbers', () => {
  const known = {
    rows: 4,
    floats: [Float32Array.of(1, 2, 3, Number.NaN)],
    categories: [Int32Array.of(5, 5, 6, 7)],
  }
  const asked = {
    rows: 3,
    floats: [Float32Array.of(0, 9, Number.NaN)],
    categories: [Int32Array.of(5, 6, 99)],
  }
  const value = termInput({ kind: 'value', features: [0] }, known)
  assert.deepEqual(
    [[...value.own], [...value.of(asked)]],
    [
      [1, 1, 0, 0],
      [1, 0, 0],
    ],
  )
  const count = termInput({ kind: 'count', features: [0] }, known)
  assert.deepEqual(
    [[...count.own], [...count.of(asked)]],
    [
      [1, 1, 0, 0],
      [2, 1, 0],
    ],
  )
  const interval = termInput({ kind: 'interval', feature: 0 }, known)
  assert.ok([...interval.own, ...interval.of(asked)].every((number) => number >= 0 && number < interval.size))
  assert.equal(interval.own[3], 0)
})

test('training rows are stacked on fits of other rows, new rows on the fit of all', () => {
  const terms: WeighedTerm[] = [{ term: { kind: 'value', features: [0, 1] }, ridge: 0.5 }]
  const { data, extended, whole } = stacking(train, terms, 1)
  const inside = lossOf(trainAdditive(train, terms).values(train.columns), train)
  const others = lossOf(Float64Array.from(data.columns.floats[0]!), train)
  const outside = lossOf(Float64Array.from(extended(check.columns).floats[0]!), check)
  assert.ok(inside < outside - 0.1, `${inside} inside, ${outside} outside`)
  assert.ok(Math.abs(others - outside) < 0.03, `${others} on training rows, ${outside} on new ones`)
  const unknown = { rows: 1, floats: [], categories: [99, 99, 99].map((value) => Int32Array.of(value)) }
  assert.ok(Number.isFinite(whole.values(unknown)[0]))
})

test('both kinds of trees are members, and all members together weigh one', () => {
  const progress: string[] = []
  const members = tuneMembers(plan({ maxMembers: 3, onProgress: (text) => progress.push(text) }))
  const kinds = progress.filter((text) => text.startsWith('member')).map((text) => text.endsWith(' stacked'))
  assert.deepEqual(kinds.slice(0, 2), [false, true])
  const sum = members.reduce((total, { factor }) => total + factor, 0)
  assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`)
})

test('trees are not stacked where there is no time', () => {
  let clock = 0
  const progress: string[] = []
  const slow = plan({ now: () => (clock += 50), onProgress: (text) => progress.push(text) })
  assert.ok(tuneMembers(slow).length > 0)
  assert.ok(!progress.some((text) => text.startsWith('stacked')), progress.join('\n'))
})
