import { equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Level, maskSecrets, openLog } from './log.ts'

const folder = mkdtempSync(join(tmpdir(), 'bozor-log-'))
after(() => rmSync(folder, { recursive: true }))

function written(level: Level, write: (log: ReturnType<typeof openLog>) => void): string {
  const file = join(folder, 'log')
  const log = openLog({ level, clock: { now: () => new Date(0) }, fd: openSync(file, 'w') })
  write(log)
  log.flush()
  return readFileSync(file, 'utf8')
}

test('a line is one JSON object with time, level and message', () => {
  const line = JSON.parse(written('info', (log) => log.info('hello', { route: '/v1' })))
  equal(
    JSON.stringify(line),
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"hello","route":"/v1"}',
  )
})

test('messages below the level are not written', () =>
  equal(
    written('warn', (log) => log.info('hello')),
    '',
  ))

test('an error is logged with its stack', () =>
  match(
    written('info', (log) => log.error('x', { error: new Error('boom') })),
    /"message":"boom","stack":"Error: boom/,
  ))

test('credentials and personal numbers are removed from every field of a log line', () => {
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
    ok(!/hunter2|Ўзбек|0123456789|abc\.def|9989/.test(maskSecrets(secret)), maskSecrets(secret))
})

test('text that only resembles an address stays unchanged', () => {
  const line = '{"stack":"at x (/a/node_modules/@nats-io/core/lib.js:1:2) fastify@5.12.8 +12 ms"}'
  equal(maskSecrets(line), line)
})

function terminalLines(write: (log: ReturnType<typeof openLog>) => void, isColoured = false) {
  const screen = join(folder, 'screen')
  const path = join(folder, 'logs', 'bozor.log')
  rmSync(path, { force: true })
  const log = openLog({
    level: 'info',
    clock: { now: () => new Date(0) },
    fd: openSync(screen, 'w'),
    terminal: { isColoured, level: 'warn' },
    file: { path, rotates: true },
  })
  write(log)
  log.flush()
  const kept = readFileSync(path, 'utf8').trimEnd().split('\n')
  return { shown: readFileSync(screen, 'utf8'), kept: kept.map((it) => JSON.parse(it)) }
}

test('a terminal shows warnings and requests as short lines, and the file keeps everything as JSON', () => {
  const { shown, kept } = terminalLines((log) => {
    log.info('job finished', { job: 'sweep' })
    log.warn('webhook delivery failed', { attempt: 2, error: new Error('no route'), note: 'a b' })
    log.request({
      requestId: 'r',
      method: 'GET',
      route: '/v1/orders',
      status: 200,
      ms: 3.2,
      environment: 'test',
      caller: undefined,
      client: undefined,
    })
  })
  equal(
    shown,
    '00:00:00 warn  webhook delivery failed  attempt=2 error="no route" note="a b"\n' +
      '00:00:00 200   GET    /v1/orders  3 ms  test\n',
  )
  equal(kept.map((it) => it.message).join(), 'job finished,webhook delivery failed,request')
  match(kept[1].error.stack, /Error: no route/)
})

test('only a terminal gets colours', () => {
  const write = (log: ReturnType<typeof openLog>) => log.error('broken')
  match(terminalLines(write, true).shown, new RegExp(String.fromCharCode(27)))
  equal(terminalLines(write).shown, '00:00:00 error broken\n')
})

test('a secret is masked on the terminal too', () => {
  const { shown } = terminalLines((log) => log.warn('x', { note: 'Bearer abc.def-123456' }))
  ok(!shown.includes('abc.def'), shown)
})

test('a log file that has become large is rotated', () => {
  const path = join(folder, 'rotated', 'bozor.log')
  const log = openLog({
    level: 'info',
    clock: { now: () => new Date(0) },
    fd: openSync(join(folder, 'rest'), 'w'),
    file: { path, rotates: true, maxBytes: 10 },
  })
  log.info('first')
  log.flush()
  log.info('second')
  log.flush()
  match(readFileSync(path, 'utf8'), /^[^\n]*"second"[^\n]*\n$/)
  match(readFileSync(`${path}.1`, 'utf8').slice(0, 200), /"first"/)
})
