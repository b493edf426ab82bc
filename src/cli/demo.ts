import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { elapsedMs } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Database, Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import { retryWhileUnavailable } from '../base/retry.ts'
import { lowerProcessPriority } from '../base/process-priority.ts'
import type { CampaignConfig } from '../marketing/index.ts'
import type { Storage } from '../base/storage.ts'
import {
  startDemoHistory,
  DemoHistory,
  demoRecords,
  demoSeed,
  createDemoCoupons,
  draftDemoCampaign,
  finishDemoHistory,
  isHistoryLoading,
  loadDemoCatalog,
} from '../demo/index.ts'
import { hasApplications } from '../identity/index.ts'
import { copyModel, defaultSeed, defaultThreads, trainModel } from '../recommendations/index.ts'
import { type Command, type CommandContext } from './command.ts'
import { withStorage } from './storage.ts'

export const demoCommand: Command = {
  usage: '[--history] [--json]',
  help: `Adds the demo shop to live and test, with three months of interactions of its buyers. Existing data stays; loading
twice changes nothing, and an interrupted load continues.

  --history    only the interactions and a model trained on them; a starting server does this in the background
  --json       print JSON`,
  options: { history: { type: 'boolean' }, json: { type: 'boolean' } },
  async run(context, args) {
    await withStorage(context, 'demo', async ({ db }) => {
      if (args.flags['history'] === true) lowerProcessPriority()
      else {
        context.progress('loading the catalog')
        await loadDemo(db, context)
      }
      await loadHistory(db, context)
    })
    context.progress('')
    context.print(
      args.flags['json']
        ? JSON.stringify({ environments: ['live', 'test'] })
        : 'The demo shop is loaded in live and test.',
    )
    return 0
  },
}

/** The demo is loaded when configured, and by default on an embedded database without applications. */
export const isDemoWanted = async (config: Config, storage: Storage, db: Database): Promise<boolean> =>
  config.demo ?? (storage.embedded && !(await hasApplications(db.read())))

/** Loads both environments, each in one transaction, which also records that the history is to be loaded. */
export async function loadDemo(
  db: Record<Environment, Database>,
  { config, log }: { config: CampaignConfig; log: Log },
): Promise<void> {
  // The platform takes a second to load, which the process that loads the history saves.
  const { allRecordKinds } = await import('../app.ts')
  const records = demoRecords(demoSeed)
  // Another process may be loading it too; wait until it is done.
  const stocked = (shop: Database) =>
    retryWhileUnavailable(() =>
      shop.transaction(async (tx) => {
        const added = await loadDemoCatalog(tx, records, allRecordKinds)
        await createDemoCoupons(tx)
        await draftDemoCampaign(tx, config)
        await startDemoHistory(tx)
        return added
      }),
    )
  const [live, test] = await Promise.all([stocked(db.live), stocked(db.test)])
  log.info('demo shop loaded', { live, test })
}

/** Whether the history or its model is still missing, for example because the server was stopped while loading. */
export const isHistoryPending = async (db: Record<Environment, Database>): Promise<boolean> =>
  (await isHistoryLoading(db.live.read())) || (await isHistoryLoading(db.test.read()))

/**
 * Loads the history of both environments, or the rest of it, live first. Both have the same history, so test gets the model
 * of live before its own interactions, because the storefront sells from test. Then the searches are learned from: in the end,
 * because the server would do it beside the training.
 */
async function loadHistory(db: Record<Environment, Database>, context: CommandContext): Promise<void> {
  const history = new DemoHistory(demoSeed)
  const loaded: Database[] = []
  for (const environment of ['live', 'test'] as const) {
    const shop = db[environment]
    if (!(await retryWhileUnavailable(() => isHistoryLoading(shop.read())))) continue
    const isTrained =
      loaded.includes(db.live) && (await retryWhileUnavailable(() => copyModel(db.live, shop)))
    await loadEnvironment(shop, { ...context, history, isTrained })
    loaded.push(shop)
  }
  for (const shop of loaded) await retryWhileUnavailable(() => shop.transaction(finishDemoHistory))
}

async function loadEnvironment(
  shop: Database,
  { log, progress, history, isTrained }: CommandContext & { history: DemoHistory; isTrained: boolean },
): Promise<void> {
  const { environment } = shop
  // After the first model the shop serves its lists, so the rest leaves it room.
  const inTurn = environment === 'live' ? <T>(work: () => Promise<T>) => work() : withPause
  let interactions = 0
  for (let more: number | undefined = 0; more !== undefined; interactions += more ?? 0) {
    progress(`${environment}: ${interactions} interactions`)
    more = await inTurn(() => retryWhileUnavailable(() => shop.transaction((tx) => history.loadNext(tx))))
  }
  log.info('demo history loaded', { environment, interactions })
  if (!isTrained && (await retryWhileUnavailable(() => history.isModelNext(shop.read()))))
    await trainModel(shop, { seed: defaultSeed, ...trainingOptions[environment], report: progress })
  const loadSearches = () =>
    retryWhileUnavailable(() => shop.transaction((tx) => history.loadNextSearches(tx)))
  while (await withPause(loadSearches));
}

/** The pause after some work, by the time that it took. */
const pauseRatio = 2

async function withPause<T>(work: () => Promise<T>): Promise<T> {
  const beganMs = elapsedMs()
  const result = await work()
  await sleep((elapsedMs() - beganMs) * pauseRatio)
  return result
}

/** In live the user waits for the first model; in test it is trained in the background. */
const trainingOptions = {
  live: { threads: availableParallelism(), strides: 'long' },
  test: { threads: defaultThreads() },
} as const
