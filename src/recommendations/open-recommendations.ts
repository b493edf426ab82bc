// What recommendations keep open for each environment while the platform runs.

import type pg from 'pg'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Route } from '../http/route.ts'
import { warmHistories } from './behaviour/history.ts'
import { makeRoom } from './behaviour/jobs.ts'
import type { Settings } from './channels/channels.ts'
import { ListLog } from './experiments/list-log.ts'
import { metricsRoutes } from './experiments/metrics-routes.ts'
import { experimentRoutes } from './experiments/routes.ts'
import { RunningExperiments } from './experiments/running-experiments.ts'
import { explainRoutes } from './explain-routes.ts'
import { ModelKeeper } from './model-keeper.ts'
import { modelRoutes } from './model-routes.ts'
import { recommendationRoutes } from './routes.ts'
import { latestBuyers } from './store/histories.ts'

export interface Recommendations {
  routes: Route[]
  /** Takes up the experiments, and then the models; calls are answered meanwhile, from what sells best. */
  start(): Promise<void>
  /** Whether the models that were there at the start are taken up. */
  isReady(): boolean
  close(): Promise<void>
}

interface Given {
  goods: Catalog
  log: Log
  settings: Settings
  connection: pg.PoolConfig
}

/** What one environment keeps open. */
interface Room {
  shop: Shop
  models: ModelKeeper
  experiments: RunningExperiments
  lists: ListLog
}

export function openRecommendations(
  shops: Record<Environment, Shop>,
  { goods, log, settings, connection }: Given,
): Recommendations {
  const open = (shop: Shop): Room => ({
    shop,
    models: new ModelKeeper(shop, log),
    experiments: new RunningExperiments(shop, log),
    lists: new ListLog(shop, log, settings.logShare),
  })
  const rooms = { live: open(shops.live), test: open(shops.test) }
  const both = <K extends keyof Room>(what: K) => ({ live: rooms.live[what], test: rooms.test[what] })
  const [models, experiments, lists] = [both('models'), both('experiments'), both('lists')]
  return {
    routes: [
      ...recommendationRoutes({ goods, models, experiments, lists, settings }),
      ...modelRoutes({ shops, connection, log }),
      ...explainRoutes({ goods, models, experiments }),
      ...experimentRoutes,
      ...metricsRoutes(settings.timezone),
    ],
    start: async () => {
      await Promise.all(Object.values(rooms).flatMap((it) => [it.experiments.take(), it.models.start()]))
      for (const room of Object.values(rooms)) {
        room.lists.start()
        void prepare(room.shop).catch((error: unknown) =>
          log.warn('what buyers did lately could not be read ahead', { error }),
        )
      }
    },
    isReady: () => Object.values(rooms).every((it) => it.models.isReady),
    close: async () => void (await Promise.all(Object.values(rooms).map((it) => it.lists.close()))),
  }
}

/** So few at once that no call waits long while they are put together. */
const readAhead = { deeds: 20_000, atOnce: 25 }

/** Makes room for this month's deeds, and brings back to memory what those did who were here last. */
async function prepare({ db }: Shop): Promise<void> {
  await db.transaction((tx) => makeRoom(tx, 0))
  const buyers = await latestBuyers(db.read(), readAhead.deeds)
  for (let begin = 0; begin < buyers.length; begin += readAhead.atOnce)
    await warmHistories(db.read(), buyers.slice(begin, begin + readAhead.atOnce))
}
