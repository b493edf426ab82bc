// npm run simulate -- --seed N --steps K [--seeds COUNT]: runs the seeds from N on and stops at the first failure.
// npm run simulate -- --locks [--only TEXT]: removes every lock in turn and looks for a seed that shows it (nightly).

import { parseArgs } from 'node:util'
import { dropDatabase, freshDatabase } from '../support/database.ts'
import { openTestStorage } from '../support/storage.ts'
import { printLockTable } from './print-lock-table.ts'
import { InvariantBroken, simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '200' },
    seeds: { type: 'string', default: '1' },
    locks: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
const [first, steps, count] = [Number(values.seed), Number(values.steps), Number(values.seeds)]
if (![first, steps, count].every((it) => Number.isSafeInteger(it) && it >= 0)) {
  console.error('--seed, --steps and --seeds must be whole numbers, for example --seed 7 --steps 200')
  process.exit(2)
}

const lockSeeds = 100

const storage = await openTestStorage()
process.env['BOZOR_TEST_STORAGE'] = storage.connectionJson
try {
  if (values.locks) await checkLocks()
  else await runSeeds()
} catch (error) {
  if (!(error instanceof InvariantBroken)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await storage.close()
}

async function runSeeds(): Promise<void> {
  for (let seed = first; seed < first + count; seed++) {
    const connection = await freshDatabase()
    const { orders, refused, done } = await simulate(connection, { seed, steps })
    await dropDatabase(connection)
    const actions = Object.entries(done).map(([name, times]) => `${name} ${times}`)
    console.log(`seed ${seed}: ${steps} steps, ${orders} orders, ${refused} refusals; ${actions.join(', ')}`)
  }
  console.log(`all invariants held; repeat with: npm run simulate -- --seed ${first} --steps ${steps}`)
}

async function checkLocks(): Promise<void> {
  const connection = await freshDatabase()
  const missing = await printLockTable(connection, { only: values.only, seeds: lockSeeds })
  await dropDatabase(connection)
  if (missing > 0) process.exitCode = 1
}
