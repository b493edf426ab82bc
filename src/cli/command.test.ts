import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { logFileOf } from '../base/log.ts'
import { databaseUrl } from '../../test/support/database.ts'
import { bozor, piped, temporaryFolder } from '../../test/support/process.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { argumentsIn } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { commands } from './index.ts'
import { withDatabases } from './storage.ts'

test('a command uses the clock of its environment', async () => {
  const { call, connection } = await openPlatform()
  const moved = await call('POST', '/v1/test/clock', { body: { advance: 'P2D' } })
  equal(moved.status, 200, moved.text)
  const aheadMs = await withDatabases(
    connection,
    async ({ live, test: ahead }) => ahead.clock.now().getTime() - live.clock.now().getTime(),
  )
  equal(Math.round(aheadMs / 86_400_000), 2)
})

test('an unknown command is named, with a hint', async () => {
  const { code, stdout, stderr } = await bozor(['strat'], {})
  equal(code, 2)
  equal(stdout, '')
  match(stderr, /^bozor: there is no command "strat"; did you mean "start"\? "help" lists the commands\n$/)
  match((await bozor(['nosuch'], {})).stderr, /^bozor: there is no command "nosuch"; "help" lists/)
  const option = await bozor(['logs', '--folow'], {})
  equal(option.code, 2)
  match(
    option.stderr,
    /^bozor: there is no option "--folow"; did you mean "--follow"\? the options are --follow, /,
  )
})

test('every command but those with a format of their own has --json and says so', async () => {
  const loaded = await Promise.all(commands.map(async ({ name, load }) => ({ name, command: await load() })))
  const without = loaded.filter(({ command }) => !('json' in command.options)).map(({ name }) => name)
  // The log of the server, the protocol of agents, and a script.
  deepEqual(without, ['start', 'mcp', 'completion'])
  for (const { name, command } of loaded)
    if ('json' in command.options) match(command.usage + command.help, /--json/, name)
})

test('with --json an error is JSON on stderr', async () => {
  const { code, stdout, stderr } = await bozor(['events', 'list', '--limit', 'x', '--json'], {
    BOZOR_KEY: 'ak_test_x',
  })
  deepEqual([code, stdout], [2, ''])
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string } }
  equal(error.code, 'usage')
  match(error.message, /--limit must be/)
})

test('the exit code says what kind of failure it was', async () => {
  const { connection, keys, url } = await openPlatform()
  const local = { DATABASE_URL: databaseUrl(connection), DATA_DIR: temporaryFolder() }
  const remote = { BOZOR_KEY: keys.test, BOZOR_URL: url }
  const cases: [number, string, RegExp, string[], Record<string, string>][] = [
    [2, 'usage', /use "stock show OFFER_ID"/, ['stock', 'show'], local],
    [2, 'usage', /The configuration is invalid/, ['jobs'], { ...local, PORT: 'x' }],
    [
      3,
      'not_found',
      /^There is no offer 999999\. "bozor stock list" lists/,
      ['stock', 'show', '999999'],
      local,
    ],
    [3, 'not_found', /^There is no order 77\. "bozor orders list" lists/, ['orders', 'show', '77'], local],
    [3, 'not_found', /^There is no order abc\./, ['orders', 'cancel', 'abc'], local],
    [
      3,
      'not_found',
      /there is no job "prommotions"; did you mean "promotions"/,
      ['jobs', 'run', 'prommotions'],
      local,
    ],
    [3, 'not_found', /there is no model 99 /, ['model', 'activate', '99'], local],
    [
      3,
      'not_found',
      /There is no event 0190/,
      ['events', 'show', '01900000-0000-7000-8000-000000000000'],
      remote,
    ],
    [4, 'validation_failed', /status must be one of/, ['orders', 'list', '--status', 'lost'], local],
    [4, 'refused', /does not accept the key/, ['events', 'list'], { ...remote, BOZOR_KEY: `${keys.test}x` }],
    [
      5,
      'unreachable',
      /cannot be reached/,
      ['events', 'list'],
      { ...remote, BOZOR_URL: 'http://127.0.0.1:1' },
    ],
    [5, 'unreachable', /database/i, ['jobs'], { ...local, DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }],
  ]
  for (const [expected, expectedCode, message, args, env] of cases) {
    const { code, stderr } = await bozor([...args, '--json'], env)
    const { error } = JSON.parse(stderr.slice(stderr.indexOf('{"error'))) as {
      error: { code: string; message: string }
    }
    deepEqual([code, error.code], [expected, expectedCode], `${args.join(' ')}: ${stderr}`)
    match(error.message, message)
  }
})

