import { availableParallelism } from 'node:os'
import { allRecordKinds } from '../app.ts'
import type { Config } from '../base/config.ts'
import type { Database, Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { withPatience } from '../base/patience.ts'
import { yieldToOthers } from '../base/yield-to-others.ts'
import type { House } from '../marketing/index.ts'
import type { Storage } from '../base/storage.ts'
import {
  beginDemoLife,
  DemoLife,
  demoRecords,
  demoSeed,
  draftDemoCampaign,
  endDemoLife,
  isLifeUnderWay,
  stockDemoShop,
} from '../demo/index.ts'
import { hasApplications } from '../identity/index.ts'
import { trainModel, usualSeed, usualThreads } from '../recommendations/index.ts'
import { atDesk, type Command, type World } from './command.ts'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'load the demo shop into both environments',
  usage: '[--life]',
  help: `Adds the demo shop to live and test, and three months of what its buyers did there. What is there already stays as
it is; loading twice changes nothing, and what was interrupted goes on.

  --life    only what buyers did, and a model learnt from it; a starting server does this in the background`,
  options: { life: { type: 'boolean' } },
  async run(world, given) {
    await atDesk(world, 'demo', async ({ db }) => {
      if (given.flags['life'] === true) yieldToOthers()
      else await loadDemo(db, world)
      await loadLife(db, world)
    })
    world.print('The demo shop is loaded in live and test.')
    return 0
  },
}

/** Asked for; or not decided, on an embedded database in which nobody has registered anything yet. */
export const demoWanted = async (config: Config, storage: Storage, db: Database): Promise<boolean> =>
  config.demo ?? (storage.embedded && !(await hasApplications(db.read())))

/** Stocks both environments, each in one transaction, which also notes that its past is to be loaded. */
export async function loadDemo(
  db: Record<Environment, Database>,
  { config, log }: { config: House; log: Log },
): Promise<void> {
  const records = demoRecords(demoSeed)
  // Another process may be loading it too: its end is waited for.
  const stocked = (shop: Database) =>
    withPatience(() =>
      shop.transaction(async (tx) => {
        const added = await stockDemoShop(tx, records, allRecordKinds)
        await draftDemoCampaign(tx, config)
        await beginDemoLife(tx)
        return added
      }),
    )
  const [live, test] = await Promise.all([stocked(db.live), stocked(db.test)])
  log.info('the demo shop is loaded', { live, test })
}

/** Whether a past is still to be loaded, or to be learnt from: a server that was stopped meanwhile left it so. */
export const lifeWanted = async (db: Record<Environment, Database>): Promise<boolean> =>
  (await isLifeUnderWay(db.live.read())) || (await isLifeUnderWay(db.test.read()))

/** Gives both environments their past, or the rest of it, live first: that is where a newcomer looks. */
async function loadLife(db: Record<Environment, Database>, { log, progress }: World): Promise<void> {
  const life = new DemoLife(demoSeed)
  for (const environment of ['live', 'test'] as const) {
    const shop = db[environment]
    if (!(await withPatience(() => isLifeUnderWay(shop.read())))) continue
    let deeds = 0
    for (let more: number | undefined = 0; more !== undefined; deeds += more ?? 0)
      more = await withPatience(() => shop.transaction((tx) => life.goOn(tx)))
    log.info('the demo shop has a past', { environment, deeds })
    await trainModel(shop, { seed: usualSeed, ...haste[environment], tell: progress })
    await withPatience(() => shop.transaction(endDemoLife))
  }
}

/** In live a newcomer waits for the first model; in test it is learnt beside what he does there meanwhile. */
const haste = {
  live: { threads: availableParallelism(), strides: 'long' },
  test: { threads: usualThreads() },
} as const
