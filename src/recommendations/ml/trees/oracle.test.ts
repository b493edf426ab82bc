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

interface Cases {
  float: number[][]
  label: number[]
  group_id?: number[]
  params: { iterations: number; depth: number; learning_rate: number; boost_from_average?: boolean }
  /** By stage and row, as a table or one after another. */
  staged: number[] | number[][]
}

/** Where each group begins, and one past the last row. */
function groupStarts(groups: number[]): Int32Array {
  const starts = groups.flatMap((group, row) => (row === 0 || group !== groups[row - 1] ? [row] : []))
  return Int32Array.of(...starts, groups.length)
}

if (existsSync(models)) {
  for (const [name, loss] of [
    ['train-oracle-rmse', 'RMSE'],
    ['binclf-logloss', 'Logloss'],
    ['rank-lambdamart', 'LambdaMart'],
  ] as const) {
    test(`${name} is matched split by split and stage by stage`, () => {
      const read = (file: string) => readFileSync(join(models, name, file), 'utf8')
      const { params, ...cases } = JSON.parse(read('cases.json')) as Cases
      const expected = parseModel(read('model.json'))
      const learner = JSON.parse(read('model.json')).model_info.params.tree_learner_options
      const rows = cases.float.length
      const floats = expected.floats.map((_, i) => Float32Array.from(cases.float, (row) => row[i]!))
      const columns = { rows, floats, categories: [] }
      const queries = cases.group_id === undefined ? {} : { queries: groupStarts(cases.group_id) }
      const staged = cases.staged.flat()
      for (let stage = 1; stage <= params.iterations; stage++) {
        const { model } = trainTrees(
          { columns, labels: Float64Array.from(cases.label, Math.fround), ...queries },
          {
            loss,
            iterations: stage,
            depth: params.depth,
            l2: learner.l2_leaf_reg,
            learningRate: params.learning_rate,
            leafMethod: learner.leaf_estimation_method,
            randomStrength: 0,
            bootstrap: { kind: 'No' },
            score: learner.score_function,
            boostFromAverage: params.boost_from_average ?? false,
          },
        )
        assert.deepEqual(splitWords(model), splitWords(expected).slice(0, stage * params.depth))
        rawValues(model, quantisedRows(model, columns)).forEach((value, row) => {
          const wanted = staged[(stage - 1) * rows + row]!
          assert.ok(Math.abs(value - wanted) < 1e-9, `stage ${stage} row ${row}: ${value}, not ${wanted}`)
        })
      }
    })
  }
}
