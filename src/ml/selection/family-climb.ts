// The search for the best parameters of one family on the slice: one parameter moves at a time.

import { caseEvaluatorFor, exclusionsFor, fallbackOrder, type CaseEvaluator } from './case-evaluator.ts'
import type { Family, Params } from './families.ts'
import type { ListTask } from './list-task.ts'
import type { TrainingSet } from './training-set.ts'
import { overall, type TriedModel } from './blend-weights.ts'

interface Trying {
  listTask: ListTask
  trainingSet: TrainingSet
  evaluator: CaseEvaluator
  clock: { elapsed: () => number; report: (line: string) => void }
  /** Awaited, so that its I/O can proceed between trials. */
  onTrial?: (trial: Trial) => void | Promise<void>
}

/** A trial of parameters: how good they are, the time that it took, and what it fitted. */
export type Trial = Pick<TriedModel, 'params' | 'score' | 'seconds' | 'fitSeconds' | 'tables'>

export type TryingOptions = Omit<Trying, 'evaluator'>

/** The first trial of a family. */
export const tryOnce = (family: Family, how: TryingOptions): Promise<TriedModel> =>
  tryParams(family, family.start, withEvaluator(how))

export function withEvaluator<How extends TryingOptions>(how: How): How & Pick<Trying, 'evaluator'> {
  const { listTask, trainingSet } = how
  return {
    ...how,
    evaluator: caseEvaluatorFor(listTask, exclusionsFor(listTask), fallbackOrder(trainingSet)),
  }
}

interface ClimbOptions<Kept extends Trial> extends Trying {
  /** The most trials; without a limit by default. */
  trials?: number
  /** What is kept of the best trial. */
  keep: (trial: TriedModel) => Kept
}

/** Along which axis, and in which direction. */
interface Move {
  axis: string
  step: 1 | -1
}

/**
 * Moves along one axis after the other while the slice improves. It can be stopped at any time and continued: what it tries
 * next depends on what it has tried, not on when it was stopped.
 */
export class FamilyClimb<Kept extends Trial> {
  readonly #family: Family
  readonly #options: ClimbOptions<Kept>
  readonly #costs: ReturnType<typeof costsOfMoves>
  readonly #seen: Set<string>
  /** A round makes each of them, as far as it gains. */
  readonly #moves: readonly Move[]
  #round = newRound()
  #best: Kept
  #isDone = false

  /** From the first trial of the family on. */
  constructor(family: Family, options: ClimbOptions<Kept>, first: Kept) {
    this.#family = family
    this.#options = options
    this.#costs = costsOfMoves(family, first)
    this.#seen = new Set([JSON.stringify(family.start)])
    this.#moves = Object.keys(family.axes).flatMap((axis) => [
      { axis, step: 1 },
      { axis, step: -1 },
    ])
    this.#best = first
  }

  get best(): Kept {
    return this.#best
  }

  /** How many trials there were. */
  get tried(): number {
    return this.#seen.size
  }

  /** Whether no move is left that could gain. */
  get isDone(): boolean {
    return this.#isDone
  }

  /**
   * A move that would not end before `until` waits for a later call. One that would not even end before the `end` of the
   * search is left out, and others are made.
   */
  async goOn(until: number, end = until): Promise<Kept> {
    while (!this.#isDone) {
      const move = this.#moves[this.#round.at]
      if (!move) {
        const { gained, leftOut } = this.#round
        this.#round = newRound()
        this.#isDone = !gained && !leftOut
        if (!gained) break
      } else if (!(await this.#make(move, until, end))) break
    }
    return this.#best
  }

  /** One trial; false where it must wait. A move that gains is made again. */
  async #make({ axis, step }: Move, until: number, end: number): Promise<boolean> {
    const values = this.#family.axes[axis]!
    const { clock, trials = Infinity, keep } = this.#options
    const value = values[values.indexOf(this.#best.params[axis]!) + step]
    const params = { ...this.#best.params, [axis]: value ?? 0 }
    const round = this.#round
    if (value === undefined || this.#seen.has(JSON.stringify(params))) {
      round.at++
      return true
    }
    const endsAt = clock.elapsed() + this.#costs.along(axis)
    if (endsAt > end) {
      round.at++
      round.leftOut = true
      return true
    }
    if (endsAt > until) return false
    if (this.#seen.size >= trials) {
      this.#isDone = true
      return true
    }
    this.#seen.add(JSON.stringify(params))
    const next = await tryParams(this.#family, params, this.#options)
    this.#costs.note(axis, next.seconds)
    if (next.score > this.#best.score) {
      this.#best = keep(next)
      round.gained = true
    } else round.at++
    return true
  }
}

const newRound = () => ({ at: 0, gained: false, leftOut: false })

/** What the next trial along an axis will take: about as much as the latest one that did the same work. */
function costsOfMoves({ cheapAxes }: Family, { seconds, fitSeconds }: Pick<Trial, 'seconds' | 'fitSeconds'>) {
  const expected = { fitting: seconds, scoring: 1.5 * (seconds - fitSeconds) }
  const workOf = (axis: string) => (cheapAxes.includes(axis) ? 'scoring' : 'fitting')
  return {
    along: (axis: string): number => expected[workOf(axis)],
    note: (axis: string, took: number): void => {
      const work = workOf(axis)
      expected[work] = Math.max(expected[work] * 0.7, took)
    },
  }
}

export async function tryParams(
  family: Family,
  params: Params,
  { listTask, trainingSet, evaluator, clock, onTrial }: Trying,
): Promise<TriedModel> {
  const start = clock.elapsed()
  const tables = await family.fit(trainingSet, params)
  const retriever = family.load(tables, params, trainingSet.items)
  const fitSeconds = clock.elapsed() - start
  const sums = listTask.measures.map(() => 0)
  for (const testCase of listTask.slice.cases) {
    const { figures } = evaluator.evaluate(retriever, testCase)
    figures.forEach((figure, at) => (sums[at]! += figure))
  }
  const means = sums.map((sum) => sum / Math.max(1, listTask.slice.cases.length))
  const shown = listTask.measures.map(({ name }, at) => `${name} ${means[at]!.toFixed(4)}`).join(' ')
  clock.report(`${family.kind} ${shownParams(params)}: ${shown} (fit ${fitSeconds.toFixed(1)} s)`)
  const seconds = clock.elapsed() - start
  const secondsPerCase = (seconds - fitSeconds) / Math.max(1, listTask.slice.cases.length)
  const score = overall(means)
  await onTrial?.({ params, score, seconds, fitSeconds, tables })
  return { family, params, tables, retriever, score, seconds, fitSeconds, secondsPerCase }
}

const shownParams = (params: Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
