// Opens the recommendations module: its state per environment, routes, jobs and reactions.

import type pg from 'pg'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import type { TaskQueue } from '../base/task-queue.ts'
import type { Module } from '../http/module.ts'
import type { Shop } from '../base/shop.ts'
import { shownCarts } from '../cart/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Settings } from './channels/channels.ts'
import { recommendationRoutes } from './channels/routes.ts'
import { dailyMetricsJob } from './experiments/daily-metrics.ts'
import { guardJob } from './experiments/guard.ts'
import { ListLog } from './experiments/list-log.ts'
import { metricsRoutes } from './experiments/metrics-routes.ts'
import { offPolicyRoutes } from './experiments/off-policy-routes.ts'
import { experimentRoutes } from './experiments/routes.ts'
import { RunningExperiments } from './experiments/running-experiments.ts'
import { explainRoutes } from './explain/routes.ts'
import { externalModelRoutes, trainingDataRoutes } from './external/routes.ts'
import { isClientKey } from './interactions/aliases.ts'
import { preloadHistories } from './interactions/history.ts'
import { createPartitions, maintainInteractions, popularityJob } from './interactions/jobs.ts'
import { reactions } from './interactions/reactions.ts'
import { interactionRecords } from './interactions/records.ts'
import { latestBuyers } from './interactions/store.ts'
import { ActiveModel } from './models/active-model.ts'
import { RequestedTrainings } from './models/requested-trainings.ts'
import { modelRoutes } from './models/routes.ts'
import { viewedRoutes } from './interactions/viewed-routes.ts'
import { warmUp } from './serving/warm-up.ts'
import { suggestionRoutes } from './suggestions/routes.ts'
import { trainingJob } from './models/run-training.ts'

interface RecommendationsDeps {
  shops: Record<Environment, Shop>
  catalog: Catalog
  log: Log
  settings: Settings
  connection: pg.PoolConfig
  /** In which trainings of both environments take turns, also with tasks of other modules. */
  taskQueue: TaskQueue
}

interface EnvironmentState {
  shop: Shop
  models: ActiveModel
  experiments: RunningExperiments
  lists: ListLog
}

export function openRecommendations({
  shops,
  catalog,
  log,
  settings,
  connection,
  taskQueue,
}: RecommendationsDeps): Module {
  const open = (shop: Shop): EnvironmentState => ({
    shop,
    models: new ActiveModel(shop, log),
    experiments: new RunningExperiments(shop, log),
    lists: new ListLog(shop, log, settings.logShare),
  })
  const state = { live: open(shops.live), test: open(shops.test) }
  const both = <K extends keyof EnvironmentState>(part: K) => ({
    live: state.live[part],
    test: state.test[part],
  })
  const [models, experiments, lists] = [both('models'), both('experiments'), both('lists')]
  const environments = Object.values(state)
  let isClosed = false
  const preloads = new Set<Promise<void>>()
  const trainings = new RequestedTrainings(connection, taskQueue, log)
  return {
    routes: [
      ...recommendationRoutes({ catalog, models, experiments, lists, settings }),
      ...modelRoutes({ shops, trainings }),
      ...externalModelRoutes({ shops }),
      ...trainingDataRoutes(connection),
      ...explainRoutes({ catalog, models, experiments, settings }),
      ...suggestionRoutes(catalog),
      ...viewedRoutes,
      ...experimentRoutes,
      ...offPolicyRoutes({ catalog, models }),
      ...metricsRoutes(settings.timezone),
    ],
    jobs: [
      maintainInteractions,
      popularityJob,
      dailyMetricsJob(settings.timezone),
      guardJob,
      trainingJob({ connection, queue: taskQueue }),
    ],
    reactions,
    recordKinds: [interactionRecords],
    readiness: () => ({ models: environments.every((it) => it.models.isReady) }),
    // Models load in the background: until then, calls get popular products.
    start: async () => {
      await Promise.all(environments.flatMap((it) => [it.experiments.reload(), it.models.start()]))
      const cacheHistories = (of: EnvironmentState) => {
        const run = preload(of, { catalog, isClosed: () => isClosed }).catch((error: unknown) => {
          if (!isClosed) log.warn('recent buyer histories could not be preloaded', { error })
        })
        preloads.add(run)
        void run.then(() => preloads.delete(run))
      }
      for (const it of environments) {
        it.lists.start()
        cacheHistories(it)
        // A shop whose interactions were imported has none in the cache until its first model.
        it.shop.relay.subscribe((event) => {
          if (event.type === 'ModelActivated') cacheHistories(it)
        })
      }
    },
    loaded: async () => void (await Promise.all(preloads)),
    close: async () => {
      isClosed = true
      await Promise.all([trainings.close(), ...environments.map((it) => it.lists.close())])
    },
  }
}

/** Small batches, so that calls do not wait long meanwhile. */
const preloadLimits = { interactions: 20_000, batchSize: 25 }

/** Creates this month's partition, caches the histories and carts of the latest buyers, and warms the model up with some of them. */
async function preload(
  { shop: { db, environment }, models }: EnvironmentState,
  { catalog, isClosed }: { catalog: Catalog; isClosed: () => boolean },
): Promise<void> {
  await db.transaction((tx) => createPartitions(tx, 0))
  const buyers = await latestBuyers(db.read(), preloadLimits.interactions)
  for (let begin = 0; begin < buyers.length; begin += preloadLimits.batchSize) {
    const batch = buyers.slice(begin, begin + preloadLimits.batchSize)
    await preloadHistories(db.read(), batch, catalog.currentIndex(environment))
    await shownCarts(db.read(), batch.filter(isClientKey))
  }
  await models.loaded()
  await warmUp(db, buyers.filter(isClientKey), {
    catalog,
    environment,
    serving: () => (isClosed() ? undefined : models.serving),
  })
}
