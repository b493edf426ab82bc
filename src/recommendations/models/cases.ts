// Evaluation cases from real visits: a query before the visit and in the middle of it, and what the buyer did next.

import { dayMs } from '../../base/clock.ts'
import { remainingTiyin } from '../../cart/index.ts'
import { outstandingBefore } from '../../orders/index.ts'
import { interactionWeight } from '../interactions/interaction.ts'
import type { Snapshot, TrainingCredit } from './fit-parts.ts'
import { type Histories, historiesOf } from './histories.ts'
import { splitByPause } from './sources.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import type { Items } from './items.ts'
import { profileOf, type ItemInteraction } from '../serving/buyer-profile.ts'

export interface Case {
  query: ModelQuery
  /** The number of the buyer. */
  buyer: number
  /** The buyer's earlier interactions, oldest first. */
  steps: readonly ItemInteraction[]
  /** Items of the rest of the visit by grade: 1 viewed, 2 added to a wishlist or cart, 3 bought. */
  grades: Map<number, number>
}

const longestHistory = 200

/** The cases of visits that began in a range of days, in time order, evenly sampled down to `most`. */
export function casesBetween(
  {
    items,
    buyers,
    places,
    platforms,
    credit,
  }: { items: Items } & Pick<Snapshot, 'buyers' | 'places' | 'platforms' | 'credit'>,
  { from, to, most }: { from: number; to: number; most: number },
): Case[] {
  const asked = askedCases(historiesOf(buyers), from, to)
  return evenly(
    asked.toSorted((a, b) => a.day - b.day),
    most,
  ).map(({ day, layer, make, buyer, visitDay }) => {
    const { steps, context, grades } = make()
    const profile = profileOf(items, steps)
    const segments = { place: places[buyer]!, platform: platforms?.[buyer] ?? [] }
    const remainingCreditTiyin = credit && remainingCredit(credit, buyer, visitDay)
    return {
      query: { layer, context, day, profile, ...segments, remainingCreditTiyin },
      buyer,
      steps,
      grades,
    }
  })
}

/** Before the visit: what happens in it would tell who buys on credit. */
function remainingCredit(
  { limits, histories }: TrainingCredit,
  buyer: number,
  visitDay: number,
): number | undefined {
  const history = histories.get(buyer)
  const owed = history && outstandingBefore(history, Math.round(visitDay * dayMs))
  return owed === undefined ? undefined : remainingTiyin(limits, owed)
}

type CaseOfVisit = AskedCase & { visitDay: number }

function askedCases(histories: Histories, from: number, to: number): (CaseOfVisit & { buyer: number })[] {
  const asked: (CaseOfVisit & { buyer: number })[] = []
  for (let buyer = 0; buyer < histories.length; buyer++) {
    if ((histories.lastDayOf(buyer) ?? -Infinity) < from) continue
    for (const it of withFewHomes(casesOf(histories.of(buyer), from, to))) asked.push({ ...it, buyer })
  }
  return asked
}

/** The most cases of main pages that one buyer has: the busiest buyers, or a program among them, do not decide for all. */
const mostHomes = 8

function withFewHomes(cases: CaseOfVisit[]): CaseOfVisit[] {
  const homes = cases.filter((it) => it.layer === 'main_page')
  if (homes.length <= mostHomes) return cases
  const kept = new Set(evenly(homes, mostHomes))
  return cases.filter((it) => it.layer !== 'main_page' || kept.has(it))
}

/** At most this many of a list, evenly spread. */
export function evenly<T>(list: readonly T[], most: number): T[] {
  const stride = Math.max(1, list.length / most)
  return Array.from({ length: Math.min(most, list.length) }, (_, at) => list[Math.floor(at * stride)]!)
}

/** A case before it is sampled: a large order has as many as lines, and each holds all other lines. */
interface AskedCase extends Pick<ModelQuery, 'layer' | 'day'> {
  make: () => Pick<ModelQuery, 'context'> & Pick<Case, 'steps' | 'grades'>
}

type Steps = readonly ItemInteraction[]

