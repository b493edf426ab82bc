// Evaluation cases from real visits: a query before the visit and in the middle of it, and what the buyer did next.

import { interactionWeight } from '../interactions/interaction.ts'
import type { Snapshot } from './fit-parts.ts'
import { splitByPause } from './sources.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import type { Items } from './items.ts'
import { profileOf, type ItemInteraction } from '../serving/buyer-profile.ts'

export interface Case {
  query: ModelQuery
  /** The buyer's earlier interactions, oldest first. */
  steps: readonly ItemInteraction[]
  /** Items of the rest of the visit by grade: 1 viewed, 2 added to a wishlist or cart, 3 bought. */
  grades: Map<number, number>
}

const longestHistory = 200

/** The cases of visits that began in a range of days, in time order, evenly sampled down to `most`. */
export function casesBetween(
  { items, buyers, places, platforms }: { items: Items } & Pick<Snapshot, 'buyers' | 'places' | 'platforms'>,
  { from, to, most }: { from: number; to: number; most: number },
): Case[] {
  const cases = buyers
    .flatMap((steps, at) =>
      casesOf(steps, from, to).map((it) => ({
        ...it,
        segments: { place: places[at]!, platform: platforms?.[at] ?? [] },
      })),
    )
    .toSorted((a, b) => a.query.day - b.query.day)
  const stride = Math.max(1, cases.length / most)
  return Array.from({ length: Math.min(most, cases.length) }, (_, at) => cases[Math.floor(at * stride)]!).map(
    ({ query: { steps, ...rest }, segments, grades }) => ({
      query: { ...rest, ...segments, profile: profileOf(items, steps) },
      steps,
      grades,
    }),
  )
}

/** A case without its buyer profile, which is computed only for sampled cases. */
interface RoughCase extends Pick<Case, 'grades'> {
  query: Omit<ModelQuery, 'profile' | 'place' | 'platform'> & { steps: readonly ItemInteraction[] }
}

function casesOf(steps: readonly ItemInteraction[], from: number, to: number): RoughCase[] {
  const cases: RoughCase[] = []
  let before = 0
  for (const visit of splitByPause(steps)) {
    const { day } = visit[0]!
    if (day >= from && day < to) {
      const interactionsUntil = (count: number) =>
        steps.slice(Math.max(0, before + count - longestHistory), before + count)
      if (before > 0)
        cases.push({
          query: { layer: 'main_page', steps: interactionsUntil(0), context: [], day },
          grades: gradesOf(visit),
        })
      else cases.push(...homeOfNewBuyer(visit))
      cases.push(...midVisit(visit, interactionsUntil))
    }
    before += visit.length
  }
  return cases
}

/** Of a first visit only its own items are known: a query in the middle of it, for what follows. */
function homeOfNewBuyer(visit: readonly ItemInteraction[]): RoughCase[] {
  const middle = Math.floor(visit.length / 2)
  const { day } = visit[middle]!
  if (middle === 0 || !hasPages(visit)) return []
  return [
    {
      query: { layer: 'main_page', steps: visit.slice(0, middle), context: [], day },
      grades: gradesOf(visit.slice(middle)),
    },
  ]
}

/** Whether a visit saw pages: an imported order alone did not. */
const hasPages = (visit: readonly ItemInteraction[]): boolean =>
  visit.some(({ kind }) => kind === 'view' || kind === 'click')

/** A case on an offer page: what follows it; and one in the cart: what is added to it. */
function midVisit(
  visit: readonly ItemInteraction[],
  interactionsUntil: (count: number) => ItemInteraction[],
): RoughCase[] {
  const cases: RoughCase[] = []
  const middle = Math.floor(visit.length / 2)
  const { item, day } = visit[middle]!
  const later = visit.slice(middle + 1).filter((it) => it.item !== item)
  if (later.length > 0 && hasPages(visit))
    cases.push({
      query: { layer: 'offer_page', steps: interactionsUntil(middle + 1), context: [item], day },
      grades: gradesOf(later),
    })
  const carted = [...new Set(visit.filter((it) => it.kind === 'cart').map((it) => it.item))]
  const last = carted.at(-1)
  if (carted.length > 1 && last !== undefined) {
    const at = visit.findIndex((it) => it.item === last)
    cases.push({
      query: {
        layer: 'cart_page',
        steps: interactionsUntil(at),
        context: carted.slice(0, -1),
        day: visit[at]!.day,
      },
      grades: new Map([[last, 2]]),
    })
  }
  return cases
}

function gradesOf(visit: readonly ItemInteraction[]): Map<number, number> {
  const grades = new Map<number, number>()
  for (const { item, kind } of visit) {
    const grade = kind === 'purchase' ? 3 : interactionWeight[kind] >= interactionWeight.wishlist ? 2 : 1
    grades.set(item, Math.max(grade, grades.get(item) ?? 0))
  }
  return grades
}
