import { equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Level, masked, openLog } from './log.ts'

const folder = mkdtempSync(join(tmpdir(), 'bozor-log-'))
after(() => rmSync(folder, { recursive: true }))

function written(level: Level, write: (log: ReturnType<typeof openLog>) => void): string {
  const file = join(folder, 'log')
  const log = openLog({ level, clock: { now: () => new Date(0) }, fd: openSync(file, 'w') })
  write(log)
  log.flush()
  return readFileSync(file, 'utf8')
}

test('a line is one JSON object with its time, level and words', () => {
  const line = JSON.parse(written('info', (log) => log.info('hello', { route: '/v1' })))
  equal(
    JSON.stringify(line),
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"hello","route":"/v1"}',
  )
})

test('what is below the level is not written', () =>
  equal(
    written('warn', (log) => log.info('hello')),
    '',
  ))

test('an error is told with where it was', () =>
  match(
    written('info', (log) => log.error('x', { error: new Error('boom') })),
    /"message":"boom","stack":"Error: boom/,
  ))

test('credentials and personal numbers never reach the log, in whichever field they stand', () => {
  for (const secret of [
    '{"note":"Bearer abc.def-123456"}',
    '{"url":"/x?key=ak_live_0123456789abcdefghijABCDEFGHIJ01234567"}',
    '{"client_secret":"sk_test_0123456789"}',
    '{"password":"hunter2 \\" and more"}',
    '{"refresh_token":"hunter2"}',
    '{"phone":"+998901234567"}',
    '{"body":{"user_id":"hunter2","mobi_user_id":"hunter2","auth_id":9989,"mini_app_user_id":"hunter2"}}',
    '{"SessionId":"hunter2","guest_session_id":"hunter2","note":"gs_test_0123456789"}',
    '{"error":"550 5.1.1 <hunter2@mail.uz>: no such user"}',
    '{"error":"hunter2.Ўзбек+1@почта.рф is full, and so is +998901234567"}',
  ])
    ok(!/hunter2|Ўзбек|0123456789|abc\.def|9989/.test(masked(secret)), masked(secret))
})

test('what only looks like an address is left as it is', () => {
  const line = '{"stack":"at x (/a/node_modules/@nats-io/core/lib.js:1:2) fastify@5.12.8 +12 ms"}'
  equal(masked(line), line)
})
