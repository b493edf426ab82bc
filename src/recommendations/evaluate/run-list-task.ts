// Runs a list task: choose on the slice, train a ranker there, fit on all of train, evaluate every case.

import { coverage, gini } from '../../ml/metrics.ts'
import { blendRetriever } from '../../ml/retrieval/blend.ts'
import {
  caseEvaluatorFor,
  fallbackOrder,
  filled,
  figuresOf,
  exclusionsFor,
  type Exclusions,
} from '../../ml/selection/case-evaluator.ts'
import { chooseBlend, type Choice, type Chosen } from '../../ml/selection/choose-blend.ts'
import {
  affordableSources,
  caseProposerFor,
  trainListRanker,
  type Ranker,
} from '../../ml/selection/list-ranker.ts'
import { fittedRetriever } from '../../ml/selection/families.ts'
import { newTrainingSet, type TrainingSet } from '../../ml/selection/training-set.ts'
import { caseCount, listLength, type Case, type ListTask } from '../../ml/selection/list-task.ts'

/** Shares of the budget; the rest is for fitting on everything and for scoring. */
const choosingShare = 0.5
const rankerShare = 0.2
/** A model outside the blend gives features to the ranker only if it costs no more than this share. */
const featureShare = 0.02

export interface ListTaskOptions {
  budgetSeconds: number
  seed: number
  threads: number
  /** Seconds since the evaluation began. */
  elapsed: () => number
  report: (line: string) => void
  /** Receives every test case's list, in the order of the test. */
  write: (label: string, items: string[]) => void
}

