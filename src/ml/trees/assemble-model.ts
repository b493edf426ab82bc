import type { Boosted, BoostedTree } from './boost.ts'
import { ctrOf, fullTable } from './ctr-columns.ts'
import type { ColumnSplit } from './grower.ts'
import {
  splitTable,
  type Ctr,
  type CtrTable,
  type FeatureColumns,
  type SymmetricForest,
  type TreeModel,
} from './model.ts'
import type { TrainColumns } from './train-columns.ts'
import type { TrainOptions } from './train-options.ts'

export interface AssemblyPlan {
  boosted: Boosted
  plan: TrainColumns
  options: TrainOptions
  data: FeatureColumns
  classes: Uint8Array
  floatNames: string[]
  categoricalNames: string[]
}

/** A model of the grown trees that keeps only the borders, values and statistics its splits use. */
export function assembleModel(assembly: AssemblyPlan): TreeModel {
  const used = usedMarks(assembly)
  const { plan, data, options } = assembly
  const floats = data.floats.map((values, feature) => {
    const hasNans = holdsNan(values)
    return {
      name: assembly.floatNames[feature] ?? '',
      flatIndex: feature,
      borders: new Float32Array(0),
      nans: hasNans && options.nanMode === 'Max' ? ('above' as const) : ('below' as const),
      hasNans,
    }
  })
  const categoricals = data.categories.map((_, feature) => ({
    name: assembly.categoricalNames[feature] ?? '',
    flatIndex: data.floats.length + feature,
    values: new Int32Array(0),
  }))
  const ctrs: { column: number; ctr: Ctr }[] = []
  const tables: CtrTable[] = []
  const tableNumbers = new Map<string, number>()
  plan.columns.forEach((column, at) => {
    const marks = used[at]!
    if (marks.length === 0) return
    if (column.kind === 'float') {
      floats[column.feature]!.borders = Float32Array.from(marks, (mark) => column.borders[mark]!)
    } else if (column.kind === 'one-hot') {
      categoricals[column.feature]!.values = Int32Array.from(marks, (mark) => column.values[mark]!)
    } else {
      const { ctr } = column
      const name = `${ctr.projection} ${ctr.type}`
      const number = tableNumbers.get(name) ?? tables.length
      if (number === tables.length) {
        tables.push(fullTable(plan.projections[ctr.projection]!, ctr.type, assembly.classes))
        tableNumbers.set(name, number)
      }
      const whole = ctrOf(ctr, options.ctrBorderCount, number)
      const borders = Float32Array.from(marks, (mark) => whole.borders[mark]!)
      ctrs.push({ column: at, ctr: { ...whole, borders } })
    }
  })
  ctrs.sort((left, right) => left.ctr.table - right.ctr.table || left.column - right.column)
  const starts = splitStarts(assembly, used, ctrs)
  const { trees, bias } = assembly.boosted
  return {
    floats,
    categoricals,
    ctrs: ctrs.map(({ ctr }) => ctr),
    tables,
    splits: splitTable(
      floats,
      categoricals,
      ctrs.map(({ ctr }) => ctr),
    ),
    dimension: 1,
    scale: 1,
    bias: Float64Array.of(bias),
    forest: assembledForest(trees, starts, used),
    info: {},
  }
}

function assembledForest(trees: BoostedTree[], starts: number[], used: number[][]): SymmetricForest {
  const splitNumber = (split: ColumnSplit) =>
    starts[split.column]! + used[split.column]!.indexOf(markOf(split))
  return {
    kind: 'symmetric',
    depths: Uint8Array.from(trees, (tree) => tree.splits.length),
    splits: Uint32Array.from(trees.flatMap((tree) => tree.splits.map(splitNumber))),
    leafValues: Float64Array.from(trees.flatMap((tree) => Array.from(tree.leafValues))),
    leafWeights: Float64Array.from(trees.flatMap((tree) => Array.from(tree.leafWeights))),
  }
}

function holdsNan(values: Float32Array): boolean {
  for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row]!)) return true
  return false
}

/** Which border or value of its column a split asks for. */
function markOf(split: { threshold: number; flip: number }): number {
  return split.flip > 0 || split.threshold === 255 ? 254 - split.flip : split.threshold - 1
}

function usedMarks({ boosted, plan }: AssemblyPlan): number[][] {
  const used = plan.columns.map(() => new Set<number>())
  for (const { splits } of boosted.trees) for (const split of splits) used[split.column]!.add(markOf(split))
  return used.map((marks) => [...marks].toSorted((left, right) => left - right))
}

/** The running split number at which each column's marks begin: floats, then one-hot values, then statistics. */
function splitStarts({ plan }: AssemblyPlan, used: number[][], ctrs: { column: number }[]): number[] {
  const starts: number[] = plan.columns.map(() => 0)
  let next = 0
  const place = (column: number) => {
    starts[column] = next
    next += used[column]!.length
  }
  plan.columns.forEach((column, at) => column.kind === 'float' && place(at))
  plan.columns.forEach((column, at) => column.kind === 'one-hot' && place(at))
  for (const { column } of ctrs) place(column)
  return starts
}
