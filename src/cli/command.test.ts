import { equal, match } from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Environment } from '../base/db.ts'
import { bozor, temporaryFolder } from '../../test/support/process.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { withDatabases } from './command.ts'

test('a command works by the clock of its environment, wherever that was moved', async () => {
  const { call, connection } = await openPlatform()
  await call('POST', '/v1/test/clock', { body: { advance: 'P2D' } })
  const now = (environment: Environment) =>
    withDatabases(connection, async (db) => db[environment].read().now.getTime())
  const aheadMs = (await now('test')) - (await now('live'))
  equal(Math.round(aheadMs / 86_400_000), 2)
})

test('a command that does not exist is told by name, with a way on', async () => {
  const { code, stdout, stderr } = await bozor(['strat'], {})
  equal(code, 1)
  equal(stdout, '')
  match(stderr, /^bozor: there is no command "strat"; "help" lists them\n$/)
})

test('help is no mistake', async () => {
  for (const args of [[], ['help'], ['--help'], ['help', 'app'], ['app', '--help']])
    equal((await bozor(args, {})).code, 0)
})

test('a start on a port that is taken ends with a sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => other.once('listening', ready))
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await bozor(['start'], { PORT: String(port), DATA_DIR: temporaryFolder() })
  other.close()
  equal(code, 1)
  match(stderr, new RegExp(`bozor: port ${port} is in use already; .*PORT`))
})
