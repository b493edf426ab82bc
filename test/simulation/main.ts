// npm run simulate -- --seed N --steps K [--seeds COUNT]: one fate, or as many from it on; stops at the first that breaks.

import { parseArgs } from 'node:util'
import { dropDatabase, freshDatabase } from '../support/database.ts'
import { openTestStorage } from '../support/storage.ts'
import { Broken, simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '200' },
    seeds: { type: 'string', default: '1' },
  },
})
const [first, steps, count] = [Number(values.seed), Number(values.steps), Number(values.seeds)]
if (![first, steps, count].every((it) => Number.isSafeInteger(it) && it >= 0)) {
  console.error('say --seed, --steps and --seeds as whole numbers')
  process.exit(2)
}

const storage = await openTestStorage()
process.env['BOZOR_TEST_STORAGE'] = storage.spelled
try {
  for (let seed = first; seed < first + count; seed++) {
    const connection = await freshDatabase()
    const { orders, refused, done } = await simulate(connection, { seed, steps })
    await dropDatabase(connection)
    const deeds = Object.entries(done).map(([name, times]) => `${name} ${times}`)
    console.log(`seed ${seed}: ${steps} steps, ${orders} orders, ${refused} refusals; ${deeds.join(', ')}`)
  }
  console.log(`all invariants held; see one again: npm run simulate -- --seed ${first} --steps ${steps}`)
} catch (error) {
  if (!(error instanceof Broken)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await storage.close()
}
