import { equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '../../test/support/wait-until.ts'
import { type LoadShedder, openLoadShedder } from './overload.ts'

const usedMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Blocks the event loop repeatedly until the overload is noticed. */
const untilLate = (loadShedder: LoadShedder) =>
  waitUntil(() => {
    for (const began = process.cpuUsage(); usedMs(began) < 1_000;);
    return loadShedder.delayMs > 500
  })

const isRejected = { code: 'service_unavailable' }

test('a delayed event loop rejects low-priority requests until it recovers', async () => {
  const loadShedder = openLoadShedder({ loopDelays: 'shed' })
  try {
    loadShedder.check('first')
    await untilLate(loadShedder)
    throws(() => loadShedder.check('first'), isRejected)
    await waitUntil(() => loadShedder.delayMs < 500)
    loadShedder.check('first')
  } finally {
    loadShedder.close()
  }
})

test('with tolerated loop delays only the number of requests in progress matters', async () => {
  const loadShedder = openLoadShedder({ loopDelays: 'tolerate' })
  try {
    await untilLate(loadShedder)
    loadShedder.check('first')
    for (let at = 0; at < 1_001; at++) loadShedder.enter()
    throws(() => loadShedder.check('first'), isRejected)
    equal(loadShedder.inProgress, 1_001)
  } finally {
    loadShedder.close()
  }
})
