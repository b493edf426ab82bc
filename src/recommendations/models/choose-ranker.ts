// Chooses a ranker on the held-out week, and what the rules of the pages are measured on.

import { type RelativeGain, relativeGainOf } from '../../ml/relative-gain.ts'
import type { TreeModel } from '../../ml/trees/model.ts'
import type { Ranker } from '../serving/ranker.ts'
import type { Case } from './cases.ts'
import { casesOfPage, type RankedCase } from './choose-rule-shares.ts'
import { type Answer, answerCases, answeringBy, figuresOf, measureAnswers } from './measure.ts'
import type { Figures, Metrics, Model } from './model.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import { rankerOf } from '../serving/ranker.ts'
import { type LearnedSources } from './sources.ts'
import { type Pace, partOf, workedThrough } from './training-budget.ts'

/** With fewer held-out cases than these the figures say little. */
const fewestMeasured = 300
/** Of the time to measure, the share for the answers of the candidates and of all rankers; the rules have the rest. */
const answeringShare = 0.8

/** Rankers to choose from: ours, and an uploaded one that must be kept. */
export interface Rankers {
  forests: readonly TreeModel[]
  kept: TreeModel | undefined
}

const allOf = ({ forests, kept }: Rankers): Ranker[] => [...forests, ...(kept ? [kept] : [])].map(rankerOf)

export interface ChosenRanker {
  ranker: TreeModel | undefined
  /** Its number among all; −1 for none. */
  used: number
  metrics: Metrics
  /** The figures of our own ranker, when an uploaded one is kept. */
  spareRanker: Figures | null
  /** How sure the gain of our best ranker is; null without one. */
  note: string | null
  rankedCases: RankedCase[]
}

/** Both the first places and the whole list count. */
const worthOf = ({ ndcg10, recall30 }: Figures): number => Math.sqrt(ndcg10 * recall30)

/** With answers of fewer buyers the error of a gain is unknown. */
const fewestBuyers = 50
/**
 * By how many standard errors the best of so many rankers must gain. A ranker that gains nothing is used in one of ten
 * trainings at most: the best of two passes by chance twice as often as a single one, so its bound is that of half the
 * probability.
 */
const sureErrors = [1.282, 1.645]

/** Whether the best of so many rankers surely ranks better than the blend alone. */
export const isSurelyBetter = ({ gain, error, groups }: RelativeGain, rankers: number): boolean =>
  groups >= fewestBuyers && gain > error * (sureErrors[rankers - 1] ?? sureErrors.at(-1)!)

/** How much better a ranker orders the candidates than the blend does, case by case. */
const gainOf = (answers: readonly Answer[], ranker: number): RelativeGain =>
  relativeGainOf(
    answers.map((it) => ({
      group: it.buyer,
      before: worthsOf(figuresOf(it.candidates, it.relevant)),
      after: worthsOf(figuresOf(it.ranked[ranker]!, it.relevant)),
    })),
  )

const worthsOf = ({ ndcg10, recall30 }: Figures): number[] => [ndcg10, recall30]

/** How much our best ranker gains; too few answers tell nothing. */
export const noteOf = ({ gain, error, groups }: RelativeGain): string =>
  groups < fewestBuyers
    ? `answers of ${groups} buyers do not tell what the ranker gains`
    : `the ranker gains ${(gain * 100).toFixed(1)} %, standard error ${(error * 100).toFixed(1)} %`

/** An uploaded ranker is kept; else the best of ours is used when it surely ranks better than the blend alone. */
export function chooseRanker(
  model: Model,
  cases: readonly Case[],
  { pace, ...given }: Rankers & { pace: Pace },
): ChosenRanker {
  const { forests, kept } = given
  const answering = { pace: partOf(pace, answeringShare), fewest: fewestMeasured }
  const answers = workedThrough(cases, answeringBy(model, allOf(given)), answering)
  const { rankers, ...others } = measureAnswers(model, answers)
  const ours = forests.reduce(
    (best, _, at) => (worthOf(rankers[at]!) > worthOf(rankers[best]!) ? at : best),
    0,
  )
  const figures = forests.length > 0 ? (rankers[ours] ?? null) : null
  const gain = figures && gainOf(answers, ours)
  const wins = gain !== null && isSurelyBetter(gain, forests.length)
  const used = kept ? forests.length : wins ? ours : -1
  return {
    ranker: kept ?? (wins ? forests[ours] : undefined),
    used,
    metrics: { ...others, ranker: kept ? (rankers.at(-1) ?? null) : figures },
    spareRanker: kept ? figures : null,
    note:
      gain &&
      `${noteOf(gain)}: ${kept ? 'the uploaded one is kept' : wins ? 'it is used' : 'it is not used'}`,
    rankedCases: answers.map(rankedBy(used)),
  }
}

/** As a ranker orders the candidates, or as the blend does where there is none. */
const rankedBy =
  (ranker: number) =>
  ({ query, buyer, relevant, candidates, ranked }: Answer): RankedCase => ({
    query,
    buyer,
    relevant,
    ranked: ranked[ranker] ?? candidates,
  })

/** The latest cases of pages, as a ranker orders their candidates: as many as there is time for, of a large model those answered already. */
export type RankedCases = (pages: readonly ModelQuery['layer'][], ranker: number, pace: Pace) => RankedCase[]

/** A model with more bytes in its sources is not held beside the next one. */
const largeModelBytes = 100e6

/** The cases of a model that the caller does not need otherwise: a large one answers all of them at once and is freed. */
export function rankedCasesOf(model: Model, cases: readonly Case[], rankers: Rankers): RankedCases {
  if (bytesOf(model.learned) > largeModelBytes) return knownCases(answersByPage(model, cases, rankers))
  const all = allOf(rankers)
  return (pages, ranker, pace) => {
    const used = all.slice(Math.max(0, ranker), ranker + 1)
    const own = latestOf(cases, pages, casesOfPage)
    return workedThrough(own, answeringBy(model, used), { pace, fewest: fewestMeasured }).map(rankedBy(0))
  }
}

/** A function of its own, so that the result does not hold the model. */
const knownCases =
  (known: ReadonlyMap<ModelQuery['layer'], Answer[]>): RankedCases =>
  (pages, ranker) =>
    pages.flatMap((page) => known.get(page) ?? []).map(rankedBy(ranker))

const answersByPage = (model: Model, cases: readonly Case[], rankers: Rankers) => {
  const pages = [...new Set(cases.map((it) => it.query.layer))]
  const own = latestOf(cases, pages, answeredAtOnce)
  return Map.groupBy(answerCases(model, own, allOf(rankers)), ({ query }) => query.layer)
}

/** Of each page, by a large model. It is not known yet which pages need them. */
const answeredAtOnce = 800

const latestOf = (cases: readonly Case[], pages: readonly ModelQuery['layer'][], most: number): Case[] =>
  pages.flatMap((page) => cases.filter((it) => it.query.layer === page).slice(-most))

const bytesOf = (learned: LearnedSources): number =>
  Object.values(learned)
    .flatMap(({ tables }) => Object.values(tables))
    .reduce((sum, { byteLength }) => sum + byteLength, 0)
