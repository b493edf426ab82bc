// npm run record:examples: fills the demo shop, calls every operation, and writes the calls as examples for the reference.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedCall } from '../../src/http/openapi.ts'
import { operations } from '../../src/sdk/operations.ts'
import { openTestStorage } from '../support/storage.ts'
import { openDemoShop } from './demo-shop.ts'
import { masked } from './masks.ts'
import { Recorder } from './recorder.ts'
import { recordAll } from './steps.ts'

const target = join(import.meta.dirname, '../../src/reference/examples.json')
const historyParts = 4

/** One line per operation, so that a change shows which operation it is about. */
const textOf = (calls: Record<string, RecordedCall>): string =>
  `{\n${Object.entries(calls)
    .map(([name, call]) => `${JSON.stringify(name)}: ${JSON.stringify(call)}`)
    .join(',\n')}\n}\n`

async function record(dataDir: string): Promise<Record<string, RecordedCall>> {
  const shop = await openDemoShop({ dataDir, historyParts })
  try {
    const recorder = new Recorder(shop.url)
    await recordAll({ ...shop, bozor: recorder.client({ apiKey: shop.apiKey }), recorder })
    return masked(recorder.calls, shop)
  } finally {
    await shop.close()
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
