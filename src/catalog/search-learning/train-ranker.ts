// Trains the ranker on windows of days: the statistics of the days before a window, the labels of the window. No choice is
// part of the statistics that shall predict it.

import { trainTrees } from '../../ml/trees/train.ts'
import { writtenModel } from '../../ml/trees/write-model.ts'
import { type SearchOutcome, weightOf } from './learn.ts'
import {
  type Candidates,
  ChoiceStatistics,
  exampleOf,
  type RankerStatistics,
  type RankingExample,
  statisticsOf,
  trainDataOf,
} from './ranker.ts'

/** A trained ranker as it is stored. */
export interface LearnedRanker {
  /** The text of a model of trees. */
  model: string
  statistics: RankerStatistics
}

/** Few and shallow trees: they must order a page within a millisecond, and there may be little to learn from. */
const treeOptions = { loss: 'QueryRMSE', iterations: 120, learningRate: 0.08, depth: 4, l2: 10 } as const
const windows = 4
const maxExamples = 1_500
const minExamples = 50

/** A ranker for the days after these; undefined when they are too few. */
export async function trainRanker(
  outcomes: readonly SearchOutcome[],
  candidatesOf: (query: string) => Promise<Candidates>,
): Promise<LearnedRanker | undefined> {
  const days = [...new Set(outcomes.map((it) => it.day))].sort()
  const examples: RankingExample[] = []
  for (let window = 1; window < windows; window++) {
    const from = days[Math.floor((days.length * window) / windows)]
    const until = days[Math.floor((days.length * (window + 1)) / windows)]
    if (from === undefined) continue
    const before = outcomes.filter((it) => it.day < from)
    const after = outcomes.filter((it) => it.day >= from && (until === undefined || it.day < until))
    examples.push(...(await examplesOf({ before, after }, candidatesOf)))
  }
  if (examples.length < minExamples) return undefined
  return {
    model: writtenModel(trainTrees(trainDataOf(examples), treeOptions).model),
    statistics: statisticsOf(outcomes),
  }
}

/** The most frequent queries of a window. */
async function examplesOf(
  { before, after }: { before: SearchOutcome[]; after: SearchOutcome[] },
  candidatesOf: (query: string) => Promise<Candidates>,
): Promise<RankingExample[]> {
  const statistics = new ChoiceStatistics(statisticsOf(before))
  const asked = [...Map.groupBy(after, (it) => it.query)]
    .map(([query, its]) => ({ query, its, weight: weightOf(its) }))
    .toSorted((a, b) => b.weight - a.weight || (a.query < b.query ? -1 : 1))
    .slice(0, Math.floor(maxExamples / (windows - 1)))
  const examples: RankingExample[] = []
  for (const { query, its } of asked) {
    const candidates = await candidatesOf(query)
    const example = exampleOf(its, candidates, statistics.features(query, candidates))
    if (example) examples.push(example)
  }
  return examples
}
