// Chooses models, their parameters and their blend on the slice of train, within the time given.

import type { Retriever } from '../ml/retrieval/board.ts'
import { topK } from '../ml/top-k.ts'
import { askerFor, guardFor, type Asker } from './asking.ts'
import { families, type Family, type Params } from './families.ts'
import type { Shelf } from './shelf.ts'
import { caseCount, type Trial } from './trial.ts'
import { dropDear, dropNeedless, overall, refined, weighed, type Found } from './weigh.ts'

export interface Chosen {
  kind: string
  params: Params
  /** 0 for a model that only gives features to the ranker. */
  weight: number
}

export interface Choice extends Chosen {
  family: Family
  /** Fitted on the slice. */
  retriever: Retriever
  /** What fitting and asking the slice took. */
  seconds: number
  /** What asking one case took. */
  askSeconds: number
}

export interface Clock {
  /** Seconds since the evaluation began. */
  elapsed: () => number
  /** When choosing must end, in the same seconds. */
  deadline: number
  /** When the last test case must be answered. */
  end: number
  tell: (line: string) => void
}

/** What is kept of the time for choosing to try parameters again inside the blend. */
const REFINING_SHARE = 0.25

/** Every model tried at its best, with its weight in the blend that does best on the slice. */
export async function chosenBlend(trial: Trial, shelf: Shelf, clock: Clock): Promise<Choice[]> {
  const guard = guardFor(trial)
  const asker = askerFor(trial, guard, fallbackOrder(shelf))
  const suited = families.filter((family) => family.suits(trial))
  const found: Found[] = []
  const began = clock.elapsed()
  const alone = clock.deadline - (clock.deadline - began) * REFINING_SHARE
  const cases = caseCount(trial)
  let shares = suited.reduce((sum, { share }) => sum + share, 0)
  for (const family of suited) {
    const start = clock.elapsed()
    const last = Math.min(alone, latestStart(found, cases, clock.end))
    if (found.length > 0 && start > last) break
    const until = start + ((last - start) * family.share) / shares
    shares -= family.share
    found.push(await climbed(family, { trial, shelf, asker, clock, until }))
  }
  const parts = weighed(trial, found, guard)
  const fitted = (family: Family, params: Params) => family.fitted(shelf, params)
  const { elapsed, tell } = clock
  const until = Math.min(clock.deadline, latestStart(found, cases, clock.end))
  await refined(parts, { trial, guard, fitted, elapsed, until, tell })
  dropNeedless(trial, parts)
  dropDear(trial, parts, { seconds: clock.end - elapsed(), cases })
  const used = parts.filter(({ weight }) => weight > 0)
  tell(`chosen: ${used.map(({ family, weight }) => `${weight} × ${family.kind}`).join(' + ')}`)
  return parts.map(({ family, params, weight, retriever, seconds, askSeconds }) => {
    return { family, kind: family.kind, params, weight, retriever, seconds, askSeconds }
  })
}

/** When the best model so far must begin to be fitted on everything, so that every case is asked by the end. */
function latestStart(found: Found[], cases: number, end: number): number {
  const [best] = found.toSorted((a, b) => b.score - a.score)
  return best === undefined ? end : end - best.seconds - cases * best.askSeconds
}

interface Climb {
  trial: Trial
  shelf: Shelf
  asker: Asker
  clock: Clock
  until: number
}

/** Moves along one axis after the other while the slice improves and time remains. */
async function climbed(family: Family, climb: Climb): Promise<Found> {
  let best = await tried(family, family.start, climb)
  const seen = new Set([JSON.stringify(family.start)])
  let costliest = best.seconds
  for (let moved = true; moved;) {
    moved = false
    for (const [axis, values] of Object.entries(family.axes)) {
      for (const step of [1, -1]) {
        for (;;) {
          const value = values[values.indexOf(best.params[axis]!) + step]
          const params = { ...best.params, [axis]: value ?? 0 }
          if (value === undefined || seen.has(JSON.stringify(params))) break
          if (climb.clock.elapsed() + costliest > climb.until) return best
          seen.add(JSON.stringify(params))
          const next = await tried(family, params, climb)
          costliest = Math.max(costliest * 0.7, next.seconds)
          if (next.score <= best.score) break
          best = next
          moved = true
        }
      }
    }
  }
  return best
}

async function tried(family: Family, params: Params, { trial, shelf, asker, clock }: Climb): Promise<Found> {
  const start = clock.elapsed()
  const retriever = await family.fitted(shelf, params)
  const fitSeconds = clock.elapsed() - start
  const sums = trial.measures.map(() => 0)
  for (const asked of trial.slice.cases) {
    const { figures } = asker.ask(retriever, asked)
    figures.forEach((figure, at) => (sums[at]! += figure))
  }
  const means = sums.map((sum) => sum / Math.max(1, trial.slice.cases.length))
  const shown = trial.measures.map(({ name }, at) => `${name} ${means[at]!.toFixed(4)}`).join(' ')
  clock.tell(`${family.kind} ${shownParams(params)}: ${shown} (fit ${fitSeconds.toFixed(1)} s)`)
  const seconds = clock.elapsed() - start
  const askSeconds = (seconds - fitSeconds) / Math.max(1, trial.slice.cases.length)
  return { family, params, retriever, score: overall(means), seconds, askSeconds }
}

const shownParams = (params: Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** Items by how often they are touched, ties by id. */
export function fallbackOrder({ counts }: Shelf): Int32Array {
  return topK(counts, counts.length).ids
}
