import type { BinaryForest, SymmetricForest, TreeModel } from './model.ts'
import { inputCount, splitInputs } from './split-inputs.ts'

/**
 * How much each input changes predictions (CatBoost's PredictionValuesChange): over every split, how far the two
 * sides lie from their mean, squared and weighted. Sums to 100, or is all zero for a model without splits.
 */
export function featureImportance(model: TreeModel): Float64Array {
  const inputs = splitInputs(model)
  const importance = new Float64Array(inputCount(model))
  const add = (split: number, change: number) => {
    for (const input of inputs[split]!) importance[input]! += change / inputs[split]!.length
  }
  if (model.forest.kind === 'symmetric') addSymmetric(model.forest, model.dimension, add)
  else addBinary(model.forest, model.dimension, add)
  const total = importance.reduce((sum, value) => sum + value, 0)
  return total > 0 ? importance.map((value) => (100 * value) / total) : importance
}

type Add = (split: number, change: number) => void

function addSymmetric(forest: SymmetricForest, dimension: number, add: Add): void {
  let splitAt = 0
  let leafAt = 0
  for (const depth of forest.depths) {
    for (let level = 0; level < depth; level++) {
      const bit = 1 << level
      let change = 0
      for (let leaf = 0; leaf < 1 << depth; leaf++) {
        if ((leaf & bit) !== 0) continue
        const left = leafAt + leaf
        const right = left + bit
        for (let d = 0; d < dimension; d++) {
          change += pairChange(
            { value: forest.leafValues[left * dimension + d]!, weight: forest.leafWeights[left]! },
            { value: forest.leafValues[right * dimension + d]!, weight: forest.leafWeights[right]! },
          )
        }
      }
      add(forest.splits[splitAt + level]!, change)
    }
    splitAt += depth
    leafAt += 1 << depth
  }
}

interface Side {
  value: number
  weight: number
}

function pairChange(left: Side, right: Side): number {
  const weight = left.weight + right.weight
  if (weight <= 0) return 0
  const mean = (left.value * left.weight + right.value * right.weight) / weight
  return (left.value - mean) ** 2 * left.weight + (right.value - mean) ** 2 * right.weight
}

function addBinary(forest: BinaryForest, dimension: number, add: Add): void {
  const side = (node: number, d: number): Side => {
    const split = forest.splits[node]!
    if (split < 0) {
      const leaf = forest.left[node]!
      return { value: forest.leafValues[leaf * dimension + d]!, weight: forest.leafWeights[leaf]! }
    }
    const left = side(forest.left[node]!, d)
    const right = side(forest.right[node]!, d)
    add(split, pairChange(left, right))
    const weight = left.weight + right.weight
    const value = weight > 0 ? (left.value * left.weight + right.value * right.weight) / weight : 0
    return { value, weight }
  }
  for (const root of forest.roots) for (let d = 0; d < dimension; d++) side(root, d)
}
