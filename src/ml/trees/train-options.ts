import type { NanMode } from './borders.ts'
import type { ScoreFunction } from './grower.ts'
import { ModelError } from './model-error.ts'

export const losses = ['Logloss', 'RMSE', 'QueryRMSE', 'YetiRank', 'LambdaMart'] as const
export type LossName = (typeof losses)[number]

/** How rows are weighted again to grow each tree. Leaf values always use all rows with their own weights. */
export type Bootstrap =
  | { kind: 'No' }
  | { kind: 'Bayesian'; temperature: number }
  | { kind: 'Bernoulli'; share: number }

export interface TrainOptions {
  loss: LossName
  iterations: number
  learningRate: number
  depth: number
  l2: number
  score: ScoreFunction
  leafMethod: 'Newton' | 'Gradient'
  leafIterations: number
  /**
   * Where derivatives are drawn at random: whether leaves take draws and sums of their own, as CatBoost has it, or
   * those of the search, which is as good and three times as cheap.
   */
  freshLeaves: boolean
  randomStrength: number
  bootstrap: Bootstrap
  /** The share of column groups each tree may use. */
  featureShare: number
  borderCount: number
  nanMode: NanMode
  boostFromAverage: boolean
  /** A categorical feature of at most this many values is split by equality; others through target statistics. */
  oneHotMaxSize: number
  /** How many categorical features one target statistic may combine. */
  maxCtrComplexity: number
  maxCtrTables: number
  ctrBorderCount: number
  /** Orders of rows in which target statistics are made; one more serves the leaf values. */
  permutations: number
  /**
   * Makes training rows resemble new ones, whose statistics come from all rows: there are also exact counts
   * of the other rows, rows early in a block's order have less weight, and leaf values are the mean over
   * the blocks (ADR 0093). Combinations that divide the rows like a smaller one have no statistics (ADR 0105).
   * CatBoost does none of these. For RMSE and Logloss.
   */
  matchNewRows: boolean
  /** How strongly a statistic of many distinct keys is held back. */
  modelSizeReg: number
  /** Trees without improvement on the validation rows after which training ends; 0 never ends early. */
  earlyStoppingRounds: number
  seed: number
  threads: number
  /** Which engine grows the trees; both give the same bytes. */
  engine: 'kernel' | 'plain'
}

export const defaultOptions: TrainOptions = {
  loss: 'RMSE',
  iterations: 500,
  learningRate: 0.05,
  depth: 6,
  l2: 3,
  score: 'Cosine',
  leafMethod: 'Newton',
  leafIterations: 1,
  freshLeaves: false,
  randomStrength: 1,
  bootstrap: { kind: 'Bayesian', temperature: 1 },
  featureShare: 1,
  borderCount: 254,
  nanMode: 'Min',
  boostFromAverage: true,
  oneHotMaxSize: 2,
  maxCtrComplexity: 2,
  maxCtrTables: 128,
  ctrBorderCount: 15,
  permutations: 3,
  matchNewRows: false,
  modelSizeReg: 0.5,
  earlyStoppingRounds: 0,
  seed: 0,
  threads: 1,
  engine: 'kernel',
}

/** Of rankers that reorder the candidates of a case: those of `evaluate` and of the served engine. */
export const candidateTrees = {
  loss: 'QueryRMSE',
  iterations: 400,
  learningRate: 0.06,
  depth: 6,
  l2: 10,
  earlyStoppingRounds: 30,
} as const satisfies Partial<TrainOptions>

//                   option                 least  most
const ranges: [keyof TrainOptions, number, number][] = [
  ['iterations', 1, 100_000],
  ['learningRate', 1e-9, 10],
  ['depth', 1, 10],
  ['l2', 0, 1e12],
  ['leafIterations', 1, 100],
  ['randomStrength', 0, 1e6],
  ['featureShare', 1e-6, 1],
  ['borderCount', 1, 255],
  ['oneHotMaxSize', 0, 255],
  ['maxCtrComplexity', 0, 8],
  ['maxCtrTables', 0, 10_000],
  ['ctrBorderCount', 1, 255],
  ['permutations', 1, 16],
  ['modelSizeReg', 0, 100],
  ['earlyStoppingRounds', 0, 100_000],
  ['threads', 1, 64],
]

/** Options with defaults filled in, or a ModelError naming the one that is out of its range. */
export function completeOptions(given: Partial<TrainOptions>): TrainOptions {
  const options = { ...defaultOptions, ...given }
  for (const [name, least, most] of ranges) {
    const value = options[name] as number
    if (!(value >= least && value <= most)) {
      throw new ModelError(`The option ${name} is ${value}, but it should be from ${least} to ${most}.`)
    }
  }
  if (!losses.includes(options.loss)) throw new ModelError(`There is no loss named ${options.loss}.`)
  return options
}
