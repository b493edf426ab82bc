// One evaluation of a list task: choose on the slice, learn a ranker there, fit on all of train, ask every case.

import { coverage, gini } from '../ml/metrics.ts'
import { blendRetriever } from '../ml/retrieval/blend.ts'
import { askerFor, filled, figuresOf, guardFor, type Guard } from './asking.ts'
import { chosenBlend, fallbackOrder, type Choice, type Chosen } from './choose.ts'
import { candidateDesk, learntRanker, type Ranker } from './ranker.ts'
import { shelfOf, type Shelf } from './shelf.ts'
import { LIST_LENGTH, type Case, type Trial } from './trial.ts'

/** Shares of the budget; what is left is for fitting on everything and for asking. */
const CHOOSING_SHARE = 0.5
const RANKER_SHARE = 0.2
/** A model outside the blend gives features to the ranker only if it costs no more than this share. */
const FEATURE_SHARE = 0.02

export interface TrialOptions {
  budgetSeconds: number
  seed: number
  threads: number
  /** Seconds since the evaluation began. */
  elapsed: () => number
  tell: (line: string) => void
  /** Receives every test case's list, in the order of the test. */
  write: (label: string, items: string[]) => void
}

export interface TrialResult {
  metrics: Record<string, number>
  /** The same measures of the candidates before the ranker, when one was used. */
  candidates?: Record<string, number>
  cases: number
  chosen: Chosen[]
  ranker: boolean
  chooseSeconds: number
  fitSeconds: number
  listsPerSecond: number
}

export async function runTrial(trial: Trial, options: TrialOptions): Promise<TrialResult> {
  const { seed, threads, elapsed, tell } = options
  const shelfOptions = { seed, threads, alike: trial.alike }
  const sliceShelf = shelfOf(trial.slice.fit, trial.items, shelfOptions)
  const started = elapsed()
  const left = options.budgetSeconds - started
  const found = await chosenBlend(trial, sliceShelf, {
    elapsed,
    deadline: started + left * CHOOSING_SHARE,
    end: options.budgetSeconds,
    tell,
  })
  const choices = found.filter(({ weight, seconds }) => weight > 0 || seconds < left * FEATURE_SHARE)
  const guard = guardFor(trial)
  const ranker = learntRanker(trial, {
    desk: candidateDesk(trial, sliceShelf, { sources: sourcesOf(choices), guard }),
    seed,
    threads,
    elapsed,
    until: elapsed() + left * RANKER_SHARE,
    secondsToAsk: options.budgetSeconds - elapsed() - left * RANKER_SHARE - secondsToFit(trial, choices),
    tell,
  })
  const chosenAt = elapsed()
  const shelf = trial.slice.fit === trial.fit ? sliceShelf : shelfOf(trial.fit, trial.items, shelfOptions)
  const wanted = ranker ? choices : choices.filter(({ weight }) => weight > 0)
  const fitted = shelf === sliceShelf ? wanted : await refitted(wanted, shelf)
  const fittedAt = elapsed()
  tell(`fitted on all of train in ${(fittedAt - chosenAt).toFixed(1)} s`)
  const listing = ranker
    ? rankedLists(trial, shelf, { choices: fitted, guard, ranker })
    : blendLists(trial, shelf, fitted, guard)
  const { metrics, candidates, count } = askedAll(trial, listing, options.write)
  return {
    metrics,
    ...(candidates && { candidates }),
    cases: count,
    chosen: fitted.map(({ kind, params, weight }) => ({ kind, params, weight })),
    ranker: ranker !== undefined,
    chooseSeconds: chosenAt - started,
    fitSeconds: fittedAt - chosenAt,
    listsPerSecond: count / Math.max(1e-9, elapsed() - fittedAt),
  }
}

/** What fitting again on everything will take: nothing where the slice is everything. */
const secondsToFit = (trial: Trial, choices: Choice[]): number =>
  trial.slice.fit === trial.fit ? 0 : choices.reduce((sum, { seconds }) => sum + seconds, 0)

const sourcesOf = (choices: Choice[]) => ({
  retrievers: choices.map(({ retriever }) => retriever),
  weights: choices.map(({ weight }) => weight),
})

async function refitted(choices: Choice[], shelf: Shelf): Promise<Choice[]> {
  const fitted: Choice[] = []
  for (const choice of choices) {
    fitted.push({ ...choice, retriever: await choice.family.fitted(shelf, choice.params) })
  }
  return fitted
}

/** The list of a case, its figures, and those of the candidates before a ranker. */
type Listing = (asked: Case) => { list: Int32Array; figures: number[]; before?: number[] }

function blendLists(trial: Trial, shelf: Shelf, choices: Choice[], guard: Guard): Listing {
  const asker = askerFor(trial, guard, fallbackOrder(shelf))
  const blend = blendRetriever(choices, trial.items, guard.skip)
  return (asked) => asker.ask(blend, asked)
}

interface Ranking {
  choices: Choice[]
  guard: Guard
  ranker: Ranker
}

function rankedLists(trial: Trial, shelf: Shelf, { choices, guard, ranker }: Ranking): Listing {
  const desk = candidateDesk(trial, shelf, { sources: sourcesOf(choices), guard })
  const fallback = fallbackOrder(shelf)
  return ({ history, relevant }) => {
    const candidates = desk(history)
    const list = filled(ranker.order(candidates).subarray(0, LIST_LENGTH), fallback, guard)
    const before = filled(candidates.ids.subarray(0, LIST_LENGTH), fallback, guard)
    return {
      list,
      figures: figuresOf(trial.measures, list, relevant),
      before: figuresOf(trial.measures, before, relevant),
    }
  }
}

function askedAll(trial: Trial, listing: Listing, write: TrialOptions['write']) {
  const sums = trial.measures.map(() => 0)
  const beforeSums = trial.measures.map(() => 0)
  const lists: Int32Array[] = []
  let ranked = false
  for (const asked of trial.cases()) {
    const { list, figures, before } = listing(asked)
    figures.forEach((figure, at) => (sums[at]! += figure))
    before?.forEach((figure, at) => (beforeSums[at]! += figure))
    ranked ||= before !== undefined
    lists.push(list)
    write(
      asked.label,
      Array.from(list, (item) => trial.names[item]!),
    )
  }
  const means = (all: number[]) =>
    Object.fromEntries(trial.measures.map(({ name }, at) => [name, all[at]! / Math.max(1, lists.length)]))
  const metrics = { ...means(sums), coverage: coverage(lists, trial.items), gini: gini(lists, trial.items) }
  return { metrics, candidates: ranked ? means(beforeSums) : undefined, count: lists.length }
}
