// Training with all randomness off against runs of CatBoost, where their recordings are at hand.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rawValues } from './apply.ts'
import { catboostNumbers, catboostQueryRandom } from './catboost-random.ts'
import type { TreeModel } from './model.ts'
import { parseModel } from './parse-model.ts'
import { quantiseRows } from './quantise.ts'
import { trainTrees, type TrainExtra } from './train.ts'
import type { LossName, TrainOptions } from './train-options.ts'

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
  params: {
    iterations: number
    depth: number
    learning_rate: number
    boost_from_average?: boolean
    random_seed?: number
  }
  /** By stage and row, as a table or one after another. */
  staged: number[] | number[][]
}

/** Where each group begins, and one past the last row. */
function groupStarts(groups: number[]): Int32Array {
  const starts = groups.flatMap((group, row) => (row === 0 || group !== groups[row - 1] ? [row] : []))
  return Int32Array.of(...starts, groups.length)
}

/** A recorded run as rows to train on, options without randomness, and the recorded results. */
function recorded(name: string, loss: LossName) {
  const read = (file: string) => readFileSync(join(models, name, file), 'utf8')
  const { params, ...cases } = JSON.parse(read('cases.json')) as Cases
  const expected = parseModel(read('model.json'))
  const learner = JSON.parse(read('model.json')).model_info.params.tree_learner_options
  const rows = cases.float.length
  const floats = expected.floats.map((_, i) => Float32Array.from(cases.float, (row) => row[i]!))
  const columns = { rows, floats, categories: [] }
  const queries = cases.group_id === undefined ? {} : { queries: groupStarts(cases.group_id) }
  const options: Partial<TrainOptions> = {
    loss,
    depth: params.depth,
    l2: learner.l2_leaf_reg,
    learningRate: params.learning_rate,
    leafMethod: learner.leaf_estimation_method,
    randomStrength: 0,
    bootstrap: { kind: 'No' },
    score: learner.score_function,
    boostFromAverage: params.boost_from_average ?? false,
  }
  return {
    data: { columns, labels: Float64Array.from(cases.label, Math.fround), ...queries },
    options,
    seed: params.random_seed,
    stages: params.iterations,
    splits: (stage: number) => splitWords(expected).slice(0, stage * params.depth),
    values: (stage: number) => cases.staged.flat().slice((stage - 1) * rows, stage * rows),
  }
}

function assertStage(run: ReturnType<typeof recorded>, stage: number, extra: TrainExtra, tolerance: number) {
  const { model } = trainTrees(run.data, { ...run.options, iterations: stage }, extra)
  assert.deepEqual(splitWords(model), run.splits(stage))
  const wanted = run.values(stage)
  rawValues(model, quantiseRows(model, run.data.columns)).forEach((value, row) => {
    const apart = Math.abs(value - wanted[row]!)
    assert.ok(apart < tolerance, `stage ${stage} row ${row}: ${value}, not ${wanted[row]}`)
  })
}

if (existsSync(models)) {
  for (const [name, loss] of [
    ['train-oracle-rmse', 'RMSE'],
    ['binclf-logloss', 'Logloss'],
    ['rank-lambdamart', 'LambdaMart'],
  ] as const) {
    test(`${name} is matched split by split and stage by stage`, () => {
      const run = recorded(name, loss)
      for (let stage = 1; stage <= run.stages; stage++) assertStage(run, stage, {}, 1e-9)
    })
  }

  // Between a tree's search and its leaves CatBoost takes numbers for noise of no strength. How many could only be
  // found by trying, which is why the places of the leaves' seeds stand here.
  const LEAF_SEEDS = [33, 75, 107, 145, 185]

  test("rank-yetirank is matched split by split, given CatBoost's own numbers", () => {
    const run = recorded('rank-yetirank', 'YetiRank')
    Object.assign(run.options, { freshLeaves: true })
    const next = catboostNumbers(BigInt(run.seed!))
    const numbers = Array.from({ length: 200 }, next)
    const first = (seed: bigint) => catboostNumbers(seed)()
    const draws = LEAF_SEEDS.flatMap((leaves, tree) => {
      const search = tree === 0 ? 0 : LEAF_SEEDS[tree - 1]! + 1
      return [first(numbers[search + 1]!), first(first(numbers[leaves - 1]!)), numbers[leaves]!]
    })
    for (let stage = 1; stage <= run.stages; stage++) {
      const seeds: number[] = []
      const randomOf = (seed: number, query: number) => {
        if (seeds.at(-1) !== seed) seeds.push(seed)
        return catboostQueryRandom(draws[seeds.length - 1]!, query)
      }
      assertStage(run, stage, { randomOf }, 1e-6)
    }
  })
}
