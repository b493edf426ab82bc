import type { Ctr, CtrElement, CtrTable, SymmetricForest, TreeModel } from './model.ts'
import { ModelError } from './model-error.ts'

/** The model as CatBoost's JSON, which CatBoost and `parseModel` read back to the same values. */
export function writtenModel(model: TreeModel): string {
  const { forest } = model
  if (forest.kind !== 'symmetric') throw new ModelError('Only symmetric trees can be written.')
  const features: Record<string, unknown> = { float_features: model.floats.map(writtenFloat) }
  if (model.categoricals.length > 0)
    features['categorical_features'] = model.categoricals.map(writtenCategorical)
  if (model.ctrs.length > 0)
    features['ctrs'] = model.ctrs.map((ctr) => writtenCtr(ctr, model.tables[ctr.table]!))
  const file: Record<string, unknown> = {
    features_info: features,
    model_info: model.info,
    oblivious_trees: writtenTrees(model, forest),
    scale_and_bias: [model.scale, [...model.bias]],
  }
  if (model.ctrs.length > 0) file['ctr_data'] = writtenTables(model)
  return JSON.stringify(file)
}

function writtenFloat(feature: TreeModel['floats'][number], index: number) {
  const treatment = feature.nans === 'above' ? 'AsTrue' : 'AsFalse'
  return {
    borders: [...feature.borders],
    feature_id: feature.name,
    feature_index: index,
    flat_feature_index: feature.flatIndex,
    has_nans: feature.hasNans,
    nan_value_treatment: feature.hasNans ? treatment : 'AsIs',
  }
}

function writtenCategorical(feature: TreeModel['categoricals'][number], index: number) {
  const values = feature.values.length > 0 ? { values: [...feature.values] } : {}
  return { feature_id: feature.name, feature_index: index, flat_feature_index: feature.flatIndex, ...values }
}

function writtenElements(elements: CtrElement[]) {
  return elements.map((element) => {
    if (element.kind === 'category') {
      return { cat_feature_index: element.feature, combination_element: 'cat_feature_value' }
    }
    if (element.kind === 'border') {
      const { feature, border } = element
      return { border, combination_element: 'float_feature', float_feature_index: feature }
    }
    const { feature, value } = element
    return { cat_feature_index: feature, combination_element: 'cat_feature_exact_value', value }
  })
}

function identifier(type: string, table: CtrTable): string {
  return JSON.stringify({ identifier: writtenElements(table.elements), type })
}

function writtenCtr(ctr: Ctr, table: CtrTable) {
  return {
    borders: [...ctr.borders],
    ctr_type: ctr.type,
    elements: writtenElements(table.elements),
    identifier: identifier(ctr.type, table),
    prior_denomerator: ctr.priorDenominator,
    prior_numerator: ctr.priorNumerator,
    scale: ctr.scale,
    shift: ctr.shift,
    target_border_idx: ctr.targetBorder,
  }
}

function writtenTables(model: TreeModel): Record<string, unknown> {
  const written: Record<string, unknown> = {}
  for (const ctr of model.ctrs) {
    const table = model.tables[ctr.table]!
    const name = identifier(ctr.type, table)
    if (written[name] !== undefined) continue
    const map: (string | number)[] = []
    for (let i = 0; i < table.keysLow.length; i++) {
      map.push(((BigInt(table.keysHigh[i]!) << 32n) | BigInt(table.keysLow[i]!)).toString())
      for (let j = 0; j < table.stride; j++) map.push(table.stats[i * table.stride + j]!)
    }
    written[name] = {
      counter_denominator: table.denominator,
      hash_map: map,
      hash_stride: table.stride + 1,
    }
  }
  return written
}

function writtenTrees(model: TreeModel, forest: SymmetricForest) {
  const describe = splitDescriber(model)
  let splitAt = 0
  let valueAt = 0
  let weightAt = 0
  return Array.from(forest.depths, (depth) => {
    const leafCount = 2 ** depth
    const tree = {
      leaf_values: [...forest.leafValues.subarray(valueAt, valueAt + leafCount * model.dimension)],
      leaf_weights: [...forest.leafWeights.subarray(weightAt, weightAt + leafCount)],
      splits: Array.from(forest.splits.subarray(splitAt, splitAt + depth), describe),
    }
    splitAt += depth
    valueAt += leafCount * model.dimension
    weightAt += leafCount
    return tree
  })
}

function splitDescriber(model: TreeModel): (split: number) => Record<string, unknown> {
  const described: Record<string, unknown>[] = []
  const add = (entry: Record<string, unknown>) => described.push({ ...entry, split_index: described.length })
  model.floats.forEach(({ borders }, feature) => {
    for (const border of borders) add({ border, float_feature_index: feature, split_type: 'FloatFeature' })
  })
  model.categoricals.forEach(({ values }, feature) => {
    for (const value of values) add({ cat_feature_index: feature, split_type: 'OneHotFeature', value })
  })
  for (const { borders, targetBorder } of model.ctrs) {
    for (const border of borders)
      add({ border, ctr_target_border_idx: targetBorder, split_type: 'OnlineCtr' })
  }
  return (split) => described[split]!
}
