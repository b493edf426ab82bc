// The demo shop on a server of its own, with what the calls of the examples need around it.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allRecordKinds, type App, openApp } from '../../src/app.ts'
import { elapsedMs } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { silentLog } from '../../src/base/log.ts'
import { reaction } from '../../src/base/outbox.ts'
import { openVault, type Vault } from '../../src/base/vault.ts'
import {
  createDemoCoupons,
  DemoHistory,
  demoRecords,
  demoSeed,
  draftDemoCampaign,
  finishDemoHistory,
  loadDemoCatalog,
  startDemoHistory,
} from '../../src/demo/index.ts'
import { memoryCounter } from '../../src/http/rate-limit.ts'
import { scopes } from '../../src/http/scopes.ts'
import { registerApplication } from '../../src/identity/index.ts'
import { defaultSeed, defaultThreads, trainModel } from '../../src/recommendations/index.ts'
import { freshDatabase } from '../support/database.ts'

export interface DemoShop {
  app: App
  vault: Vault
  url: string
  /** A key of the test environment that has every scope. */
  apiKey: string
  /** The address of a server that receives webhooks. */
  receiverUrl: string
  /** When the shop was opened, by its clock. */
  startMs: number
  close(): Promise<void>
}

/** The demo shop has no failed reaction. This one always fails, so that there is something to retry. */
const failingReaction = reaction('erp.brand-created', 'BrandCreated', () =>
  Promise.reject(new Error('the ERP system replied 503')),
)

/** `historyParts` is the number of buyers in hundreds: a few hundred are enough for lists that look real. */
export async function openDemoShop(options: { dataDir: string; historyParts: number }): Promise<DemoShop> {
  const config = readConfig({ RATE_LIMIT: 'none', SECRET_KEY: '0'.repeat(64), DATA_DIR: options.dataDir })
  const app = openApp({
    config,
    connection: await freshDatabase(),
    log: silentLog(),
    version: '0.0.0-examples',
    counter: memoryCounter(elapsedMs),
    checkReplies: true,
    reactions: [failingReaction],
    timeouts: { loopDelays: 'tolerate' },
  })
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  const close = async () => {
    receiver.close()
    await app.close()
  }
  try {
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
    await loadDemo()
    await app.start()
    await app.loaded()
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const application = { name: 'Examples', scopes: [...scopes], redirectUrls: [], rateLimit: null }
    const { apiKey } = await app.shops.test.db.transaction((tx) =>
      registerApplication(tx, { ...application, type: 'server' }, null),
    )
    return {
      app,
      vault: openVault(config),
      url,
      apiKey,
      receiverUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`,
      startMs: app.shops.test.clock.now().getTime(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }

  async function loadDemo(): Promise<void> {
    const { db } = app.shops.test
    await db.transaction(async (tx) => {
      await loadDemoCatalog(tx, demoRecords(demoSeed), allRecordKinds)
      await createDemoCoupons(tx)
      await draftDemoCampaign(tx, config)
      await startDemoHistory(tx)
    })
    const history = new DemoHistory(demoSeed)
    for (let part = 0; part < options.historyParts; part++) await db.transaction((tx) => history.loadNext(tx))
    await trainModel(db, { seed: defaultSeed, threads: defaultThreads(), report: () => undefined })
    await db.transaction(finishDemoHistory)
  }
}
