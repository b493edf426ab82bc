// Chooses recipes on held-out slices of the training rows within a time budget, then trains a few members on all
// rows that differ in seed and recipe; their mean is the prediction.
import { termName } from './additive-terms.ts'
import { trainAdditive, type WeighedTerm } from './additive-model.ts'
import type { Evaluator } from './apply-kernel.ts'
import { chooseTerms } from './choose-terms.ts'
import type { FeatureColumns } from './model.ts'
import { bestShare, choosePartner, mixed, trainedPartner } from './partner.ts'
import { stacking, unstacked } from './stacked.ts'
import { hasOwnScale, named, trainWith, validated, type Recipe, type Validation } from './training-recipe.ts'
import type { TrainData } from './train.ts'

/** The part of the budget that choosing may use. */
const choosingShare = 0.4
/** The part after which no trees are stacked: they are chosen after the candidates. */
const stackingShare = 0.65
/** The part after which the model of another kind is not trained longer to find its share. */
const partnerShare = 0.7
const fittingShare = 0.95
/** Members see more rows than the slices did, so they may grow a little longer. */
const iterationFactor = 1.1
/** A training that has begun grows at least this many trees, even after the deadline. */
const leastTrees = 150
/** Trees on either side over which a noisy curve is averaged. */
const smoothing = 20

export interface TunePlan {
  data: TrainData
  /** Splits the rows in two; the number selects one of several splits. */
  slice: (cut: number) => { train: TrainData; check: TrainData }
  cuts: number
  candidates: Recipe[]
  /** How much worse than the best a candidate may be and still contribute members. */
  tolerance: number
  /** How much worse than its best a curve may be where it is cut: of two equal forests the longer one is more stable. */
  slack: number
  maxMembers: number
  /**
   * Whether other models help where they win on the first slice: trees stacked on an additive model, and a model of
   * another kind that takes a share. For log-loss and candidates that stop early alone.
   */
  partner: boolean
  seconds: number
  now: () => number
  seed: number
  threads: number
  onProgress?: ((text: string) => void) | undefined
}

export interface Member {
  evaluator: Pick<Evaluator, 'values'>
  /** What its values are multiplied by: its share, and for members of different losses the same spread. */
  factor: number
}

interface Candidate {
  recipe: Recipe
  curves: number[][]
  seconds: number
  first: Validation | undefined
  /** Terms of the additive model that its trees are stacked on. */
  terms?: WeighedTerm[]
}

interface Ranked {
  candidate: Candidate
  error: number
  iterations: number
}

/** Trees stacked on an additive model, and what shares of others are chosen beside. */
interface Stacked extends Ranked {
  terms: WeighedTerm[]
  /** The share of stacked trees beside those of the candidate alone. */
  treeShare: number
  /** The share of the additive model itself beside the trees. */
  share: number
  /** Values of trees and additive model together on the rows held out. */
  together: Float64Array
}

/** Members trained with the best of the candidates; one that the clock cut short counts only when it is alone. */
export function tuneMembers(plan: TunePlan): Member[] {
  const began = plan.now()
  const spent = () => (plan.now() - began) / 1000
  const candidates = judgedCandidates(plan, spent)
  const ranked = candidates
    .map((candidate) => ({ candidate, ...lowestPoint(candidate.curves, plan.slack) }))
    .toSorted((left, right) => left.error - right.error)
  const stacked = plan.partner ? stackedCandidate(plan, ranked[0]!, spent) : undefined
  const sending =
    stacked === undefined
      ? ranked.filter(({ error }) => error <= ranked[0]!.error + plan.tolerance)
      : [ranked[0]!, stacked]
  const shares = stacked === undefined ? sending.map(() => 1) : [1 - stacked.treeShare, stacked.treeShare]
  const others = plan.partner ? otherMembers(plan, { best: ranked[0]!.candidate, stacked }, spent) : []
  const members: (Member & { sender: number })[] = []
  const sent = sending.map(() => 0)
  while (members.length < plan.maxMembers) {
    const sender = nextSender(shares, sent)
    const { candidate, iterations } = sending[sender]!
    const expected =
      (candidate.seconds * iterations * iterationFactor) / Math.max(1, longest(candidate.curves))
    if (members.length > 0 && spent() + expected > plan.seconds * fittingShare) break
    const inTime = () => spent() < plan.seconds * fittingShare
    const shouldContinue = (grown: number) => grown < leastTrees || inTime()
    const member = trainedMember(plan, candidate, {
      iterations,
      number: members.length,
      shouldContinue,
    })
    if (members.length > 0 && !inTime()) break
    members.push({ ...member, sender })
    sent[sender]!++
    const kind = candidate.terms === undefined ? '' : ', stacked'
    plan.onProgress?.(`member ${members.length} of up to ${plan.maxMembers} trained${kind}`)
  }
  const weights = members.map(({ sender }) => (stacked === undefined ? 1 : shares[sender]! / sent[sender]!))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const left = 1 - others.reduce((sum, { factor }) => sum + factor, 0)
  members.forEach((member, at) => (member.factor *= (left * weights[at]!) / total))
  return [...members, ...others]
}

