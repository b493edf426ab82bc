// Chooses training options on held-out slices of the training rows within a time budget, then trains a few
// members on all rows, who differ in seed and among the best options, and answer together.
import { createEvaluator, type Evaluator } from './apply-kernel.ts'
import type { FeatureColumns } from './model.ts'
import { trainTrees, type TrainData, type TrainExtra } from './train.ts'
import type { TrainOptions } from './train-options.ts'

/** The part of the budget that choosing may use. */
const CHOOSING_SHARE = 0.4
const FITTING_SHARE = 0.95
/** Members see more rows than the slices did, so they may grow a little longer. */
const LONGER = 1.1
/** A training that has begun grows at least so many trees, however late it is. */
const LEAST_TREES = 150
/** Trees on either side over which a noisy curve is averaged. */
const SMOOTHING = 20

export interface TunePlan {
  data: TrainData
  /** Cuts the rows in two; the number tells which of several cuts. */
  slice: (cut: number) => { train: TrainData; check: TrainData }
  cuts: number
  candidates: Partial<TrainOptions>[]
  /** How much worse than the best a candidate may be and still send members. */
  tolerance: number
  maxMembers: number
  seconds: number
  now: () => number
  seed: number
  threads: number
  onProgress?: ((text: string) => void) | undefined
}

export interface Member {
  evaluator: Evaluator
  /** What its values are multiplied by, so that members of different losses weigh the same. */
  factor: number
}

export interface Tuned {
  members: Member[]
  options: Partial<TrainOptions>
  iterations: number
}

interface Candidate {
  options: Partial<TrainOptions>
  curves: number[][]
  seconds: number
}

/** Members trained with the best of the candidates; one that the clock cut short counts only when it is alone. */
export function tunedMembers(plan: TunePlan): Tuned {
  const began = plan.now()
  const spent = () => (plan.now() - began) / 1000
  const candidates = judgedCandidates(plan, spent)
  const ranked = candidates
    .map((candidate) => ({ candidate, ...lowestPoint(candidate.curves, plan.tolerance) }))
    .toSorted((left, right) => left.error - right.error)
  const best = ranked[0]!
  const sending = ranked.filter(({ error }) => error <= best.error + plan.tolerance)
  const members: Member[] = []
  while (members.length < plan.maxMembers) {
    const { candidate, iterations } = sending[members.length % sending.length]!
    const expected = (candidate.seconds * iterations * LONGER) / Math.max(1, longest(candidate.curves))
    if (members.length > 0 && spent() + expected > plan.seconds * FITTING_SHARE) break
    const inTime = () => spent() < plan.seconds * FITTING_SHARE
    const goesOn = (grown: number) => grown < LEAST_TREES || inTime()
    const member = trainedMember(plan, candidate.options, { iterations, number: members.length, goesOn })
    if (members.length > 0 && !inTime()) break
    members.push(member)
    plan.onProgress?.(`member ${members.length} of up to ${plan.maxMembers} trained`)
  }
  return { members, options: best.candidate.options, iterations: best.iterations }
}

/** Trains candidates on one cut after another while the budget lasts; the first candidate is always judged. */
function judgedCandidates(plan: TunePlan, spent: () => number): Candidate[] {
  const candidates = plan.candidates.map((options): Candidate => ({ options, curves: [], seconds: 0 }))
  for (let cut = 0; cut < plan.cuts; cut++) {
    const { train, check } = plan.slice(cut)
    const startedCut = spent()
    for (const candidate of candidates) {
      const expected = Math.max(
        candidate.seconds,
        startedCut === 0 ? spent() / (candidates.indexOf(candidate) + 1) : 0,
      )
      const full = spent() + expected > plan.seconds * CHOOSING_SHARE
      if (full && candidates[0]!.curves.length > 0) return withEqualCuts(candidates)
      const before = spent()
      const options = { ...candidate.options, seed: plan.seed + cut, threads: plan.threads }
      const goesOn = (grown: number) => grown < LEAST_TREES || spent() < plan.seconds * CHOOSING_SHARE
      const { errors } = trainTrees(train, options, { validation: check, goesOn })
      candidate.curves.push(errors)
      candidate.seconds = spent() - before
      const { error, iterations } = lowestPoint([errors], plan.tolerance)
      plan.onProgress?.(
        `${candidate.options.loss ?? ''} depth ${candidate.options.depth ?? 6}: ${error.toFixed(5)} at ${iterations} trees`,
      )
    }
  }
  return candidates
}

/** Candidates judged on as many cuts as the first, or on fewer when none has more. */
function withEqualCuts(candidates: Candidate[]): Candidate[] {
  const judged = candidates.filter(({ curves }) => curves.length > 0)
  const cuts = Math.min(...judged.map(({ curves }) => curves.length))
  return judged.map((candidate) => ({ ...candidate, curves: candidate.curves.slice(0, cuts) }))
}

function longest(curves: number[][]): number {
  return curves.reduce((most, { length }) => Math.max(most, length), 0)
}

/**
 * Where the smoothed mean of several error curves is lowest, and the last tree that is hardly worse: curves are
 * noisy, and a longer forest is the steadier of two equal ones. A curve that ended early stays at its last error.
 */
function lowestPoint(curves: number[][], tolerance: number): { error: number; iterations: number } {
  const mean = Array.from({ length: longest(curves) }, (_, tree) => {
    const sum = curves.reduce((total, curve) => total + (curve[Math.min(tree, curve.length - 1)] ?? 0), 0)
    return sum / curves.length
  })
  const smooth = tolerance > 0 ? mean.map((_, tree) => meanAround(mean, tree)) : mean
  const error = smooth.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const last = smooth.findLastIndex((value) => value <= error + tolerance / 3)
  return { error: Number.isFinite(error) ? error : 0, iterations: Math.max(1, last + 1) }
}

function meanAround(values: number[], at: number): number {
  const near = values.slice(Math.max(0, at - SMOOTHING), at + SMOOTHING + 1)
  return near.reduce((sum, value) => sum + value, 0) / near.length
}

function trainedMember(
  plan: TunePlan,
  options: Partial<TrainOptions>,
  { iterations, number, goesOn }: { iterations: number; number: number; goesOn: TrainExtra['goesOn'] & {} },
): Member {
  const whole = {
    ...options,
    iterations: Math.max(1, Math.round(iterations * LONGER)),
    earlyStoppingRounds: 0,
    seed: plan.seed + 7919 * (number + 1),
    threads: plan.threads,
  }
  const { model } = trainTrees(plan.data, whole, { goesOn })
  const evaluator = createEvaluator(model)
  const spread = options.loss === 'Logloss' ? 1 : deviation(evaluator.values(plan.data.columns))
  return { evaluator, factor: spread > 0 ? 1 / spread : 1 }
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / Math.max(1, values.length))
}

/** The mean of the members' raw values. */
export function memberValues(members: Member[], columns: FeatureColumns): Float64Array {
  const sums = new Float64Array(columns.rows)
  for (const { evaluator, factor } of members) {
    const values = evaluator.values(columns)
    for (let row = 0; row < sums.length; row++) sums[row]! += (values[row]! * factor) / members.length
  }
  return sums
}

/** Rows of a table by their numbers, in that order. */
export function pickedRows(columns: FeatureColumns, rows: ArrayLike<number>): FeatureColumns {
  const take = (row: number) => row
  const chosen = Int32Array.from(rows, take)
  return {
    rows: chosen.length,
    floats: columns.floats.map((values) => Float32Array.from(chosen, (row) => values[row]!)),
    categories: columns.categories.map((hashes) => Int32Array.from(chosen, (row) => hashes[row]!)),
  }
}
