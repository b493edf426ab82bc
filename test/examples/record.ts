// npm run record:examples: fills the demo shop, calls every operation, and writes the calls as examples for the reference.

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { allRecordKinds, openApp } from '../../src/app.ts'
import { elapsedMs } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { silentLog } from '../../src/base/log.ts'
import { reaction } from '../../src/base/outbox.ts'
import { openVault } from '../../src/base/vault.ts'
import {
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
import { operations } from '../../src/sdk/operations.ts'
import { freshDatabase } from '../support/database.ts'
import { openTestStorage } from '../support/storage.ts'
import { masked } from './masks.ts'
import { type RecordedCall, Recorder } from './recorder.ts'
import { recordAll } from './steps.ts'

const target = join(import.meta.dirname, '../../src/reference/examples.json')

/** A hundred buyers each. A few hundred are enough for lists that look real. */
const historyParts = 4

/** The demo shop has no failed reaction. This one always fails, so that there is something to retry. */
const failingReaction = reaction('erp.brand-created', 'BrandCreated', () =>
  Promise.reject(new Error('the ERP system replied 503')),
)

/** One line per operation, so that a change shows which operation it is about. */
const textOf = (calls: Record<string, RecordedCall>): string =>
  `{\n${Object.entries(calls)
    .map(([name, call]) => `${JSON.stringify(name)}: ${JSON.stringify(call)}`)
    .join(',\n')}\n}\n`

async function record(dataDir: string): Promise<Record<string, RecordedCall>> {
  const config = readConfig({ RATE_LIMIT: 'none', SECRET_KEY: '0'.repeat(64), DATA_DIR: dataDir })
  const connection = await freshDatabase()
  const app = openApp({
    config,
    connection,
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
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  const { db, clock } = app.shops.test
  try {
    await loadShop()
    await app.start()
    await app.loaded()
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const startMs = clock.now().getTime()
    const application = { name: 'Examples', scopes: [...scopes], redirectUrls: [], rateLimit: null }
    const { apiKey } = await db.transaction((tx) =>
      registerApplication(tx, { ...application, type: 'server' }, null),
    )
    const recorder = new Recorder(url)
    const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    await recordAll({
      bozor: recorder.client({ apiKey }),
      apiKey,
      recorder,
      app,
      vault: openVault(config),
      url,
      receiverUrl,
    })
    return masked(recorder.calls, { url, startMs })
  } finally {
    receiver.close()
    await app.close()
  }

  async function loadShop(): Promise<void> {
    await db.transaction(async (tx) => {
      await loadDemoCatalog(tx, demoRecords(demoSeed), allRecordKinds)
      await draftDemoCampaign(tx, config)
      await startDemoHistory(tx)
    })
    const history = new DemoHistory(demoSeed)
    for (let part = 0; part < historyParts; part++) await db.transaction((tx) => history.loadNext(tx))
    await trainModel(db, { seed: defaultSeed, threads: defaultThreads(), report: () => undefined })
    await db.transaction(finishDemoHistory)
  }
}

const storage = await openTestStorage()
process.env['BOZOR_TEST_STORAGE'] = storage.connectionJson
try {
  const calls = await record(storage.preparedDir)
  writeFileSync(target, textOf(calls))
  const names = operations.split('\n').map((row) => row.split(' ')[0]!)
  const missing = names.filter((it) => !(it in calls))
  console.log(`${Object.keys(calls).length} of ${names.length} operations recorded`)
  if (missing.length > 0) {
    console.error(`no example for ${missing.join(', ')}: call them in test/examples/*-steps.ts`)
    process.exitCode = 1
  }
} finally {
  await storage.close()
}
