// One way from a question to a list, for every channel, for measuring and for explaining.

import type { Environment, Reader } from '../base/db.ts'
import { inTime } from '../base/in-time.ts'
import { remembered } from '../base/remembered.ts'
import type { Catalog, OfferSheet, Shelves } from '../catalog/index.ts'
import { type About, aboutOf } from './about.ts'
import { type Ask, buyingOf, type Source } from './ask.ts'
import { worth } from './behaviour/interaction.ts'
import { type Part, partOf, type Plan, planOf } from './experiments/plan.ts'
import type { RunningExperiments } from './experiments/running-experiments.ts'
import type { Ranking } from './experiments/shown-list.ts'
import { fillList } from './fill-list.ts'
import type { Serving } from './model-keeper.ts'
import { type Known, orderProducts } from './order-products.ts'
import type { Trace } from './trace.ts'
import { trialsFor, withTrials } from './trials.ts'
import { unwantedBy } from './unwanted.ts'

/** A list of offers, where it truly came from, and what made it. */
export interface Answered {
  offers: OfferSheet[]
  source: Source
  modelId: number | null
  /** Who asked, and for which group of an experiment it was made, if for any. */
  about: About
  part: Part | undefined
  ranking: Ranking
}

export interface Desk {
  goods: Catalog
  environment: Environment
  serving: Serving | undefined
  /** Left out where everybody is to get the usual list. */
  experiments?: RunningExperiments
  trace?: Trace
}

/** A page waits so long for its list; after that it gets one from what is at hand. */
const deadlineMs = 300

/** The offers to show: none that the page is about, none twice, none that cannot be bought here. */
export function recommend(read: Reader, asked: Ask, desk: Desk): Promise<Answered> {
  const made = answered(read, asked, { ...desk, shelves: desk.goods.shelves[desk.environment] })
  return desk.trace ? made : inTime(made, deadlineMs, () => standIn(read, asked, desk))
}

type OpenDesk = Desk & { shelves: Shelves }

async function answered(read: Reader, asked: Ask, desk: OpenDesk): Promise<Answered> {
  const [about, stalls] = await Promise.all([
    aboutOf(read, asked, desk.shelves),
    desk.shelves.stalls(buyingOf(asked)),
  ])
  const { experiments } = desk
  const plan = planOf({ asked, serving: desk.serving }, partOf(experiments, asked, about), experiments)
  return madeList(read, plan, { ...desk, about, stalls })
}

/** The same list from what this process remembers, without asking anybody and without the ranker; undefined when that is nothing. */
async function standIn(read: Reader, asked: Ask, desk: Desk): Promise<Answered | undefined> {
  const shelves = desk.goods.shelvesNow(desk.environment)
  if (!shelves) return undefined
  const serving = desk.serving && { ...desk.serving, ranker: undefined }
  try {
    const made = await answered(remembered(read), asked, { ...desk, serving, shelves })
    return made.offers.length > 0 ? made : undefined
  } catch {
    return undefined
  }
}

interface Making extends Pick<Known, 'about' | 'stalls' | 'soldThen'> {
  shelves: Shelves
  trace?: Trace
}

/** The list that a plan makes for somebody who is known. */
export async function madeList(read: Reader, plan: Plan, making: Making): Promise<Answered> {
  const { asked, serving, part } = plan
  const { about, stalls, shelves, trace } = making
  const unwanted = unwantedBy(about, read.now, serving)
  for (const [id, rule] of trace ? unwanted : []) trace?.removed([id], () => rule)
  const ordered = orderProducts(serving, asked, { ...making, unwanted, now: read.now, trace })
  const { productIds, proposedIds, source } = ordered
  const leaning = leaningOf(serving, about)
  const trials = await trialsFor(plan, shelves, { about, leaning, now: read.now, unwanted })
  const offers = await fillList(read, asked, withTrials(productIds, trials, plan), {
    goods: shelves,
    stalls,
    unwanted,
    leaning,
    trace,
  })
  const ranking = { before: proposedIds, after: productIds, trials }
  return { offers, source, modelId: serving?.modelId ?? null, about, part, ranking }
}

/** The category that the page, else the buyer's latest deeds, are about; null when nothing is known. */
function leaningOf(serving: Serving | undefined, { context, deeds }: About): number | null {
  if (!serving) return null
  const { placeOf, model } = serving
  const counts = new Map<number, number>()
  const add = (productId: number | null, weight: number) => {
    const place = productId === null ? undefined : placeOf.get(productId)
    if (place === undefined) return
    const category = model.items.categories[place]!
    counts.set(category, (counts.get(category) ?? 0) + weight)
  }
  for (const productId of context) add(productId, 1)
  if (counts.size === 0) for (const { productId, kind } of deeds.slice(0, 20)) add(productId, worth[kind])
  const [best] = [...counts].sort(([a, some], [b, others]) => others - some || a - b)
  return best?.[0] ?? null
}