function casesOf(steps: Steps, from: number, to: number): CaseOfVisit[] {
  const cases: CaseOfVisit[] = []
  let before = 0
  for (const visit of splitByPause(steps)) {
    const { day } = visit[0]!
    if (day >= from && day < to) {
      const start = before
      const until = (count: number) => steps.slice(Math.max(0, start + count - longestHistory), start + count)
      const home: AskedCase = {
        layer: 'main_page',
        day,
        make: () => ({ steps: until(0), context: [], grades: gradesOf(visit) }),
      }
      const own = [
        ...(start > 0 ? [home] : homeOfNewBuyer(visit)),
        ...(hasPages(visit)
          ? [...offerPage(visit, until), ...addedInTurn(visit, until)]
          : hiddenInTurn(visit, until)),
      ]
      for (const it of own) cases.push({ ...it, visitDay: day })
    }
    before += visit.length
  }
  return cases
}

/** Whether a visit saw pages: an imported order alone did not. */
const hasPages = (visit: Steps): boolean => visit.some(({ kind }) => kind === 'view' || kind === 'click')

/** The most cases that are made of the steps of a first visit. */
const mostSteps = 4

/** Of a first visit only its own items are known: queries between its steps, each for the next product. */
function homeOfNewBuyer(visit: Steps): AskedCase[] {
  if (!hasPages(visit)) return []
  // A reaction to a product that is already open is no step to another one.
  const looks = Array.from(visit.keys()).filter(
    (at) => at > 0 && (visit[at]!.kind === 'view' || visit[at]!.item !== visit[at - 1]!.item),
  )
  return evenly(looks, mostSteps).map((at) => ({
    layer: 'main_page',
    day: visit[at]!.day,
    make: () => ({
      steps: visit.slice(Math.max(0, at - longestHistory), at),
      context: [],
      grades: gradesOf(visit.slice(at).filter((it) => it.item === visit[at]!.item)),
    }),
  }))
}

type StepsUntil = (count: number) => ItemInteraction[]

/** A case on the product page in the middle of a visit: what follows it. */
function offerPage(visit: Steps, until: StepsUntil): AskedCase[] {
  const middle = Math.floor(visit.length / 2)
  const { item, day } = visit[middle]!
  const later = visit.slice(middle + 1).filter((it) => it.item !== item)
  if (later.length === 0) return []
  const make = () => ({ steps: until(middle + 1), context: [item], grades: gradesOf(later) })
  return [{ layer: 'offer_page', day, make }]
}

const cartedIn = (visit: Steps): number[] => [
  ...new Set(visit.filter((it) => it.kind === 'cart').map((it) => it.item)),
]

/** Every product that was added to a cart, with those before it on the page. */
function addedInTurn(visit: Steps, until: StepsUntil): AskedCase[] {
  const carted = cartedIn(visit)
  return carted.slice(1).map((item, before) => {
    const at = visit.findIndex((it) => it.item === item)
    return {
      layer: 'cart_page',
      day: visit[at]!.day,
      make: () => ({
        steps: until(at),
        context: carted.slice(0, before + 1),
        grades: new Map([[item, 2]]),
      }),
    }
  })
}

/** The most products of one order that are hidden. */
const mostHidden = 1_000

/** The lines of an order without pages have no order: each is hidden in turn, and all others are on the page. */
function hiddenInTurn(visit: Steps, until: StepsUntil): AskedCase[] {
  const carted = cartedIn(visit)
  if (carted.length < 2) return []
  return evenly(carted, mostHidden).map((hidden) => ({
    layer: 'cart_page',
    day: visit.at(-1)!.day,
    make: () => {
      const others = visit.filter((it) => it.kind !== 'purchase' && it.item !== hidden)
      return {
        steps: [...until(0), ...others].slice(-longestHistory),
        context: carted.filter((it) => it !== hidden),
        grades: new Map([[hidden, 2]]),
      }
    },
  }))
}

function gradesOf(visit: Steps): Map<number, number> {
  const grades = new Map<number, number>()
  for (const { item, kind } of visit) {
    const grade = kind === 'purchase' ? 3 : interactionWeight[kind] >= interactionWeight.wishlist ? 2 : 1
    grades.set(item, Math.max(grade, grades.get(item) ?? 0))
  }
  return grades
}