/** Whose turn it is: every sender once, then the one that has sent least for its share. */
function nextSender(shares: number[], sent: number[]): number {
  const waiting = shares.map((share, sender) => (sent[sender] === 0 ? 0 : (sent[sender]! + 1) / share))
  return waiting.indexOf(Math.min(...waiting))
}

/** Trains candidates on one cut after another while the budget lasts; the first candidate is always judged. */
function judgedCandidates(plan: TunePlan, spent: () => number): Candidate[] {
  const candidates = plan.candidates.map((recipe): Candidate => ({
    recipe,
    curves: [],
    seconds: 0,
    first: undefined,
  }))
  for (let cut = 0; cut < plan.cuts; cut++) {
    const sides = plan.slice(cut)
    const startedCut = spent()
    for (const candidate of candidates) {
      const expected = Math.max(
        candidate.seconds,
        startedCut === 0 ? spent() / (candidates.indexOf(candidate) + 1) : 0,
      )
      const full = spent() + expected > plan.seconds * choosingShare
      if (full && candidates[0]!.curves.length > 0) return withEqualCuts(candidates)
      const before = spent()
      const shouldContinue = (grown: number) => grown < leastTrees || spent() < plan.seconds * choosingShare
      const run = { seed: plan.seed + cut, threads: plan.threads, shouldContinue }
      const validation = validated(candidate.recipe, sides, run)
      const { errors } = validation
      candidate.first ??= validation
      candidate.curves.push(errors)
      candidate.seconds = spent() - before
      const { error, iterations } = lowestPoint([errors], plan.slack)
      plan.onProgress?.(`${named(candidate.recipe)}: ${error.toFixed(5)} after step ${iterations}`)
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
 * Where the mean of several error curves is lowest, and the last tree that is hardly worse; with slack, of curves
 * smoothed, because they are noisy. A curve that ended early stays at its last error.
 */
function lowestPoint(curves: number[][], slack: number): { error: number; iterations: number } {
  const mean = Array.from({ length: longest(curves) }, (_, tree) => {
    const sum = curves.reduce((total, curve) => total + (curve[Math.min(tree, curve.length - 1)] ?? 0), 0)
    return sum / curves.length
  })
  const smooth = slack > 0 ? mean.map((_, tree) => meanAround(mean, tree)) : mean
  const error = smooth.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const last = smooth.findLastIndex((value) => value <= error + slack)
  return { error: Number.isFinite(error) ? error : 0, iterations: Math.max(1, last + 1) }
}

function meanAround(values: number[], at: number): number {
  const near = values.slice(Math.max(0, at - smoothing), at + smoothing + 1)
  return near.reduce((sum, value) => sum + value, 0) / near.length
}

function trainedMember(
  plan: TunePlan,
  { recipe, terms }: Candidate,
  {
    iterations,
    number,
    shouldContinue,
  }: { iterations: number; number: number; shouldContinue: (grown: number) => boolean },
): Member {
  const seed = plan.seed + 7919 * (number + 1)
  const stack = terms === undefined ? undefined : stacking(plan.data, terms, seed)
  const trained = trainWith(recipe, stack?.data ?? plan.data, {
    iterations: Math.max(1, Math.round(iterations * iterationFactor)),
    seed,
    threads: plan.threads,
    shouldContinue,
  })
  const evaluator = stack === undefined ? trained : unstacked(trained, stack)
  const spread = hasOwnScale(recipe) ? 1 : deviation(evaluator.values(plan.data.columns))
  return { evaluator, factor: spread > 0 ? 1 / spread : 1 }
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / Math.max(1, values.length))
}

/**
 * The best candidate stacked on an additive model, where a share of it helps the candidate. Terms are chosen on the
 * training side of the first slice only, and the number of trees is the candidate's, so that only the share was fitted
 * to the rows that judge.
 */
function stackedCandidate(plan: TunePlan, best: Ranked, spent: () => number): Stacked | undefined {
  const { recipe, first, seconds } = best.candidate
  if (first === undefined || recipe.kind !== 'boosted' || plan.data.columns.categories.length < 2) {
    return undefined
  }
  const inTime = () => spent() + seconds < plan.seconds * stackingShare
  if (!inTime()) return undefined
  const { train, check } = plan.slice(0)
  const terms = chooseTerms(train, { seed: plan.seed, shouldContinue: inTime })
  if (terms.length === 0) return undefined
  const names = terms.map(({ term, ridge }) => `${termName(term)} (${ridge})`)
  plan.onProgress?.(`additive model: ${names.join(', ')}`)
  const stack = stacking(train, terms, plan.seed)
  const sides = { train: stack.data, check: { ...check, columns: stack.extended(check.columns) } }
  const began = spent()
  const options = { ...recipe.options, iterations: best.iterations, earlyStoppingRounds: 0 }
  const validation = validated({ ...recipe, options }, sides, {
    seed: plan.seed,
    threads: plan.threads,
    shouldContinue: (grown) => grown < leastTrees || spent() < plan.seconds * stackingShare,
  })
  const curves = [validation.errors]
  const iterations = validation.errors.length
  const error = validation.errors.at(-1)!
  const alone = first.values()
  const values = validation.values()
  const { share: treeShare } = bestShare(values, alone, check)
  const trees = mixed(values, alone, treeShare)
  const additive = stack.whole.values(check.columns)
  const { share } = bestShare(additive, trees, check)
  const used =
    treeShare > 0
      ? `share ${treeShare.toFixed(2)}, share of the additive model ${share.toFixed(2)}`
      : 'not used'
  plan.onProgress?.(`stacked trees: ${error.toFixed(5)} after tree ${iterations}, ${used}`)
  if (treeShare === 0) return undefined
  const candidate: Candidate = { recipe, curves, seconds: spent() - began, first: undefined, terms }
  return { candidate, error, iterations, terms, treeShare, share, together: mixed(additive, trees, share) }
}

/** Models beside trees, trained on all rows with the shares they have on the first slice. */
function otherMembers(
  plan: TunePlan,
  { best, stacked }: { best: Candidate; stacked: Stacked | undefined },
  spent: () => number,
): Member[] {
  const values = stacked?.together ?? best.first?.values()
  if (values === undefined) return []
  const { seed } = plan
  const shouldContinue = () => spent() < plan.seconds * partnerShare
  const choice = choosePartner(plan.slice(0), values, { seed, shouldContinue })
  plan.onProgress?.(`factorisation machines: share ${choice.share.toFixed(2)} after pass ${choice.passes}`)
  const members: Member[] = []
  if (choice.share > 0) {
    members.push({ evaluator: trainedPartner(plan.data, choice, seed), factor: choice.share })
  }
  const share = (stacked?.share ?? 0) * (1 - choice.share)
  if (stacked !== undefined && share > 0) {
    members.push({ evaluator: trainAdditive(plan.data, stacked.terms), factor: share })
  }
  return members
}

/** The weighted mean of the members' raw values. */
export function memberValues(members: Member[], columns: FeatureColumns): Float64Array {
  const sums = new Float64Array(columns.rows)
  for (const { evaluator, factor } of members) {
    const values = evaluator.values(columns)
    for (let row = 0; row < sums.length; row++) sums[row]! += values[row]! * factor
  }
  return sums
}
