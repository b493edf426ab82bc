// Reads CatBoost's JSON export. The fields of a split must agree with what its running index points at, so that a
// truncated or edited file is refused instead of giving other predictions.
import {
  splitTable,
  type CategoricalFeature,
  type FloatFeature,
  type KnownFeatures,
  type TreeModel,
} from './model.ts'
import {
  asAddend,
  asBorders,
  asIndex,
  asInt32,
  asList,
  asListOf,
  asObject,
  asOneOf,
  optionalList,
  type Json,
} from './json-shape.ts'
import { ModelError } from './model-error.ts'
import { parseCtrs } from './parse-ctrs.ts'
import { parseBinaryTrees, parseSymmetricTrees, type ParsedForest } from './parse-forest.ts'

const maxFeatures = 65_536
const maxColumns = 65_535
const nanTreatments = ['AsIs', 'AsFalse', 'AsTrue'] as const

/** The model written in a CatBoost JSON file, or a ModelError that says what is wrong with the file. */
export function parseModel(text: string): TreeModel {
  const file = asObject(parsedJson(text), 'The model file')
  if (file['oblivious_trees'] === undefined && file['trees'] === undefined) {
    throw new ModelError('This is not a CatBoost JSON model: it has neither oblivious_trees nor trees.')
  }
  const features = asObject(file['features_info'], 'features_info')
  refuseUnsupported(features)
  const floats = parseFloats(features)
  const categoricals = parseCategoricals(features)
  const { ctrs, tables } = parseCtrs(file, features, { floats, categoricals })
  const splits = splitTable(floats, categoricals, ctrs)
  if (splits.columnCount > maxColumns) throw new ModelError('The model has too many borders to be evaluated.')
  const parsed = parseForest(file, { floats, categoricals, ctrs, tables })
  const { scale, bias } = parseScaleAndBias(file, parsed.dimension)
  const info = file['model_info'] === undefined ? {} : asObject(file['model_info'], 'model_info')
  const { forest, dimension } = parsed
  return { floats, categoricals, ctrs, tables, splits, dimension, scale, bias, forest, info }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ModelError('The model file is not valid JSON: it may be cut, or be of another format.')
  }
}

function refuseUnsupported(features: Json): void {
  for (const kind of ['text_features', 'embedding_features', 'estimated_features']) {
    if (optionalList(features, kind, 'features_info').length > 0) {
      throw new ModelError(`The model uses ${kind.replace('_', ' ')}, which are not supported.`)
    }
  }
}

function parseFloats(features: Json): FloatFeature[] {
  const floats: FloatFeature[] = []
  optionalList(features, 'float_features', 'features_info').forEach((item, i) => {
    const place = `features_info.float_features[${i}]`
    const entry = asObject(item, place)
    fillGap(floats, entry, place, () => emptyFloat())
    const treatment = asOneOf(
      entry['nan_value_treatment'] ?? 'AsIs',
      nanTreatments,
      `${place}.nan_value_treatment`,
    )
    floats.push({
      name: featureName(entry),
      flatIndex: asIndex(entry['flat_feature_index'] ?? i, maxFeatures, `${place}.flat_feature_index`),
      borders: asBorders(entry['borders'], `${place}.borders`),
      nans: treatment === 'AsTrue' ? 'above' : 'below',
      hasNans: entry['has_nans'] === true,
    })
  })
  return floats
}

function parseCategoricals(features: Json): CategoricalFeature[] {
  const categoricals: CategoricalFeature[] = []
  optionalList(features, 'categorical_features', 'features_info').forEach((item, i) => {
    const place = `features_info.categorical_features[${i}]`
    const entry = asObject(item, place)
    fillGap(categoricals, entry, place, () => ({ name: '', flatIndex: 0, values: new Int32Array(0) }))
    const values = optionalList(entry, 'values', place).map((value, j) =>
      asInt32(value, `${place}.values[${j}]`),
    )
    if (new Set(values).size < values.length) throw new ModelError(`${place}.values repeats a value.`)
    categoricals.push({
      name: featureName(entry),
      flatIndex: asIndex(entry['flat_feature_index'] ?? i, maxFeatures, `${place}.flat_feature_index`),
      values: Int32Array.from(values),
    })
  })
  return categoricals
}

/** A feature stands at its own index; features the exporter left out become empty ones. */
function fillGap<Feature>(list: Feature[], entry: Json, place: string, empty: () => Feature): void {
  const index = asIndex(entry['feature_index'] ?? list.length, maxFeatures, `${place}.feature_index`)
  if (index < list.length) throw new ModelError(`${place}.feature_index is ${index}, which is out of order.`)
  while (list.length < index) list.push(empty())
}

function emptyFloat(): FloatFeature {
  return { name: '', flatIndex: 0, borders: new Float32Array(0), nans: 'below', hasNans: false }
}

function featureName(entry: Json): string {
  const name = entry['feature_name'] ?? entry['feature_id']
  return typeof name === 'string' ? name : ''
}

function parseForest(file: Json, features: KnownFeatures): ParsedForest {
  return file['oblivious_trees'] === undefined
    ? parseBinaryTrees(asList(file['trees'], 'trees'), features)
    : parseSymmetricTrees(asList(file['oblivious_trees'], 'oblivious_trees'), features)
}

function parseScaleAndBias(file: Json, dimension: number): { scale: number; bias: Float64Array } {
  if (file['scale_and_bias'] === undefined) return { scale: 1, bias: new Float64Array(dimension) }
  const [scale, bias] = asList(file['scale_and_bias'], 'scale_and_bias')
  const biases = asListOf(asAddend, Array.isArray(bias) ? bias : [bias], 'scale_and_bias[1]')
  if (biases.length !== dimension && biases.length > 0) {
    throw new ModelError(`scale_and_bias has ${biases.length} biases for ${dimension} dimensions.`)
  }
  const whole = new Float64Array(dimension)
  whole.set(biases)
  return { scale: asAddend(scale, 'scale_and_bias[0]'), bias: whole }
}