export interface ListTaskResult {
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

export async function runListTask(listTask: ListTask, options: ListTaskOptions): Promise<ListTaskResult> {
  const { seed, threads, elapsed, report } = options
  const setOptions = { seed, threads, alike: listTask.alike }
  const sliceSet = newTrainingSet(listTask.slice.fit, listTask.items, setOptions)
  const started = elapsed()
  const left = options.budgetSeconds - started
  const found = await chooseBlend(listTask, sliceSet, {
    elapsed,
    deadline: started + left * choosingShare,
    end: options.budgetSeconds,
    report,
  })
  const secondsForCases = (choices: Choice[]) =>
    options.budgetSeconds - elapsed() - left * rankerShare - secondsToFit(listTask, choices)
  const cheap = found.filter(({ weight, seconds }) => weight > 0 || seconds < left * featureShare)
  const choices = affordableSources(cheap, {
    cases: caseCount(listTask),
    seconds: secondsForCases(cheap),
  })
  const exclusions = exclusionsFor(listTask)
  const now = elapsed()
  const unspent =
    options.budgetSeconds - now - secondsToFit(listTask, choices) - secondsToScore(listTask, choices)
  const ranker = trainListRanker(listTask, {
    propose: caseProposerFor(listTask, sliceSet, { sources: sourcesOf(choices), exclusions }),
    seed,
    threads,
    elapsed,
    until: now + Math.max(left * rankerShare, unspent),
    secondsForCases: secondsForCases(choices),
    report,
  })
  const chosenAt = elapsed()
  const trainingSet =
    listTask.slice.fit === listTask.fit ? sliceSet : newTrainingSet(listTask.fit, listTask.items, setOptions)
  const wanted = ranker ? choices : choices.filter(({ weight }) => weight > 0)
  const fitted = trainingSet === sliceSet ? wanted : await refit(wanted, trainingSet)
  const fittedAt = elapsed()
  report(`fitted on all of train in ${(fittedAt - chosenAt).toFixed(1)} s`)
  const listing = ranker
    ? rankedLists(listTask, trainingSet, { choices: fitted, exclusions, ranker })
    : blendLists(listTask, trainingSet, fitted, exclusions)
  const { metrics, candidates, cases } = measureLists(listTask, listing, options.write)
  return {
    metrics,
    ...(candidates && { candidates }),
    cases,
    chosen: fitted.map(({ kind, params, weight }) => ({ kind, params, weight })),
    ranker: ranker !== undefined,
    chooseSeconds: chosenAt - started,
    fitSeconds: fittedAt - chosenAt,
    listsPerSecond: cases / Math.max(1e-9, elapsed() - fittedAt),
  }
}

/** The time to refit on everything; zero where the slice is everything. */
const secondsToFit = (listTask: ListTask, choices: Choice[]): number =>
  listTask.slice.fit === listTask.fit ? 0 : choices.reduce((sum, { seconds }) => sum + seconds, 0)

/** A ranker asks every source of a case twice, of the whole history and of its last item, and scores what they propose. */
const rankedCase = 3

const secondsToScore = (listTask: ListTask, choices: Choice[]): number =>
  rankedCase * caseCount(listTask) * choices.reduce((sum, { secondsPerCase }) => sum + secondsPerCase, 0)

const sourcesOf = (choices: Choice[]) => ({
  retrievers: choices.map(({ retriever }) => retriever),
  weights: choices.map(({ weight }) => weight),
})

async function refit(choices: Choice[], trainingSet: TrainingSet): Promise<Choice[]> {
  const fitted: Choice[] = []
  for (const choice of choices) {
    fitted.push({ ...choice, retriever: await fittedRetriever(choice.family, trainingSet, choice.params) })
  }
  return fitted
}

/** The list of a case, its figures, and those of the candidates before a ranker. */
export type Listing = (testCase: Case) => { list: Int32Array; figures: number[]; before?: number[] }

function blendLists(
  listTask: ListTask,
  trainingSet: TrainingSet,
  choices: Choice[],
  exclusions: Exclusions,
): Listing {
  const evaluator = caseEvaluatorFor(listTask, exclusions, fallbackOrder(trainingSet))
  const blend = blendRetriever(choices, listTask.items, exclusions.skip)
  return (testCase) => evaluator.evaluate(blend, testCase)
}

interface Ranking {
  choices: Choice[]
  exclusions: Exclusions
  ranker: Ranker
}

function rankedLists(
  listTask: ListTask,
  trainingSet: TrainingSet,
  { choices, exclusions, ranker }: Ranking,
): Listing {
  const propose = caseProposerFor(listTask, trainingSet, { sources: sourcesOf(choices), exclusions })
  const fallback = fallbackOrder(trainingSet)
  return ({ history, relevant }) => {
    const candidates = propose(history)
    const list = filled(ranker.order(candidates).subarray(0, listLength), fallback, exclusions)
    const before = filled(candidates.ids.subarray(0, listLength), fallback, exclusions)
    return {
      list,
      figures: figuresOf(listTask.measures, list, relevant),
      before: figuresOf(listTask.measures, before, relevant),
    }
  }
}

/**
 * The figures of the lists of every case, for both engines. Where lists may repeat the history, cases whose answer is not
 * part of it are also reported alone, as `… new`.
 */
export function measureLists(
  listTask: ListTask,
  listing: Listing,
  write: ListTaskOptions['write'],
): Pick<ListTaskResult, 'metrics' | 'cases'> & { candidates: Record<string, number> | undefined } {
  const { measures, repeats, names, items } = listTask
  const sums = { all: meanOf(measures), before: meanOf(measures), fresh: meanOf(measures) }
  const lists: Int32Array[] = []
  for (const testCase of listTask.cases()) {
    const { list, figures, before } = listing(testCase)
    sums.all.add(figures)
    if (before) sums.before.add(before)
    if (repeats === 'allowed' && !testCase.relevant.some((item) => testCase.history.includes(item)))
      sums.fresh.add(figures)
    lists.push(list)
    write(
      testCase.label,
      Array.from(list, (item) => names[item]!),
    )
  }
  const metrics = {
    ...sums.all.means(),
    ...sums.fresh.means(' new'),
    coverage: coverage(lists, items),
    gini: gini(lists, items),
  }
  const candidates = sums.before.means()
  return {
    metrics,
    candidates: Object.keys(candidates).length > 0 ? candidates : undefined,
    cases: lists.length,
  }
}

/** Sums figures by measure; no means without any. */
function meanOf(measures: ListTask['measures']) {
  const sums = measures.map(() => 0)
  let count = 0
  return {
    add(figures: readonly number[]): void {
      count++
      figures.forEach((figure, at) => (sums[at]! += figure))
    },
    means: (suffix = ''): Record<string, number> =>
      count === 0
        ? {}
        : Object.fromEntries(measures.map(({ name }, at) => [`${name}${suffix}`, sums[at]! / count])),
  }
}
