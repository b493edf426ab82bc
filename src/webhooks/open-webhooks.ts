// What telling the outside keeps open for each environment while the platform runs.

import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { Loop } from '../base/loop.ts'
import type { Shop } from '../base/shop.ts'
import { openVault } from '../base/vault.ts'
import type { Route } from '../http/route.ts'
import { BusKeeper } from './bus/bus-keeper.ts'
import { type CourierOptions, openCourier } from './courier.ts'
import { feed } from './feeder.ts'
import { routesOver } from './routes/index.ts'
import { Tail } from './tail.ts'

const feedPollMs = 1_000

export interface Webhooks {
  routes: Route[]
  start(): Promise<void>
  close(): Promise<void>
}

export function openWebhooks(
  shops: Record<Environment, Shop>,
  options: { config: Pick<Config, 'natsUrl' | 'secretKey' | 'dataDir'>; clock: Clock; log: Log },
): Webhooks {
  const { config, clock, log } = options
  const vault = openVault(config)
  const desks = [shops.live, shops.test].map((it) => openDesk(it, { db: it.db, vault, clock, log }))
  const tails = { live: new Tail(shops.live), test: new Tail(shops.test) }
  const bus =
    config.natsUrl === undefined ? undefined : new BusKeeper(shops, { natsUrl: config.natsUrl, log })
  return {
    routes: routesOver({ vault, tails }),
    start: async () => {
      for (const desk of desks) desk.start()
      await bus?.start()
    },
    close: async () => {
      await Promise.all([...desks.map((it) => it.close()), bus?.close()])
    },
  }
}

/** Feeds the lines of one environment's endpoints and carries what stands in them. */
function openDesk({ db, relay }: Shop, options: CourierOptions) {
  const courier = openCourier(options)
  const feeding = new Loop(
    async () => {
      const looked = await feed(db)
      if (looked > 0) courier.wake()
      return looked > 0
    },
    {
      pollMs: feedPollMs,
      onError: (error) =>
        options.log.warn('events could not be handed to webhooks; trying again', {
          environment: db.environment,
          error,
        }),
    },
  )
  relay.follow(() => feeding.wake())
  return {
    start: () => {
      feeding.start()
      courier.start()
    },
    close: async () => {
      await feeding.close()
      await courier.close()
    },
  }
}
