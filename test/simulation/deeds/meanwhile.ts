// Two at once, and still the same every time: the second begins between two statements of the first, and the first goes
// on when the second is done or waits for it. Whoever checks, and then relies on what he saw, is caught here.

import type { Buyer } from '../../../src/base/buyer.ts'
import { Refusal } from '../../../src/base/refusal.ts'
import { isSameOffer } from '../../../src/cart/index.ts'
import { until } from '../../support/until.ts'
import { buyers, reservableIds, type Spoil, type World } from '../world.ts'
import { add, change, linesOf, order, someBuyer, someKey } from './buying.ts'
import type { Acknowledge, Deed, Focus, Plan } from './deed.ts'
import { cancelAndDie } from './paying.ts'
import { endEarly, promote } from './promoting.ts'
import { adjust, reprice, showOrHide } from './stocking.ts'
import { timePasses } from './time.ts'

// oxfmt-ignore
const plans: readonly Plan[] = [
  order, order, order, order, add, add, add, change, adjust, reprice, showOrHide, cancelAndDie, promote, endEarly,
  timePasses,
]
const mostAnswers = 5

export const meanwhile: Deed = async (world) => {
  const { chance } = world
  const focus = someFocus(world)
  const plan = chance.pick(plans)
  const first = plan(world, focus)
  // Most is told by two that do the same.
  const rival = chance.percent(40) ? plan : chance.pick(plans)
  const second = rival(world, { ...focus, buyer: anotherBuyer(world, focus) })
  const [mine, theirs] = [world.fate(), world.fate()]
  const pausesAfter = 1 + chance.below(mostAnswers)
  let isOver = false
  let wasFirst = false
  let other: Promise<Acknowledge> | undefined
  const begin = () => (other ??= unlessRefused(second(theirs)).finally(() => (isOver = true)))
  const pause = async () => {
    void begin()
    await until(async () => isOver || somebodyWaits(world))
    wasFirst = isOver
  }
  // Whatever becomes of one, the other must have ended before anybody looks.
  const [ended] = await Promise.allSettled([unlessRefused(first(pausing(mine, pausesAfter, pause)))])
  const [otherEnded] = await Promise.allSettled([begin()])
  // Whoever waited has committed later, whichever answer came first.
  for (const it of wasFirst ? [otherEnded, ended] : [ended, otherEnded])
    if (it.status === 'rejected') throw it.reason
    else it.value()
}

function someFocus(world: World): Focus {
  const buyer = someBuyer(world)
  const held = linesOf(world, buyer)
  const key = world.chance.percent(35)
    ? { isModerated: false, offerId: world.chance.pick(reservableIds) }
    : held.length > 0
      ? world.chance.pick(held)
      : someKey(world)
  return { buyer, key }
}

/** The same buyer at another desk, or somebody who wants the same. */
function anotherBuyer(world: World, { buyer, key }: Focus): Buyer {
  const rivals = buyers.filter(
    (it) => it !== buyer && linesOf(world, it).some((line) => isSameOffer(line, key)),
  )
  return rivals.length > 0 && world.chance.percent(60) ? world.chance.pick(rivals) : buyer
}

const unlessRefused = (done: Promise<Acknowledge>): Promise<Acknowledge> =>
  done.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    return () => {}
  })

/** A handle that lets somebody else act once so many of its questions are answered. */
const pausing =
  (spoil: Spoil, after: number, pause: () => Promise<void>): Spoil =>
  (whole) => {
    const tx = spoil(whole)
    let left = after
    const watched = <A extends unknown[], R>(ask: (...given: A) => Promise<R>) =>
      (async (...given: A): Promise<R> => {
        const answer = await ask(...given)
        if (--left === 0) await pause()
        return answer
      }) as typeof ask
    return {
      ...tx,
      all: watched(tx.all) as typeof tx.all,
      one: watched(tx.one) as typeof tx.one,
      maybe: watched(tx.maybe) as typeof tx.maybe,
    }
  }

const somebodyWaits = async ({ db }: World): Promise<boolean> =>
  (
    await db
      .read()
      .all(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length > 0
