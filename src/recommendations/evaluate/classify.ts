// The task `classify`: the chance of one of two classes, from a CSV with a header.
import { auc, logLoss } from '../../ml/metrics.ts'
import { categoryHash } from '../../ml/trees/city-hash.ts'
import type { TrainOptions } from '../../ml/trees/train-options.ts'
import type { Recipe } from '../../ml/trees/training-recipe.ts'
import { readTable, type Table } from './csv-table.ts'
import { featureNumber, InputError } from './read-lines.ts'
import {
  evaluateTreeTask,
  pickedTaskRows,
  type TaskRows,
  type TreeTask,
  type TreeTaskOptions,
  type TreeTaskResult,
} from './tree-task.ts'

const memberLimit = 6

const commonOptions: Partial<TrainOptions> = {
  loss: 'Logloss',
  depth: 6,
  modelSizeReg: 0,
  matchNewRows: true,
}

/** Options worth trying for any table; the first is for columns that only report something together. */
const candidatePlans: Recipe[] = [
  {
    maxCtrComplexity: 3,
    maxCtrTables: 200,
    featureShare: 0.3,
    borderCount: 64,
    permutations: 6,
    iterations: 1000,
    learningRate: 0.05,
    earlyStoppingRounds: 100,
  },
  {
    maxCtrComplexity: 2,
    maxCtrTables: 120,
    featureShare: 1,
    iterations: 400,
    learningRate: 0.08,
    earlyStoppingRounds: 40,
  },
].map((options) => ({ kind: 'boosted', options: { ...commonOptions, ...options } }))

const classifyTask: TreeTask = {
  units: 'rows',
  unitCount: (rows) => rows.labels.length,
  picked: pickedTaskRows,
  tuning: ({ categories }) => ({
    cuts: 1,
    candidates: categories.length > 1 ? candidatePlans : candidatePlans.slice(1),
    tolerance: 0,
    slack: 0,
    maxMembers: memberLimit,
    partner: true,
  }),
  score: (value) => 1 / (1 + Math.exp(-value)),
  metrics: ({ labels }, chances) => ({ 'log-loss': logLoss(chances, labels), auc: auc(chances, labels) }),
}

/** Fits on the train file and predicts the test file, or each fold from the others when there is no test file. */
export async function evaluateClassify(options: TreeTaskOptions): Promise<TreeTaskResult> {
  const table = await readTable(options.train)
  const shape = tableShape(table, options)
  const train = labelledRows(table, shape)
  const test = options.test === undefined ? undefined : labelledRows(await readTable(options.test), shape)
  return evaluateTreeTask(classifyTask, { train, test }, options)
}

interface TableShape {
  label: string
  classes: [string, string]
  numeric: string[]
  categorical: string[]
  /** Categories that are written as numbers: their order may report something too. */
  numbered: string[]
}

function tableShape(table: Table, options: TreeTaskOptions): TableShape {
  const label = options.label ?? table.header[0]!
  if (!table.header.includes(label)) throw new InputError(`${table.file}: it has no column ${label}`)
  const others = table.header.filter((name) => name !== label)
  if (others.length === 0) throw new InputError(`${table.file}: it has no column besides the label`)
  const named = options.categorical
  for (const name of Array.isArray(named) ? named : []) {
    if (!others.includes(name)) throw new InputError(`${table.file}: it has no column ${name}`)
  }
  const isCategorical = (name: string) =>
    named === 'all' || (Array.isArray(named) ? named.includes(name) : !table.isNumeric(name))
  const classes = [...new Set(table.texts(label))].toSorted((left, right) => {
    return Number(left) - Number(right) || (left < right ? -1 : 1)
  })
  if (classes.length !== 2) {
    throw new InputError(`${table.file}: the column ${label} has ${classes.length} values, two are needed`)
  }
  return {
    label,
    classes: [classes[0]!, classes[1]!],
    numeric: others.filter((name) => !isCategorical(name)),
    categorical: others.filter((name) => isCategorical(name)),
    numbered: others.filter((name) => isCategorical(name) && table.isNumeric(name)),
  }
}

function labelledRows(table: Table, shape: TableShape): TaskRows {
  for (const name of [shape.label, ...shape.numeric, ...shape.categorical]) {
    if (!table.header.includes(name)) throw new InputError(`${table.file}: it has no column ${name}`)
  }
  const labels = Float64Array.from(table.texts(shape.label), (text, row) => {
    const found = shape.classes.indexOf(text)
    if (found >= 0) return found
    throw new InputError(`${table.file} row ${row + 1}: ${JSON.stringify(text)} is none of the two classes`)
  })
  const hashes = new Map<string, number>()
  const hash = (text: string) => {
    const known = hashes.get(text) ?? categoryHash(text)
    hashes.set(text, known)
    return known
  }
  return {
    labels,
    fileRows: Int32Array.from(labels.keys()),
    columns: {
      rows: labels.length,
      floats: [
        ...shape.numeric.map((name) => table.numbers(name)),
        ...shape.numbered.map((name) =>
          Float32Array.from(table.texts(name), (text) => featureNumber(text) ?? Number.NaN),
        ),
      ],
      categories: shape.categorical.map((name) => Int32Array.from(table.texts(name), hash)),
    },
  }
}