test('a reader that goes away ends the output without an error, also of what follows events', async () => {
  const { call, connection, keys, url } = await openPlatform()
  let count = 0
  const happen = async () => {
    const slug = `brand-${count++}`
    await call('POST', '/v1/catalog/brands', { body: { slug, name: slug } })
    appendFileSync(logFileOf(folder), `${line}\n`)
  }
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'logs'))
  const line = JSON.stringify({ time: '2026-11-01T00:00:00.000Z', level: 'info', message: 'x'.repeat(500) })
  writeFileSync(logFileOf(folder), `${line}\n`.repeat(2_000))
  await happen()
  await happen()
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl(connection),
    BOZOR_KEY: keys.test,
    BOZOR_URL: url,
  }
  for (const args of [
    ['events', 'list', '--json'],
    ['events', 'tail', '--json'],
    ['logs', '--lines', '2000'],
    ['logs', '--follow', '--json'],
  ]) {
    let isEnded = false
    const run = piped(args, 'head -1', env).finally(() => (isEnded = true))
    // What follows ends with the first line that it cannot print.
    await waitUntil(async () => isEnded || (await happen().then(() => false)), {
      what: `${args.join(' ')} ends`,
    })
    const { code, stdout, stderr } = await run
    deepEqual([code, stderr], [0, ''], args.join(' '))
    equal(stdout.trim().split('\n').length, 1)
  }
})

test('help and the documentation list the exit codes', async () => {
  const { stdout } = await bozor(['help'], {})
  const page = readFileSync('docs/operations/README.md', 'utf8')
  for (const { code, meaning } of Object.values(exitCodes)) {
    ok(stdout.includes(`  ${code}  ${meaning}\n`), meaning)
    ok(page.includes(`| ${code} | ${meaning} |`), meaning)
  }
})

test('an argument too many is named, and nothing is done', async () => {
  for (const [args, word] of [
    [['logout', 'now'], 'now'],
    [['jobs', 'run', 'purge', 'again'], 'again'],
    [['doctor', 'all'], 'all'],
  ] as const) {
    const { code, stdout, stderr } = await bozor([...args], {})
    deepEqual([code, stdout], [2, ''])
    ok(stderr.startsWith(`bozor: there is no argument "${word}"; use: `), stderr)
  }
  match((await bozor(['events', 'list', 'x'], { BOZOR_KEY: 'ak_test_x' })).stderr, /use "events tail"/)
})

test('the usage of every command says how many arguments it takes', async () => {
  const given = { start: 0, backup: 1, export: 1, key: 3, member: 3, events: 2, 'training-data': 2, mcp: 0 }
  for (const [name, most] of Object.entries(given)) {
    const { usage } = await commands.find((it) => it.name === name)!.load()
    equal(argumentsIn(usage), most, usage)
  }
})

test('help exits with 0', async () => {
  for (const args of [[], ['help'], ['--help'], ['help', 'app'], ['app', '--help']])
    equal((await bozor(args, {})).code, 0)
})

test('starting on a used port ends with one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => other.once('listening', ready))
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await bozor(['start'], { PORT: String(port), DATA_DIR: temporaryFolder() })
  other.close()
  equal(code, 1)
  match(stderr, new RegExp(`bozor: port ${port} is in use; .*PORT`))
})

test('help about an unknown command exits with 2', async () => {
  const { code, stderr } = await bozor(['help', 'nosuch'], {})
  equal(code, 2)
  match(stderr, /^bozor: there is no command "nosuch"; "help" lists the commands\n$/)
})

test('--version prints the version', async () => {
  const { code, stdout } = await bozor(['--version'], {})
  equal(code, 0)
  match(stdout, /^\d+\.\d+\.\d+\S*\n$/)
})
