import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.ts'
import { createEvaluator, paddedRows } from './apply-kernel.ts'
import { splitTable, type FeatureColumns, type TreeModel } from './model.ts'
import { quantiseRows } from './quantise.ts'

/** A model of random trees of many depths, with borders, one-hot values and several dimensions. */
function randomModel(seed: number, dimension: number, depths: number[]): TreeModel {
  const random = seededRandom(seed)
  const floats = [1, 40, 255, 300].map((count, feature) => ({
    name: '',
    flatIndex: feature,
    borders: Float32Array.from({ length: count }, random).toSorted(),
    nans: feature % 2 === 0 ? ('below' as const) : ('above' as const),
    hasNans: true,
  }))
  const categoricals = [{ name: '', flatIndex: 4, values: Int32Array.from({ length: 300 }, (_, i) => i) }]
  const leafCount = depths.reduce((sum, depth) => sum + 2 ** depth, 0)
  const splits = splitTable(floats, categoricals, [])
  return {
    floats,
    categoricals,
    ctrs: [],
    tables: [],
    splits,
    dimension,
    scale: 0.7,
    bias: Float64Array.from({ length: dimension }, random),
    forest: {
      kind: 'symmetric',
      depths: Uint8Array.from(depths),
      splits: Uint32Array.from({ length: depths.reduce((sum, depth) => sum + depth, 0) }, () =>
        Math.floor(random() * splits.columns.length),
      ),
      leafValues: Float64Array.from({ length: leafCount * dimension }, () => random() - 0.5),
      leafWeights: new Float64Array(leafCount),
    },
    info: {},
  }
}

function randomColumns(rows: number, seed: number): FeatureColumns {
  const random = seededRandom(seed)
  const value = () => (random() < 0.1 ? Number.NaN : random())
  return {
    rows,
    floats: Array.from({ length: 4 }, () => Float32Array.from({ length: rows }, value)),
    categories: [Int32Array.from({ length: rows }, () => Math.floor(random() * 400))],
  }
}

test('the SIMD kernel and the plain twin agree bit by bit', () => {
  for (const [dimension, depths] of [
    [1, [6, 6, 3, 0, 1, 8, 7, 5, 2, 4, 6]],
    [3, [6, 2, 8, 6]],
    [1, []],
  ] as const) {
    const model = randomModel(dimension, dimension, [...depths])
    const simd = createEvaluator(model)
    const plain = createEvaluator(model, 'none')
    assert.deepEqual([simd.kind, plain.kind], ['simd', 'plain'])
    for (const rows of [0, 1, 15, 16, 17, 333, 2500]) {
      const columns = randomColumns(rows, rows)
      assert.deepEqual(simd.values(columns), plain.values(columns))
      assert.deepEqual(simd.quantise(columns), quantiseRows(model, columns, paddedRows(rows)))
    }
  }
})

test('trees deeper than the kernel goes are answered by the plain twin', () => {
  const model = randomModel(9, 1, [9, 2])
  const evaluator = createEvaluator(model)
  assert.equal(evaluator.kind, 'plain')
  assert.ok(evaluator.values(randomColumns(5, 1)).every((value) => Number.isFinite(value)))
})

test('one row alone has the value it has among others', () => {
  const model = randomModel(4, 1, [6, 6, 6])
  const evaluator = createEvaluator(model)
  const columns = randomColumns(40, 7)
  const all = evaluator.values(columns)
  for (let row = 0; row < 40; row++) {
    const alone = {
      rows: 1,
      floats: columns.floats.map((values) => values.subarray(row, row + 1)),
      categories: columns.categories.map((values) => values.subarray(row, row + 1)),
    }
    assert.equal(evaluator.values(alone)[0], all[row])
  }
})
