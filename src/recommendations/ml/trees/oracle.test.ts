// Training with all randomness off against runs of CatBoost, where their recordings are at hand.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rawValues } from './apply.ts'
import type { TreeModel } from './model.ts'
import { parseModel } from './parse-model.ts'
import { quantisedRows } from './quantise.ts'
import { trainTrees } from './train.ts'

const data = process.env['DATA']
const models = data === undefined ? '' : join(data, 'catboost-models')

/** Each tree's splits in words that do not depend on which other borders a model kept. */
function splitWords(model: TreeModel): string[] {
  const { forest } = model
  assert.ok(forest.kind === 'symmetric')
  const words = model.floats.flatMap(({ borders }, feature) =>
    Array.from(borders, (border) => `${feature} > ${border}`),
  )
  return Array.from(forest.splits, (split) => words[split]!)
}

if (existsSync(models)) {
  for (const [name, loss] of [
    ['train-oracle-rmse', 'RMSE'],
    ['binclf-logloss', 'Logloss'],
  ] as const) {
    test(`${name} is matched split by split and stage by stage`, () => {
      const read = (file: string) => readFileSync(join(models, name, file), 'utf8')
      const cases = JSON.parse(read('cases.json'))
      const expected = parseModel(read('model.json'))
      const floats = expected.floats.map((_, i) => Float32Array.from(cases.float, (row: number[]) => row[i]!))
      const columns = { rows: cases.float.length, floats, categories: [] }
      for (let stage = 1; stage <= cases.params.iterations; stage++) {
        const { model } = trainTrees(
          { columns, labels: Float64Array.from(cases.label as number[], Math.fround) },
          {
            loss,
            iterations: stage,
            depth: cases.params.depth,
            l2: cases.params.l2_leaf_reg,
            learningRate: cases.params.learning_rate,
            leafMethod: cases.params.leaf_estimation_method,
            randomStrength: 0,
            bootstrap: { kind: 'No' },
            score: cases.params.score_function,
            boostFromAverage: cases.params.boost_from_average,
          },
        )
        assert.deepEqual(splitWords(model), splitWords(expected).slice(0, stage * cases.params.depth))
        rawValues(model, quantisedRows(model, columns)).forEach((value, row) =>
          assert.ok(Math.abs(value - cases.staged[stage - 1][row]) < 1e-9, `stage ${stage} row ${row}`),
        )
      }
    })
  }
}
