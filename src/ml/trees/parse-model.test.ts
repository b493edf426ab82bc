import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from '../random.ts'
import { createEvaluator } from './apply-kernel.ts'
import { rawValues } from './apply.ts'
import { featureBorders } from './borders.ts'
import { categoryHash, cityHash64 } from './city-hash.ts'
import { featureImportance } from './importance.ts'
import type { FeatureColumns, TreeModel } from './model.ts'
import { ModelError } from './model-error.ts'
import { parseModel } from './parse-model.ts'
import { quantiseRows } from './quantise.ts'

const redHash = categoryHash('red')
const tableKey = ctrKey(redHash)
const tableName =
  '{"identifier":[{"cat_feature_index":0,"combination_element":"cat_feature_value"}],"type":"Borders"}'

/** A model by hand: a border, a one-hot value and a target statistic, one after another in one tree. */
function handMade(): Record<string, any> {
  return {
    features_info: {
      float_features: [
        {
          borders: [0.5, 1.5],
          feature_index: 0,
          flat_feature_index: 0,
          nan_value_treatment: 'AsTrue',
          has_nans: true,
        },
      ],
      categorical_features: [{ feature_index: 0, flat_feature_index: 1, values: [redHash] }],
      ctrs: [
        {
          borders: [0.5],
          ctr_type: 'Borders',
          elements: [{ cat_feature_index: 0, combination_element: 'cat_feature_value' }],
          identifier: tableName,
          prior_numerator: 0,
          prior_denomerator: 1,
          shift: 0,
          scale: 1,
          target_border_idx: 0,
        },
      ],
    },
    ctr_data: { [tableName]: { counter_denominator: 0, hash_map: [tableKey, 1, 9], hash_stride: 3 } },
    oblivious_trees: [
      {
        leaf_values: [0, 1, 2, 3, 4, 5, 6, 7],
        splits: [
          { split_type: 'FloatFeature', float_feature_index: 0, border: 1.5, split_index: 1 },
          { split_type: 'OneHotFeature', cat_feature_index: 0, value: redHash, split_index: 2 },
          { split_type: 'OnlineCtr', border: 0.5, ctr_target_border_idx: 0, split_index: 3 },
        ],
      },
    ],
    scale_and_bias: [10, [0.25]],
  }
}

function ctrKey(hash: number): string {
  const multiplier = 0x4906ba494954cb65n
  const inner = BigInt.asUintN(64, multiplier * BigInt.asUintN(64, BigInt(hash)))
  return BigInt.asUintN(64, multiplier * inner).toString()
}

function valuesOf(model: TreeModel, columns: FeatureColumns): number[] {
  const plain = rawValues(model, quantiseRows(model, columns))
  assert.deepEqual(createEvaluator(model).values(columns), plain)
  return [...plain]
}

test('borders, one-hot values and statistics each set their bit of the leaf', () => {
  const model = parseModel(JSON.stringify(handMade()))
  const columns = {
    rows: 4,
    floats: [Float32Array.of(1.5, 1.6, Number.NaN, 0)],
    categories: [Int32Array.of(redHash, redHash, 5, 5)],
  }
  assert.deepEqual(valuesOf(model, columns), [60.25, 70.25, 10.25, 0.25])
})

test('trees of any shape and of several dimensions are followed to their leaves', () => {
  const split = { split_type: 'FloatFeature', float_feature_index: 0, border: 0, split_index: 0 }
  const left = { value: [1, 2], weight: 3 }
  const right = { split, left: { value: [3, 4] }, right: { value: [5, 6] } }
  const file = {
    features_info: { float_features: [{ borders: [0], feature_index: 0, flat_feature_index: 0 }] },
    trees: [{ split, left, right }, { value: [10, 20] }],
    scale_and_bias: [1, [0, 0.5]],
  }
  const model = parseModel(JSON.stringify(file))
  const columns = { rows: 2, floats: [Float32Array.of(-1, 1)], categories: [] }
  assert.deepEqual(valuesOf(model, columns), [11, 22.5, 15, 26.5])
})

