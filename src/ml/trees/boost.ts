import { seededRandom } from '../random.ts'
import { chooseSplits, drawnGroups } from './choose-splits.ts'
import { columnOffsets, type ColumnSplit, type Grower, type GrowerShape } from './grower.ts'
import type { Derivatives, QueryRandom, Targets } from './derivatives.ts'
import type { Loss } from './losses.ts'
import type { Bootstrap, TrainOptions } from './train-options.ts'

/** One tree: its splits on byte columns, its leaves, and how much weight fell into each. */
export interface BoostedTree {
  splits: ColumnSplit[]
  leafValues: Float64Array
  leafWeights: Float64Array
}

export interface BoostPlan {
  shape: GrowerShape
  grower: Grower
  loss: Loss
  train: Targets
  validation: Targets | undefined
  options: TrainOptions
  penalties: Float64Array
  /** Weights of the rows in each block, where they differ; leaf values are then the mean over the blocks. */
  blockWeights: Float64Array[] | undefined
  randomOf: QueryRandom
  onTree: ((tree: number, error: number) => void) | undefined
  /** Called before every tree but the first with the number of trees grown; false ends the training. */
  shouldContinue: ((grown: number) => boolean) | undefined
}

export interface Boosted {
  trees: BoostedTree[]
  bias: number
  /** Validation error after each tree, when there are validation rows. */
  errors: number[]
}

/** Grows trees one after another; leaf values come from the last training block, whose rows are in their own order. */
export function boosted(plan: BoostPlan): Boosted {
  const { shape, grower, loss, train, validation, options } = plan
  const out: Derivatives = { ders: grower.vector(), hessians: grower.vector(), weights: grower.vector() }
  out.weights.fill(1)
  if (train.weights !== undefined) out.weights.set(train.weights)
  const bootstrapWeights = options.bootstrap.kind === 'No' ? undefined : grower.vector()
  const bias = options.boostFromAverage ? Math.fround(loss.average(train)) : 0
  const approxes = Array.from({ length: shape.trainBlocks }, () => grower.vector().fill(bias))
  const checked = validation === undefined ? undefined : grower.validationVector().fill(bias)
  const random = seededRandom(options.seed)
  const offsets = columnOffsets(shape.columns)
  const trees: BoostedTree[] = []
  const errors: number[] = []
  let best = 0
  for (let tree = 0; tree < options.iterations; tree++) {
    if (tree > 0 && plan.shouldContinue?.(tree) === false) break
    const seed = Math.floor(random() * 2 ** 32)
    const block = shape.trainBlocks === 1 ? 0 : Math.floor(random() * (shape.trainBlocks - 1))
    weighRows(plan, block, out)
    loss.derive(train, approxes[block]!, { seed, out, grower, randomOf: plan.randomOf })
    if (bootstrapWeights !== undefined) drawBootstrap(options.bootstrap, random, bootstrapWeights)
    const activeGroups = drawnGroups(shape.columns.length, options.featureShare, random)
    const { ders, weights } = out
    const measure = grower.measure(ders, weights, bootstrapWeights)
    const l2 = scaledL2(options, measure.plainWeights, shape.rows)
    grower.start({ block, ders, weights, bootstrapWeights, measure, l2, score: options.score, activeGroups })
    const noise = scoreNoise(options, Math.sqrt(measure.squares / shape.rows), { tree, rows: shape.rows })
    const { columns } = shape
    const rules = { columns, offsets, depth: options.depth, noise, seed, penalties: plan.penalties }
    const splits = chooseSplits(grower, rules)
    if (splits.length === 0) break
    const grown = estimatedLeaves(plan, { splits, approxes, out, seed, l2, derived: block })
    trees.push(grown)
    if (validation === undefined || checked === undefined) {
      plan.onTree?.(tree, Number.NaN)
      continue
    }
    grower.placeRows(shape.trainBlocks, splits)
    grower.addValues(grown.leafValues, checked)
    errors.push(loss.error(validation, checked))
    if (errors[tree]! < errors[best]!) best = tree
    plan.onTree?.(tree, errors[tree]!)
    if (options.earlyStoppingRounds > 0 && tree - best >= options.earlyStoppingRounds) break
  }
  if (options.earlyStoppingRounds > 0 && errors.length > 0) trees.length = best + 1
  return { trees, bias, errors }
}

/** The regularisation in units of the rows' mean weight, as CatBoost has it. */
function scaledL2({ l2 }: TrainOptions, weights: number, rows: number): number {
  return l2 * (weights / Math.max(1, rows))
}

