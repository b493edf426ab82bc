// What the catalog keeps open for each environment while the platform runs.

import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Currency } from '../base/money.ts'
import type { Shop } from '../base/shop.ts'
import type { Route } from '../http/route.ts'
import { Alarm } from './promotions/alarm.ts'
import { Rates } from './rates.ts'
import { routesOver } from './routes/index.ts'
import { ShelfKeeper } from './shelf-keeper.ts'
import type { Shelf } from './shelf/shelf.ts'
import { type Buying, buyable, type Stalls } from './shelf/stalls.ts'

export interface Among extends Buying {
  limit: number
}

/** What stands on the shelves of an environment, for those who choose from it. */
export interface Shelves {
  /** What can be bought. */
  stalls(buying: Buying): Promise<Stalls>
  /** The ids of the products most sought after among those that can be bought; best first. */
  popularProducts(among: Among): Promise<number[]>
  /** The ids of the products that came last, among the same. */
  newestProducts(among: Among): Promise<number[]>
  /** When the last product came. */
  newestMs(): number
  /** The product behind an offer that buyers see, if this process knows it already. */
  productOf(offerId: number): number | undefined
}

export interface Catalog {
  routes: Route[]
  currencyOf(environment: Environment, code: string): Currency | undefined
  /** True as of now: whoever asks waits for what this process has heard of and not read yet. */
  shelves: Record<Environment, Shelves>
  /** As they stand, without waiting; undefined while they are filled for the first time. */
  shelvesNow(environment: Environment): Shelves | undefined
  /** Reads what must be known before the first call; the shelves fill meanwhile, and callers wait for them. */
  start(): Promise<void>
  /** When the shelves are full. */
  filled(): Promise<void>
  /** Whether they are. */
  isFull(): boolean
  close(): Promise<void>
}

const betweenTriesMs = 1_000

export function openCatalog(shops: Record<Environment, Shop>, log: Log): Catalog {
  const rates = { live: new Rates(shops.live), test: new Rates(shops.test) }
  const keepers = { live: new ShelfKeeper(shops.live, log), test: new ShelfKeeper(shops.test, log) }
  const alarms = [new Alarm(shops.live, log), new Alarm(shops.test, log)]
  const fill = async () => void (await Promise.all([keepers.live.fill(), keepers.test.fill()]))
  let isClosed = false
  // Nobody calls a server that is not ready: it must not wait for a caller to try again.
  const keepFilling = async () => {
    while (!isClosed)
      try {
        return await fill()
      } catch (error) {
        log.warn('the shelves could not be filled; trying again', { error })
        await pause(betweenTriesMs, undefined, { ref: false })
      }
  }
  return {
    routes: routesOver(keepers),
    currencyOf: (environment, code) => rates[environment].currencyOf(code),
    shelves: {
      live: shelvesOf(keepers.live, () => keepers.live.fresh()),
      test: shelvesOf(keepers.test, () => keepers.test.fresh()),
    },
    shelvesNow: (environment) => {
      const { standing } = keepers[environment]
      return standing && shelvesOf(keepers[environment], () => standing)
    },
    start: async () => {
      await Promise.all([rates.live.read(), rates.test.read(), ...alarms.map((it) => it.set())])
      void keepFilling()
    },
    filled: fill,
    isFull: () => Object.values(keepers).every((it) => it.standing !== undefined),
    close: async () => {
      isClosed = true
      await Promise.all(alarms.map((it) => it.close()))
    },
  }
}

function shelvesOf(keeper: ShelfKeeper, shelf: () => Shelf | Promise<Shelf>): Shelves {
  const listed = async (among: Among, sort: '-popularity' | '-created_at') => {
    const { region, limit } = among
    const question = {
      region,
      language: 'ru',
      filters: buyable(among),
      sort,
      limit,
      wantsFacets: false,
    } as const
    return (await shelf()).find(question).ids
  }
  return {
    stalls: async (buying) => (await shelf()).stalls(buying),
    popularProducts: (among) => listed(among, '-popularity'),
    newestProducts: (among) => listed(among, '-created_at'),
    newestMs: () => keeper.newestMs,
    productOf: (offerId) => keeper.productOf(offerId),
  }
}
