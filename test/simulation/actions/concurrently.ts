// Two concurrent actions with a reproducible schedule: the second starts between two statements of the first, and the
// first continues when the second has finished or waits for a lock. This finds decisions based on unlocked reads.

import type { Buyer } from '../../../src/base/buyer.ts'
import { Refusal } from '../../../src/base/refusal.ts'
import { isSameOffer } from '../../../src/cart/index.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { buyers, reservableIds, type InjectFault, type World } from '../world.ts'
import { add, change, linesOf, order, someBuyer, someKey } from './buying.ts'
import type { Acknowledge, Action, Focus, Plan } from './action.ts'
import { cancelAndStop } from './paying.ts'
import { endEarly, promote } from './promoting.ts'
import { adjust, reprice, showOrHide } from './stocking.ts'
import { timePasses } from './time.ts'

// oxfmt-ignore
const plans: readonly Plan[] = [
  order, order, order, order, add, add, add, change, adjust, reprice, showOrHide, cancelAndStop, promote, endEarly,
  timePasses,
]
const maxStatementsBefore = 5

export const runConcurrently: Action = async (world) => {
  const { chance } = world
  const focus = someFocus(world)
  const plan = chance.pick(plans)
  const first = plan(world, focus)
  // Two equal actions conflict most often.
  const rival = chance.percent(40) ? plan : chance.pick(plans)
  const second = rival(world, { ...focus, buyer: anotherBuyer(world, focus) })
  const [mine, theirs] = [world.fate(), world.fate()]
  const pausesAfter = 1 + chance.below(maxStatementsBefore)
  let isOver = false
  let wasFirst = false
  let other: Promise<Acknowledge> | undefined
  const begin = () => (other ??= unlessRefused(second(theirs)).finally(() => (isOver = true)))
  const pause = async () => {
    void begin()
    await waitUntil(async () => isOver || isLockAwaited(world), {
      what: 'the second action finishes or waits for a lock',
    })
    wasFirst = isOver
  }
  // Both must end before the invariants are checked, also when one of them fails.
  const [ended] = await Promise.allSettled([unlessRefused(first(pausing(mine, pausesAfter, pause)))])
  const [otherEnded] = await Promise.allSettled([begin()])
  // The one that waited committed later, regardless of which reply came first.
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

/** The same buyer on another device, or a buyer with the same offer in the cart. */
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

/** A transaction that pauses once after this many statements. */
const pausing =
  (injectFault: InjectFault, after: number, pause: () => Promise<void>): InjectFault =>
  (whole) => {
    const tx = injectFault(whole)
    let left = after
    const watched = <A extends unknown[], R>(run: (...given: A) => Promise<R>) =>
      (async (...given: A): Promise<R> => {
        const rows = await run(...given)
        if (--left === 0) await pause()
        return rows
      }) as typeof run
    return {
      ...tx,
      all: watched(tx.all) as typeof tx.all,
      one: watched(tx.one) as typeof tx.one,
      maybe: watched(tx.maybe) as typeof tx.maybe,
    }
  }

const isLockAwaited = async ({ db }: World): Promise<boolean> =>
  (
    await db
      .read()
      .all(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length > 0