interface Estimation {
  splits: ColumnSplit[]
  approxes: Float64Array[]
  out: Derivatives
  seed: number
  l2: number
  /** The block whose derivatives `out` holds already. */
  derived: number
}

/**
 * Leaf values of every block by its own rows, added to its values; those of the last block are the tree's, or the mean
 * of all where blocks have weights.
 */
function estimatedLeaves(plan: BoostPlan, estimation: Estimation): BoostedTree {
  const { shape, grower, loss, train, options } = plan
  const { splits, approxes, out } = estimation
  const leafCount = 2 ** splits.length
  const rate = Math.fround(options.learningRate)
  let leafValues: Float64Array = new Float64Array(leafCount)
  let leafWeights: Float64Array = new Float64Array(leafCount)
  const mean = new Float64Array(leafCount)
  const blocks = Array.from({ length: shape.trainBlocks }, (_, block) => block)
  const order = [estimation.derived, ...blocks.filter((block) => block !== estimation.derived)]
  for (const block of order) {
    const approx = approxes[block]!
    grower.placeRows(block, splits)
    const total = new Float64Array(leafCount)
    for (let iteration = 0; iteration < options.leafIterations; iteration++) {
      if (block !== estimation.derived || iteration > 0 || options.freshLeaves) {
        const draw = options.leafIterations * block + iteration + 1
        const seed = (estimation.seed ^ Math.imul(draw, 0x27d4eb2f)) >>> 0
        weighRows(plan, block, out)
        loss.derive(train, approx, { seed, out, grower, randomOf: plan.randomOf })
      }
      const step = leafStep(plan, estimation, leafCount)
      step.forEach((value, leaf) => (step[leaf] = value * rate))
      grower.addValues(step, approx)
      step.forEach((value, leaf) => (total[leaf]! += value))
    }
    total.forEach((value, leaf) => (mean[leaf]! += value / shape.trainBlocks))
    if (block !== shape.trainBlocks - 1) continue
    leafWeights = leafRowWeights(grower, train, out.hessians, leafCount)
    leafValues = loss.drawn ? withoutMean(total, leafWeights) : total
  }
  return { splits, leafValues: plan.blockWeights === undefined ? leafValues : mean, leafWeights }
}

function weighRows({ blockWeights, train }: BoostPlan, block: number, { weights }: Derivatives): void {
  if (blockWeights === undefined) return
  weights.set(blockWeights[block]!)
  train.weights?.forEach((weight, row) => (weights[row]! *= weight))
}

/** A constant shift that does not change the order; CatBoost applies it where rows are compared in pairs. */
function withoutMean(values: Float64Array, weights: Float64Array): Float64Array {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = values.reduce((sum, value, leaf) => sum + value * weights[leaf]!, 0) / Math.max(all, 1e-300)
  return values.map((value) => value - mean)
}

function leafStep({ grower, options }: BoostPlan, { out, l2 }: Estimation, leafCount: number): Float64Array {
  const gradients = grower.leafSums(out.ders, leafCount)
  const newton = options.leafMethod === 'Newton'
  const curvatures = grower.leafSums(newton ? out.hessians : out.weights, leafCount)
  return gradients.map((gradient, leaf) => {
    const below = curvatures[leaf]! + l2
    return below > 0 ? gradient / below : 0
  })
}

function leafRowWeights(
  grower: Grower,
  train: Targets,
  spare: Float64Array,
  leafCount: number,
): Float64Array {
  if (train.weights === undefined) spare.fill(1)
  else spare.set(train.weights)
  return grower.leafSums(spare, leafCount)
}

function drawBootstrap(bootstrap: Bootstrap, random: () => number, bootstrapWeights: Float64Array): void {
  if (bootstrap.kind === 'Bernoulli') {
    for (let row = 0; row < bootstrapWeights.length; row++)
      bootstrapWeights[row] = random() < bootstrap.share ? 1 : 0
    if (!bootstrapWeights.includes(1)) bootstrapWeights.fill(1)
  } else if (bootstrap.kind === 'Bayesian') {
    const { temperature } = bootstrap
    for (let row = 0; row < bootstrapWeights.length; row++) {
      const drawn = -Math.log(random() + 1e-100)
      bootstrapWeights[row] = temperature === 1 ? drawn : drawn ** temperature
    }
  }
}

/** CatBoost's noise: the spread of derivatives, fading as the model grows. */
function scoreNoise(options: TrainOptions, spread: number, at: { tree: number; rows: number }): number {
  const left = Math.exp(Math.log(at.rows) - at.tree * options.learningRate)
  return options.randomStrength * spread * (left / (1 + left))
}
