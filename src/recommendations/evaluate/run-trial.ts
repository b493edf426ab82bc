// One evaluation of a list task: choose on the slice, fit on all of train, ask every test case.

import { coverage, gini } from '../ml/metrics.ts'
import { blendRetriever } from '../ml/retrieval/blend.ts'
import type { Retriever } from '../ml/retrieval/board.ts'
import { askerFor, guardFor, type Guard } from './asking.ts'
import { chosenBlend, fallbackOrder, type Chosen } from './choose.ts'
import { families } from './families.ts'
import { shelfOf, type Shelf } from './shelf.ts'
import type { Trial } from './trial.ts'

/** The share of the budget for choosing; the rest is for fitting on everything and for asking. */
const CHOOSING_SHARE = 0.55

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
  cases: number
  chosen: Chosen[]
  chooseSeconds: number
  fitSeconds: number
  listsPerSecond: number
}

export async function runTrial(trial: Trial, options: TrialOptions): Promise<TrialResult> {
  const { seed, threads, elapsed, tell } = options
  const shelfOptions = { seed, threads, alike: trial.alike }
  const sliceShelf = shelfOf(trial.slice.fit, trial.items, shelfOptions)
  const started = elapsed()
  const deadline = started + (options.budgetSeconds - started) * CHOOSING_SHARE
  const chosen = await chosenBlend(trial, sliceShelf, { elapsed, deadline, tell })
  const chosenAt = elapsed()
  const shelf = trial.slice.fit === trial.fit ? sliceShelf : shelfOf(trial.fit, trial.items, shelfOptions)
  const guard = guardFor(trial)
  const retriever = await fittedBlend(chosen, shelf, guard)
  const fittedAt = elapsed()
  tell(`fitted on all of train in ${(fittedAt - chosenAt).toFixed(1)} s`)
  const { lists, sums, count } = askedAll(trial, shelf, { retriever, guard, write: options.write })
  const seconds = elapsed() - fittedAt
  const metrics: Record<string, number> = {}
  trial.measures.forEach(({ name }, at) => (metrics[name] = sums[at]! / Math.max(1, count)))
  metrics['coverage'] = coverage(lists, trial.items)
  metrics['gini'] = gini(lists, trial.items)
  return {
    metrics,
    cases: count,
    chosen,
    chooseSeconds: chosenAt - started,
    fitSeconds: fittedAt - chosenAt,
    listsPerSecond: count / Math.max(1e-9, seconds),
  }
}

async function fittedBlend(chosen: Chosen[], shelf: Shelf, guard: Guard): Promise<Retriever> {
  const parts = []
  for (const { kind, params, weight } of chosen) {
    const family = families.find((known) => known.kind === kind)!
    parts.push({ retriever: await family.fitted(shelf, params), weight })
  }
  return blendRetriever(parts, shelf.items, guard.skip)
}

interface Asking {
  retriever: Retriever
  guard: Guard
  write: TrialOptions['write']
}

function askedAll(trial: Trial, shelf: Shelf, { retriever, guard, write }: Asking) {
  const asker = askerFor(trial, guard, fallbackOrder(shelf))
  const sums = trial.measures.map(() => 0)
  const lists: Int32Array[] = []
  for (const asked of trial.cases()) {
    const { list, figures } = asker.ask(retriever, asked)
    figures.forEach((figure, at) => (sums[at]! += figure))
    lists.push(list)
    write(
      asked.label,
      Array.from(list, (item) => trial.names[item]!),
    )
  }
  return { lists, sums, count: lists.length }
}
