import { equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { type Gate, openGate } from './overload.ts'

const usedMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Keeps the process busy again and again, until the gate has noticed. By its own work: a busy machine takes longer. */
const untilLate = (gate: Gate) =>
  until(() => {
    for (const began = process.cpuUsage(); usedMs(began) < 1_000;);
    return gate.delayMs > 500
  })

const isTurnedAway = { code: 'service_unavailable' }

test('a process that is late turns those away who can wait, and lets them in again when it is not', async () => {
  const gate = openGate({ loopDelays: 'shed' })
  try {
    gate.check('first')
    await untilLate(gate)
    throws(() => gate.check('first'), isTurnedAway)
    await until(() => gate.delayMs < 500)
    gate.check('first')
  } finally {
    gate.close()
  }
})

test('a process that serves beside other work may be late, but is full at the same number of calls', async () => {
  const gate = openGate({ loopDelays: 'borne' })
  try {
    await untilLate(gate)
    gate.check('first')
    for (let at = 0; at < 1_001; at++) gate.enter()
    throws(() => gate.check('first'), isTurnedAway)
    equal(gate.underWay, 1_001)
  } finally {
    gate.close()
  }
})
