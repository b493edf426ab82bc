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
  return evenly(cases, most).map(({ query: { steps, ...rest }, segments, grades }) => ({
    query: { ...rest, ...segments, profile: profileOf(items, steps) },
    steps,
    grades,
  }))
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

/** In a first visit so many steps are asked at most. */
const mostSteps = 4

/** Of a first visit only its own items are known: queries between its steps, each for the next product. */
function homeOfNewBuyer(visit: readonly ItemInteraction[]): RoughCase[] {
  if (!hasPages(visit)) return []
  // A reaction to a product that is already open is no step to another one.
  const looks = Array.from(visit.keys()).filter(
    (at) => at > 0 && (visit[at]!.kind === 'view' || visit[at]!.item !== visit[at - 1]!.item),
  )
  return evenly(looks, mostSteps).map((at) => {
    const { item, day } = visit[at]!
    return {
      query: {
        layer: 'main_page',
        steps: visit.slice(Math.max(0, at - longestHistory), at),
        context: [],
        day,
      },
      grades: gradesOf(visit.slice(at).filter((it) => it.item === item)),
    }
  })
}

/** At most so many of a list, evenly taken. */
function evenly<T>(list: readonly T[], most: number): T[] {
  const stride = Math.max(1, list.length / most)
  return Array.from({ length: Math.min(most, list.length) }, (_, at) => list[Math.floor(at * stride)]!)
}

/** Whether a visit saw pages: an imported order alone did not. */
const hasPages = (visit: readonly ItemInteraction[]): boolean =>
  visit.some(({ kind }) => kind === 'view' || kind === 'click')

/** A case on an offer page: what follows it; and those of the cart: what is added to it. */
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
  cases.push(...(hasPages(visit) ? addedInTurn : hiddenInTurn)(visit, interactionsUntil))
  return cases
}

const cartedIn = (visit: readonly ItemInteraction[]): number[] => [
  ...new Set(visit.filter((it) => it.kind === 'cart').map((it) => it.item)),
]

/** Every product that was added to a cart, with those before it on the page. */
function addedInTurn(
  visit: readonly ItemInteraction[],
  interactionsUntil: (count: number) => ItemInteraction[],
): RoughCase[] {
  const carted = cartedIn(visit)
  return carted.slice(1).map((item, before) => {
    const at = visit.findIndex((it) => it.item === item)
    return {
      query: {
        layer: 'cart_page',
        steps: interactionsUntil(at),
        context: carted.slice(0, before + 1),
        day: visit[at]!.day,
      },
      grades: new Map([[item, 2]]),
    }
  })
}

/** Of one order so many products are hidden at most. */
const mostHidden = 50

/** The lines of an order without pages have no order: some of them in turn are hidden, and all others are on the page. */
function hiddenInTurn(
  visit: readonly ItemInteraction[],
  interactionsUntil: (count: number) => ItemInteraction[],
): RoughCase[] {
  const carted = cartedIn(visit)
  if (carted.length < 2) return []
  return evenly(carted, mostHidden).map((hidden) => {
    const others = visit.filter((it) => it.kind !== 'purchase' && it.item !== hidden)
    return {
      query: {
        layer: 'cart_page',
        steps: [...interactionsUntil(0), ...others].slice(-longestHistory),
        context: carted.filter((it) => it !== hidden),
        day: visit.at(-1)!.day,
      },
      grades: new Map([[hidden, 2]]),
    }
  })
}

function gradesOf(visit: readonly ItemInteraction[]): Map<number, number> {
  const grades = new Map<number, number>()
  for (const { item, kind } of visit) {
    const grade = kind === 'purchase' ? 3 : interactionWeight[kind] >= interactionWeight.wishlist ? 2 : 1
    grades.set(item, Math.max(grade, grades.get(item) ?? 0))
  }
  return grades
}
