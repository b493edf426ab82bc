import { deepEqual, equal, match } from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { bozor, temporaryFolder } from '../../test/support/process.ts'
import { openPlatform } from '../../test/support/shop.ts'
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
  equal(code, 1)
  equal(stdout, '')
  match(stderr, /^bozor: there is no command "strat"; did you mean "start"\? "help" lists the commands\n$/)
  match((await bozor(['nosuch'], {})).stderr, /^bozor: there is no command "nosuch"; "help" lists/)
  const option = await bozor(['logs', '--folow'], {})
  equal(option.code, 1)
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
  deepEqual([code, stdout], [1, ''])
  match((JSON.parse(stderr) as { error: { message: string } }).error.message, /--limit must be/)
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

test('help about an unknown command exits with 1', async () => {
  const { code, stderr } = await bozor(['help', 'nosuch'], {})
  equal(code, 1)
  match(stderr, /^bozor: there is no command "nosuch"; "help" lists the commands\n$/)
})

test('--version prints the version', async () => {
  const { code, stdout } = await bozor(['--version'], {})
  equal(code, 0)
  match(stdout, /^\d+\.\d+\.\d+\S*\n$/)
})