test('a feature of more than 255 borders spreads over several byte columns', () => {
  const borders = Array.from({ length: 600 }, (_, i) => i)
  const trees = [0, 254, 255, 509, 510, 599].map((at) => ({
    leaf_values: [0, 1],
    splits: [{ split_type: 'FloatFeature', float_feature_index: 0, border: at, split_index: at }],
  }))
  const features_info = { float_features: [{ borders, feature_index: 0, flat_feature_index: 0 }] }
  const model = parseModel(JSON.stringify({ features_info, oblivious_trees: trees }))
  const values = [-1, 0.5, 254.5, 255.5, 300, 510, 511, 700]
  const columns = { rows: 8, floats: [Float32Array.from(values)], categories: [] }
  assert.deepEqual(valuesOf(model, columns), [0, 1, 2, 3, 3, 4, 5, 6])
})

//     what was done to the file, the edit, what the refusal says
const broken: [string, (file: Record<string, any>) => void, RegExp][] = [
  ['no trees', (file) => delete file['oblivious_trees'], /not a CatBoost JSON model/],
  ['no features', (file) => delete file['features_info'], /features_info should be an object/],
  ['a leaf lost', (file) => file['oblivious_trees'][0].leaf_values.pop(), /may be cut/],
  ['a leaf that is text', (file) => (file['oblivious_trees'][0].leaf_values[0] = 'x'), /finite number/],
  ['a leaf past summing', (file) => (file['oblivious_trees'][0].leaf_values[0] = 1e308), /too large/],
  [
    'a weight below nothing',
    (file) => (file['oblivious_trees'][0].leaf_weights = [1, 1, 1, 1, 1, 1, 1, -1]),
    /not negative/,
  ],
  ['a bias past summing', (file) => (file['scale_and_bias'][1][0] = -1e308), /too large/],
  ['a border moved', (file) => (file['oblivious_trees'][0].splits[0].border = 1.6), /edited or mixed/],
  ['a split out of range', (file) => (file['oblivious_trees'][0].splits[0].split_index = 9), /from 0 to 3/],
  [
    'borders out of order',
    (file) => file['features_info'].float_features[0].borders.reverse(),
    /should increase/,
  ],
  ['a table lost', (file) => delete file['ctr_data'], /no table/],
  ['a table cut', (file) => file['ctr_data'][tableName].hash_map.pop(), /no multiple of its stride/],
  ['a key that is no hash', (file) => (file['ctr_data'][tableName].hash_map[0] = 'abc'), /decimal string/],
  ['an unknown statistic', (file) => (file['features_info'].ctrs[0].ctr_type = 'Median'), /one of Borders/],
  ['a bias too many', (file) => file['scale_and_bias'][1].push(1), /2 biases for 1/],
  ['text features', (file) => (file['features_info'].text_features = [{}]), /not supported/],
  [
    'an element that is missing',
    (file) => (file['features_info'].ctrs[0].elements[0].cat_feature_index = 4),
    /from 0 to 0/,
  ],
]

test('an edited file is refused with a sentence that says where', () => {
  for (const [what, edit, words] of broken) {
    const file = handMade()
    edit(file)
    assert.throws(
      () => parseModel(JSON.stringify(file)),
      (error) => error instanceof ModelError && words.test(error.message),
      what,
    )
  }
})

const odd = [null, '', 'x', -1, 0, 1, 2, 1e308, 5e-324, {}, [], [1], true, 2 ** 53, 2 ** 32, '9'.repeat(20)]

