import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseModel } from './parse-model.ts'
import { sampleData } from './sample-data.ts'
import { trainTrees } from './train.ts'
import { writtenModel } from './write-model.ts'

const data = process.env['DATA']
const models = data === undefined ? '' : join(data, 'catboost-models')
const emptyBucket = '18446744073709551615'

test('a trained model is written as CatBoost lays its own out', () => {
  const options = { loss: 'Logloss', iterations: 20, depth: 4, oneHotMaxSize: 4 } as const
  const file = JSON.parse(writtenModel(trainTrees(sampleData(600, 1), options).model))
  const { float_features: floats, ctrs } = file.features_info
  const categoricals = file.features_info.categorical_features
  const running = [
    ...floats.flatMap((feature: any) => feature.borders.map((border: number) => `float ${border}`)),
    ...categoricals.flatMap((feature: any) => (feature.values ?? []).map((value: number) => `hot ${value}`)),
    ...ctrs.flatMap((ctr: any) => ctr.borders.map((border: number) => `ctr ${border}`)),
  ]
  const words = { FloatFeature: 'float', OneHotFeature: 'hot', OnlineCtr: 'ctr' }
  for (const { splits, leaf_values: values, leaf_weights: weights } of file.oblivious_trees) {
    assert.equal(values.length, 2 ** splits.length)
    assert.equal(
      weights.reduce((sum: number, weight: number) => sum + weight, 0),
      600,
    )
    for (const split of splits) {
      const word = words[split.split_type as keyof typeof words]
      assert.equal(running[split.split_index], `${word} ${split.border ?? split.value}`)
    }
  }
  for (const feature of floats) {
    assert.deepEqual(feature.borders, feature.borders.map(Math.fround).toSorted(rising))
  }
  for (const ctr of ctrs) {
    assert.deepEqual(JSON.parse(ctr.identifier), { identifier: ctr.elements, type: ctr.ctr_type })
    const table = file.ctr_data[ctr.identifier]
    assert.equal(table.hash_stride, ctr.ctr_type === 'Counter' ? 2 : 3)
    assert.equal(table.hash_map.length % table.hash_stride, 0)
  }
  assert.deepEqual(file.scale_and_bias, [1, [Math.fround(file.scale_and_bias[1][0])]])
})

const rising = (a: number, b: number): number => a - b

/** What may differ between two files of one model: the order of hash keys, empty buckets, and fields of 2019. */
function comparable(file: any): unknown {
  const tables = Object.entries<any>(file.ctr_data ?? {}).map(([name, { hash_map: map, ...rest }]) => {
    const entries = map.flatMap((_: unknown, at: number) =>
      at % rest.hash_stride === 0 && map[at] !== emptyBucket ? [map.slice(at, at + rest.hash_stride)] : [],
    )
    return [name, { ...rest, entries: entries.toSorted((a: any, b: any) => (a[0] < b[0] ? -1 : 1)) }]
  })
  const { float_features: floats, ...features } = file.features_info
  return {
    ...file,
    ctr_data: Object.fromEntries(tables),
    features_info: { ...features, float_features: floats.map((it: any) => ({ feature_id: '', ...it })) },
    scale_and_bias: file.scale_and_bias ?? [1, [0]],
  }
}

if (existsSync(models)) {
  for (const name of readdirSync(models)) {
    const path = join(models, name, 'model.json')
    if (!existsSync(path) || !readFileSync(path, 'utf8').includes('"oblivious_trees"')) continue
    test(`${name}, read and written again, is the file that CatBoost wrote`, () => {
      const text = readFileSync(path, 'utf8')
      assert.deepEqual(comparable(JSON.parse(writtenModel(parseModel(text)))), comparable(JSON.parse(text)))
    })
  }
}
