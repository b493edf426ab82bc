import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { slowQueryLog } from './slow-query-log.ts'

test('a slow statement is logged once a minute, and a busy minute logs a few statements', () => {
  const lines: (Record<string, unknown> | undefined)[] = []
  let now = 0
  const { fromMs, report } = slowQueryLog({
    fromMs: 500,
    log: { warn: (_message, fields) => void lines.push(fields) },
    environment: 'live',
    elapsed: () => now,
  })
  equal(fromMs, 500)
  report('select\n  1', 600.4)
  report('select\n  1', 700)
  deepEqual(lines, [{ environment: 'live', ms: 600, sql: 'select 1' }])
  for (let at = 0; at < 50; at++) report(`select ${at} as other`, 800)
  equal(lines.length, 10)
  now = 60_000
  report('select\n  1', 900)
  deepEqual(lines.at(-1), { environment: 'live', ms: 900, sql: 'select 1', skipped: 41 })
})

test('no statement is slow when the log of slow statements is off', () => {
  const { fromMs } = slowQueryLog({ fromMs: 0, log: { warn: () => {} }, environment: 'live' })
  equal(fromMs, Infinity)
})
