import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { readConfig } from '../base/config.ts'
import { events } from '../events.ts'
import { verifyWebhook } from '../sdk/index.ts'
import { databaseUrl } from '../../test/support/database.ts'
import { openReceiver } from '../../test/support/receiver.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { openStock } from '../../test/support/stock.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'
import { commands } from './index.ts'

const platform = await openPlatform()
const stock = await openStock(platform)
const folder = mkdtempSync(join(tmpdir(), 'bozor-login-'))
after(() => rmSync(folder, { recursive: true }))
const BOZOR_CREDENTIALS = join(folder, 'bozor', 'credentials.json')

interface Run {
  lines: string[]
  status: string[]
  code: Promise<number>
}

async function start(args: string[], env: Record<string, string> = {}, input = ''): Promise<Run> {
  const [name, ...rest] = args
  const command: Command = await commands.find((it) => it.name === name)!.load()
  const [lines, status]: [string[], string[]] = [[], []]
  const context = {
    config: readConfig({ DATA_DIR: folder, BOZOR_CREDENTIALS, ...env }),
    isColoured: false,
    print: (text: string) => void lines.push(text),
    outputClosed: new Promise(() => {}),
    printStatus: (text: string) => void status.push(text),
    input: () => Readable.from([input]),
  } as unknown as CommandContext
  return { lines, status, code: command.run(context, parseArguments(command, rest)) }
}

async function run(args: string[], env: Record<string, string> = {}, input = ''): Promise<string[]> {
  const { lines, code } = await start(args, env, input)
  equal(await code, 0)
  return lines
}

test('without a key the commands say how to get one', () =>
  rejects(run(['events', 'list']), /run "bozor login --env test", or set BOZOR_KEY/))

test('a second login replaces the key of the first and registers no other application', async () => {
  const env = { DATABASE_URL: databaseUrl(platform.connection) }
  const file = join(folder, 'local.json')
  const storedKey = (): string => JSON.parse(readFileSync(file, 'utf8')).test.key
  const statusWith = async (key: string) =>
    (await fetch(`${platform.url}/v1/events`, { headers: { authorization: `Bearer ${key}` } })).status
  const signIn = async () => {
    await run(['login'], { ...env, BOZOR_CREDENTIALS: file })
    return storedKey()
  }
  const [first, second] = [await signIn(), await signIn()]
  equal(await statusWith(second), 200)
  await waitUntil(async () => (await statusWith(first)) === 401, { what: 'the first key is refused' })
  const { applications } = (await platform.call('GET', '/v1/admin/applications')).body.data
  equal(applications.filter((it: { name: string }) => it.name.startsWith('Command line of')).length, 1)
})

test('login checks a key, stores it for its owner only, and logout removes it', async () => {
  const login = ['login', '--url', platform.url]
  await rejects(run(login, {}, 'secret'), /starts with ak_test_ or ak_live_/)
  await rejects(run(login, {}, `${platform.keys.test}x`), /does not accept the key/)
  const weak = await platform.makeKey({ scopes: ['catalog:read'] })
  await rejects(run(login, {}, weak), /refused: .*admin:read/)
  const [stored] = await run([...login, '--json'], {}, `${platform.keys.test}\n`)
  deepEqual(JSON.parse(stored!), { environment: 'test', url: platform.url, file: BOZOR_CREDENTIALS })
  equal(statSync(BOZOR_CREDENTIALS).mode & 0o777, 0o600)
  ok((await run(['events', 'list'])).length > 0)
  await run(['logout'])
  await rejects(run(['events', 'list']), /there is no key/)
  await run(login, {}, platform.keys.test)
})

test('a server that cannot be reached is named', () =>
  rejects(
    run(['events', 'list'], { BOZOR_KEY: 'ak_test_x', BOZOR_URL: 'http://127.0.0.1:1' }),
    /http:\/\/127\.0\.0\.1:1 cannot be reached/,
  ))

test('trigger makes an event happen by real calls, in the test environment only', async () => {
  await stock.offer({ price: 45_000, quantity: 50 })
  const names = await run(['trigger', '--json'])
  for (const name of JSON.parse(names[0]!) as string[]) {
    const [line] = await run(['trigger', name, '--json'])
    equal(JSON.parse(line!).type, name)
  }
  const all = JSON.parse((await run(['trigger', '--all', '--json']))[0]!)
  deepEqual(
    [...all.events, ...all.others.map((it: { event: string }) => it.event)].toSorted(),
    Object.keys(events).toSorted(),
  )
  await rejects(
    run(['trigger', 'OrderCreated']),
    /there is no event "OrderCreated"; did you mean "OrdersCreated"\? /,
  )
  await rejects(run(['trigger', 'ModelActivated']), /cannot be triggered: a training causes it: "bozor train/)
  await rejects(run(['trigger', 'BrandCreated'], { BOZOR_KEY: platform.keys.live }), /is a live key/)
})

test('events tail follows what happens, and list and show read the log', async () => {
  const tail = await start(['events', 'tail', '--type', 'BrandCreated', '--limit', '1', '--json'])
  let isEnded = false
  const ended = tail.code.then(() => (isEnded = true))
  // The stream starts with the next event, so brands are created until one arrives.
  await waitUntil(async () => isEnded || (await run(['trigger', 'BrandCreated'])).length < 0, {
    what: 'the stream has an event',
  })
  await ended
  const event = JSON.parse(tail.lines[0]!)
  equal(event.type, 'BrandCreated')
  const [listed] = await run(['events', 'list', '--subject', event.subject, '--json'])
  deepEqual(JSON.parse(listed!), event)
  match((await run(['events', 'show', event.id]))[0]!, /"BrandId"/)
  await rejects(run(['events', 'list', '--limit', '0']), /--limit must be/)
  await rejects(
    run(['events', 'list', '--type', 'Nosuch*']),
    /refused: Some fields are not valid: type Nosuch\* does not exist/,
  )
})

test('listen forwards events with signatures that verify, and replays one', async () => {
  const receiver = await openReceiver()
  const listen = ['listen', '--forward-to', receiver.url]
  const { status, code } = await start([...listen, '--type', 'BrandCreated', '--last', '2', '--limit', '2'])
  equal(await code, 0)
  equal(receiver.received.length, 2)
  const [secret] = /whsec_\S+/.exec(status[0]!)!
  const [first] = receiver.received
  const event = await verifyWebhook(first!.text, first!.headers, secret)
  equal(first!.headers['webhook-id'], event.id)

  receiver.answer(500)
  const again = await start([...listen, '--replay', event.id, '--json'])
  equal(await again.code, 1)
  match(again.status[0]!, new RegExp(secret.replace(/[+/]/g, '\\$&')), 'the secret stays the same')
  equal(receiver.received[2]!.text, first!.text)
  equal(JSON.parse(again.lines[0]!).status, 500)
  await rejects(run(['listen', '--forward-to', 'localhost']), /--forward-to must be/)
})
