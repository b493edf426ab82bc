// Questions whose answers are known: what a buyer touched in a visit, asked before it and in the middle of it.

import { worth } from '../behaviour/interaction.ts'
import { type Snapshot, splitByPause } from './fit-graphs.ts'
import type { Inquiry } from './inquiry.ts'
import type { Items } from './items.ts'
import { pastOf, type Step } from './past.ts'

export interface Case {
  inquiry: Inquiry
  /** What had been done until then, oldest first. */
  steps: readonly Step[]
  /** What was touched, and how much that says: 1 looked at, 2 wished or put into the cart, 3 bought. */
  grades: Map<number, number>
}

const longestHistory = 200

/** The cases of visits that began within some days, in the order of time; of too many, every so many-th. */
export function casesWithin(
  { items, buyers, places }: { items: Items } & Pick<Snapshot, 'buyers' | 'places'>,
  { from, to, most }: { from: number; to: number; most: number },
): Case[] {
  const cases = buyers
    .flatMap((steps, at) => casesOf(steps, from, to).map((it) => ({ ...it, place: places[at]! })))
    .toSorted((a, b) => a.inquiry.day - b.inquiry.day)
  const stride = Math.max(1, cases.length / most)
  return Array.from({ length: Math.min(most, cases.length) }, (_, at) => cases[Math.floor(at * stride)]!).map(
    ({ inquiry: { steps, ...asked }, place, grades }) => ({
      inquiry: { ...asked, place, past: pastOf(items, steps) },
      steps,
      grades,
    }),
  )
}

/** A case before the steps are looked at: only those that are taken are worth it. */
interface RoughCase extends Pick<Case, 'grades'> {
  inquiry: Omit<Inquiry, 'past' | 'place'> & { steps: readonly Step[] }
}

function casesOf(steps: readonly Step[], from: number, to: number): RoughCase[] {
  const cases: RoughCase[] = []
  let before = 0
  for (const visit of splitByPause(steps)) {
    const { day } = visit[0]!
    if (day >= from && day < to) {
      const asked = (count: number) =>
        steps.slice(Math.max(0, before + count - longestHistory), before + count)
      if (before > 0)
        cases.push({
          inquiry: { layer: 'main_page', steps: asked(0), context: [], day },
          grades: gradesOf(visit),
        })
      cases.push(...midVisit(visit, asked))
    }
    before += visit.length
  }
  return cases
}

/** On the page of an offer: what comes after it. In the cart: what joins it. */
function midVisit(visit: readonly Step[], asked: (count: number) => Step[]): RoughCase[] {
  const cases: RoughCase[] = []
  const middle = Math.floor(visit.length / 2)
  const { item, day } = visit[middle]!
  const later = visit.slice(middle + 1).filter((it) => it.item !== item)
  if (later.length > 0)
    cases.push({
      inquiry: { layer: 'offer_page', steps: asked(middle + 1), context: [item], day },
      grades: gradesOf(later),
    })
  const carted = [...new Set(visit.filter((it) => it.kind === 'cart').map((it) => it.item))]
  const last = carted.at(-1)
  if (carted.length > 1 && last !== undefined) {
    const at = visit.findIndex((it) => it.item === last)
    cases.push({
      inquiry: { layer: 'cart_page', steps: asked(at), context: carted.slice(0, -1), day: visit[at]!.day },
      grades: new Map([[last, 2]]),
    })
  }
  return cases
}

function gradesOf(visit: readonly Step[]): Map<number, number> {
  const grades = new Map<number, number>()
  for (const { item, kind } of visit) {
    const grade = kind === 'purchase' ? 3 : worth[kind] >= worth.wishlist ? 2 : 1
    grades.set(item, Math.max(grade, grades.get(item) ?? 0))
  }
  return grades
}
