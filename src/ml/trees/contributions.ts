// Shapley values of symmetric trees: what each input added to a row's prediction, against what was expected
// before anything was known of the row. They sum to the prediction.
import { leafIndexes } from './apply.ts'
import type { SymmetricForest, TreeModel } from './model.ts'
import { ModelError } from './model-error.ts'
import type { Bins } from './quantise.ts'
import { inputCount, splitInputs } from './split-inputs.ts'

export interface Contributions {
  /** The mean prediction over the rows the model was trained on. */
  expected: number
  /** Row-major: what each input, numeric ones first, added to each row. */
  values: Float64Array
}

/** Contributions of every input to every row; the expected value and a row's contributions sum to its raw value. */
export function contributions(model: TreeModel, bins: Bins): Contributions {
  const { forest } = model
  if (forest.kind !== 'symmetric' || model.dimension !== 1) {
    throw new ModelError('Contributions are known for symmetric trees of one dimension only.')
  }
  const width = inputCount(model)
  const values = new Float64Array(bins.rows * width)
  const inputs = splitInputs(model)
  let expected = model.bias[0]!
  let splitAt = 0
  let leafAt = 0
  for (const depth of forest.depths) {
    const splits = forest.splits.subarray(splitAt, splitAt + depth)
    const tree = playedTree(forest, splits, leafAt, inputs)
    const leaves = leafIndexes(model.splits, splits, bins)
    expected += model.scale * tree.expected
    const shares = new Map<number, Float64Array>()
    leaves.forEach((leaf, row) => {
      const share = shares.get(leaf) ?? playerShares(tree, leaf)
      shares.set(leaf, share)
      tree.players.forEach((player, i) => {
        for (const input of player) {
          values[row * width + input]! += (model.scale * share[i]!) / player.length
        }
      })
    })
    splitAt += depth
    leafAt += 1 << depth
  }
  return { expected, values }
}

interface PlayedTree {
  depth: number
  /** Each distinct set of inputs is one player; `playerOf` names the player of a level. */
  players: number[][]
  playerOf: number[]
  leafValues: Float64Array
  /** Weights of nodes, by level and number. Bit `n` of the number says whether the path goes right at level `n`. */
  weights: Float64Array[]
  expected: number
}

function playedTree(
  forest: SymmetricForest,
  splits: Uint32Array,
  leafAt: number,
  inputs: number[][],
): PlayedTree {
  const depth = splits.length
  const players: number[][] = []
  const numbers = new Map<string, number>()
  const playerOf = Array.from(splits, (split) => {
    const name = inputs[split]!.join()
    const number = numbers.get(name) ?? players.push(inputs[split]!) - 1
    numbers.set(name, number)
    return number
  })
  const weights: Float64Array[] = [forest.leafWeights.subarray(leafAt, leafAt + (1 << depth))]
  for (let level = depth - 1; level >= 0; level--) {
    const below = weights[0]!
    weights.unshift(
      Float64Array.from({ length: 1 << level }, (_, node) => below[node]! + below[node + (1 << level)]!),
    )
  }
  const leafValues = forest.leafValues.subarray(leafAt, leafAt + (1 << depth))
  const tree: PlayedTree = { depth, players, playerOf, leafValues, weights, expected: 0 }
  return { ...tree, expected: knownValue(tree, 0, { leaf: 0, level: 0, node: 0 }) }
}

/** The tree's expected value when only the players of a set are known; unknown ones are averaged. */
function knownValue(
  tree: PlayedTree,
  known: number,
  at: { leaf: number; level: number; node: number },
): number {
  const { leaf, level, node } = at
  if (level === tree.depth) return tree.leafValues[node]!
  const right = node + (1 << level)
  const next = level + 1
  if ((known >> tree.playerOf[level]!) & 1) {
    const node1 = (leaf >> level) & 1 ? right : node
    return knownValue(tree, known, { leaf, level: next, node: node1 })
  }
  const leftWeight = tree.weights[next]![node]!
  const rightWeight = tree.weights[next]![right]!
  const total = leftWeight + rightWeight
  const share = total > 0 ? leftWeight / total : 0.5
  return (
    share * knownValue(tree, known, { leaf, level: next, node }) +
    (1 - share) * knownValue(tree, known, { leaf, level: next, node: right })
  )
}

function playerShares(tree: PlayedTree, leaf: number): Float64Array {
  const count = tree.players.length
  const known = Float64Array.from({ length: 1 << count }, (_, set) =>
    knownValue(tree, set, { leaf, level: 0, node: 0 }),
  )
  const chances = orderChances(count)
  const shares = new Float64Array(count)
  for (let set = 0; set < 1 << count; set++) {
    for (let player = 0; player < count; player++) {
      if ((set >> player) & 1) continue
      shares[player]! += chances[bitCount(set)]! * (known[set | (1 << player)]! - known[set]!)
    }
  }
  return shares
}

/** The chance that exactly this many given players come before one, in a random order of all. */
function orderChances(count: number): number[] {
  const factorials = [1]
  for (let i = 1; i <= count; i++) factorials.push(factorials[i - 1]! * i)
  return Array.from({ length: count }, (_, before) => {
    return (factorials[before]! * factorials[count - before - 1]!) / factorials[count]!
  })
}

function bitCount(set: number): number {
  let count = 0
  for (let rest = set; rest > 0; rest &= rest - 1) count++
  return count
}
