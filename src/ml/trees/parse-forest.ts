import type { BinaryForest, KnownFeatures, SymmetricForest } from './model.ts'
import {
  asAddend,
  asIndex,
  asList,
  asListOf,
  asNumber,
  asObject,
  asOneOf,
  asWeight,
  type Json,
} from './json-shape.ts'
import { ModelError } from './model-error.ts'

const maxTrees = 1_000_000
const maxDepth = 16
const maxNodeDepth = 512
const splitTypes = ['FloatFeature', 'OneHotFeature', 'OnlineCtr'] as const

/** A forest and how many values each of its leaves holds. */
export interface ParsedForest {
  forest: SymmetricForest | BinaryForest
  dimension: number
}

interface SplitRange {
  type: (typeof splitTypes)[number]
  feature: number
  start: number
  marks: ArrayLike<number>
}

/** Reads `oblivious_trees`. */
export function parseSymmetricTrees(trees: unknown[], features: KnownFeatures): ParsedForest {
  const reader = splitReader(features)
  const depths: number[] = []
  const splits: number[] = []
  const values: number[] = []
  const weights: number[] = []
  let dimension = 0
  checkTreeCount(trees)
  trees.forEach((item, i) => {
    const place = `oblivious_trees[${i}]`
    const tree = asObject(item, place)
    const levels = tree['splits'] === null ? [] : asList(tree['splits'] ?? [], `${place}.splits`)
    if (levels.length > maxDepth) throw new ModelError(`${place} is deeper than ${maxDepth}.`)
    const leafCount = 2 ** levels.length
    const leaves = asListOf(asAddend, tree['leaf_values'], `${place}.leaf_values`)
    if (leaves.length === 0 || leaves.length % leafCount !== 0) {
      throw new ModelError(
        `${place} has ${leaves.length} leaf values for ${leafCount} leaves: it may be cut.`,
      )
    }
    const width = leaves.length / leafCount
    if (i > 0 && width !== dimension)
      throw new ModelError(`${place} has ${width} values a leaf, not ${dimension}.`)
    dimension = width
    depths.push(levels.length)
    levels.forEach((level, j) => splits.push(reader(asObject(level, place), `${place}.splits[${j}]`)))
    for (const leaf of leaves) values.push(leaf)
    for (const weight of leafWeights(tree, leafCount, place)) weights.push(weight)
  })
  const forest: SymmetricForest = {
    kind: 'symmetric',
    depths: Uint8Array.from(depths),
    splits: Uint32Array.from(splits),
    leafValues: Float64Array.from(values),
    leafWeights: Float64Array.from(weights),
  }
  return { forest, dimension: Math.max(1, dimension) }
}

function leafWeights(tree: Json, leafCount: number, place: string): number[] {
  if (tree['leaf_weights'] === undefined) return Array.from({ length: leafCount }, () => 0)
  const weights = asListOf(asWeight, tree['leaf_weights'], `${place}.leaf_weights`)
  if (weights.length === leafCount) return weights
  throw new ModelError(`${place} has ${weights.length} leaf weights for ${leafCount} leaves.`)
}

/** Reads `trees`, nested left and right, as the other grow policies write them. */
export function parseBinaryTrees(trees: unknown[], features: KnownFeatures): ParsedForest {
  const reader = splitReader(features)
  const nodes: { split: number; left: number; right: number }[] = []
  const values: number[] = []
  const weights: number[] = []
  let dimension = 0
  checkTreeCount(trees)
  const leaf = (node: Json, place: string): number => {
    const value = Array.isArray(node['value']) ? node['value'] : [node['value']]
    const numbers = asListOf(asAddend, value, `${place}.value`)
    if (numbers.length === 0 || (weights.length > 0 && numbers.length !== dimension)) {
      throw new ModelError(`${place} has ${numbers.length} values, not ${Math.max(1, dimension)}.`)
    }
    dimension = numbers.length
    for (const number of numbers) values.push(number)
    weights.push(node['weight'] === undefined ? 0 : asWeight(node['weight'], `${place}.weight`))
    return nodes.push({ split: -1, left: weights.length - 1, right: 0 }) - 1
  }
  const walk = (item: unknown, place: string, depth: number): number => {
    if (depth > maxNodeDepth) throw new ModelError(`${place} is nested deeper than ${maxNodeDepth}.`)
    const node = asObject(item, place)
    if (node['split'] === undefined) return leaf(node, place)
    const split = reader(asObject(node['split'], `${place}.split`), `${place}.split`)
    const at = nodes.push({ split, left: 0, right: 0 }) - 1
    nodes[at]!.left = walk(node['left'], `${place}.left`, depth + 1)
    nodes[at]!.right = walk(node['right'], `${place}.right`, depth + 1)
    return at
  }
  const roots = trees.map((tree, i) => walk(tree, `trees[${i}]`, 0))
  const forest: BinaryForest = {
    kind: 'binary',
    roots: Uint32Array.from(roots),
    splits: Int32Array.from(nodes, (node) => node.split),
    left: Uint32Array.from(nodes, (node) => node.left),
    right: Uint32Array.from(nodes, (node) => node.right),
    leafValues: Float64Array.from(values),
    leafWeights: Float64Array.from(weights),
  }
  return { forest, dimension: Math.max(1, dimension) }
}

function checkTreeCount(trees: unknown[]): void {
  if (trees.length > maxTrees) throw new ModelError(`The model has more than ${maxTrees} trees.`)
}

/** A reader of one split's number that refuses a split whose own words differ from what it points at. */
function splitReader(features: KnownFeatures): (split: Json, place: string) => number {
  const ranges = splitRanges(features)
  const last = ranges.at(-1)
  const count = last === undefined ? 0 : last.start + last.marks.length
  return (split, place) => {
    const type = asOneOf(split['split_type'] ?? 'FloatFeature', splitTypes, `${place}.split_type`)
    const index = asIndex(split['split_index'], count, `${place}.split_index`)
    const range = ranges.findLast(({ start }) => start <= index)!
    const mark = range.marks[index - range.start]!
    const named =
      type === 'FloatFeature'
        ? split['float_feature_index'] === range.feature
        : type === 'OneHotFeature'
          ? split['cat_feature_index'] === range.feature
          : true
    const value = asNumber(type === 'OneHotFeature' ? split['value'] : split['border'], place)
    const same = type === 'OneHotFeature' ? (value | 0) === mark : Math.fround(value) === mark
    if (range.type === type && named && same) return index
    throw new ModelError(`${place} does not agree with features_info: the file was edited or mixed.`)
  }
}

function splitRanges(features: KnownFeatures): SplitRange[] {
  const ranges: SplitRange[] = []
  let start = 0
  const add = (type: SplitRange['type'], feature: number, marks: ArrayLike<number>) => {
    if (marks.length === 0) return
    ranges.push({ type, feature, start, marks })
    start += marks.length
  }
  features.floats.forEach(({ borders }, i) => add('FloatFeature', i, borders))
  features.categoricals.forEach(({ values }, i) => add('OneHotFeature', i, values))
  features.ctrs.forEach(({ borders }, i) => add('OnlineCtr', i, borders))
  return ranges
}