test('a file edited anywhere is refused, or answers every row with a finite number', () => {
  const random = seededRandom(1)
  const columns = {
    rows: 4,
    floats: [Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, -0, 1e38)],
    categories: [Int32Array.of(redHash, -1, 0, 2 ** 31 - 1)],
  }
  let answered = 0
  for (let round = 0; round < 1500; round++) {
    const file = handMade()
    const places = placesIn(file)
    const { owner, key } = places[Math.floor(random() * places.length)]!
    if (random() < 0.2) delete owner[key]
    else owner[key] = odd[Math.floor(random() * odd.length)]
    const model = parsedOrRefused(JSON.stringify(file))
    if (model === undefined || model.floats.length > 1 || model.categoricals.length > 1) continue
    assert.ok(valuesOf(model, columns).every(Number.isFinite), `after ${key} became ${owner[key]}`)
    assert.ok(featureImportance(model).every(Number.isFinite))
    answered++
  }
  assert.ok(answered > 50, `only ${answered} edits left a model`)
})

function placesIn(owner: Record<string, any>): { owner: Record<string, any>; key: string }[] {
  return Object.keys(owner).flatMap((key) => {
    const below: unknown = owner[key]
    return [{ owner, key }, ...(typeof below === 'object' && below !== null ? placesIn(below) : [])]
  })
}

function parsedOrRefused(text: string): TreeModel | undefined {
  try {
    return parseModel(text)
  } catch (error) {
    if (error instanceof ModelError) return undefined
    throw error
  }
}

test('a file cut anywhere, or of another format, is refused and never crashes', () => {
  const text = JSON.stringify(handMade())
  for (let end = 0; end < text.length; end += 7)
    assert.throws(() => parseModel(text.slice(0, end)), ModelError)
  for (const other of ['', 'null', '[]', '"x"', '{"a":1}', '<xml/>', 'CBM1\u0000']) {
    assert.throws(() => parseModel(other), ModelError)
  }
})

test('rows with too few features are refused', () => {
  const model = parseModel(JSON.stringify(handMade()))
  assert.throws(() => quantiseRows(model, { rows: 1, floats: [], categories: [] }), /needs 1 numeric/)
})

const data = process.env['DATA']
const models = data === undefined ? '' : join(data, 'catboost-models')
if (existsSync(models)) {
  test('real CatBoost models are reproduced to 1e-9', () => {
    for (const name of readdirSync(models)) {
      if (!existsSync(join(models, name, 'model.json'))) continue
      const model = parseModel(readFileSync(join(models, name, 'model.json'), 'utf8'))
      const cases = JSON.parse(readFileSync(join(models, name, 'cases.json'), 'utf8'))
      const columns: FeatureColumns = {
        rows: cases.float.length,
        floats: model.floats.map((_, i) =>
          Float32Array.from(cases.float, (row: (number | null)[]) => row[i] ?? Number.NaN),
        ),
        categories: model.categoricals.map((_, i) =>
          Int32Array.from(cases.cat, (row: unknown[]) => categoryHash(String(row[i]))),
        ),
      }
      const raw: number[] = (cases.raw ?? []).flat()
      const values = valuesOf(model, columns)
      raw.forEach((value, i) => assert.ok(Math.abs(value - values[i]!) <= 1e-9, `${name} row ${i}`))
    }
  })

  test('borders and hashes of CatBoost are met exactly', () => {
    const read = (name: string) => JSON.parse(readFileSync(join(models, name, 'cases.json'), 'utf8'))
    for (const [text, hash] of read('cityhash-vectors').vectors) {
      assert.equal(cityHash64(new TextEncoder().encode(text)), BigInt(hash))
    }
    for (const set of read('quantizer-greedylogsum').sets) {
      set.borders.forEach((expected: number[], feature: number) => {
        const column = Float32Array.from(set.X, (row: number[]) => row[feature]!)
        const borders = featureBorders(column, set.border_count)
        assert.equal(borders.length, expected.length)
        expected.forEach((border, i) =>
          assert.ok(Math.abs(border - borders[i]!) <= 1e-8 * Math.max(1, Math.abs(border))),
        )
      })
    }
  })
}
