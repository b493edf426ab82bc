import { allRecordKinds } from '../app.ts'
import type { Config } from '../base/config.ts'
import type { Database, Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { withPatience } from '../base/patience.ts'
import type { Storage } from '../base/storage.ts'
import { demoRecords, demoSeed, liveDemoLife, stockDemoShop } from '../demo/index.ts'
import { hasApplications } from '../identity/index.ts'
import { patiently, trainModel, usualSeed, usualThreads } from '../recommendations/index.ts'
import { atDesk, type Command, type World } from './command.ts'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'load the demo shop into both environments',
  usage: '[--life]',
  help: `Adds the demo shop to live and test, and three months of what its buyers did there. What is there already stays as
it is; loading twice changes nothing.

  --life    only what buyers did, and a model learnt from it; a starting server does this in the background`,
  options: { life: { type: 'boolean' } },
  async run(world, given) {
    await atDesk(world, 'demo', async ({ db }) => {
      if (given.flags['life'] !== true) await loadDemo(db, world.log)
      await loadLife(db, world)
    })
    world.print('The demo shop is loaded in live and test.')
    return 0
  },
}

/** Asked for; or not decided, on an embedded database in which nobody has registered anything yet. */
export const demoWanted = async (config: Config, storage: Storage, db: Database): Promise<boolean> =>
  config.demo ?? (storage.embedded && !(await hasApplications(db.read())))

/** Stocks both environments, each in one transaction. */
export async function loadDemo(db: Record<Environment, Database>, log: Log): Promise<void> {
  const records = demoRecords(demoSeed)
  // Another process may be loading it too: its end is waited for.
  const stocked = (shop: Database) =>
    withPatience(() => shop.transaction((tx) => stockDemoShop(tx, records, allRecordKinds)))
  const [live, test] = await Promise.all([stocked(db.live), stocked(db.test)])
  log.info('the demo shop is loaded', { live, test })
}

/** Gives both environments their past, live first: that is where a newcomer looks. */
async function loadLife(db: Record<Environment, Database>, { log, progress }: World): Promise<void> {
  for (const environment of ['live', 'test'] as const) {
    const deeds = await patiently(() => db[environment].transaction((tx) => liveDemoLife(tx, demoSeed)))
    log.info('the demo shop has a past', { environment, deeds })
    if (deeds > 0)
      await trainModel(db[environment], { seed: usualSeed, threads: usualThreads(), tell: progress })
  }
}
