// The commands for a terminal in the guides and in the README run as they are printed, in bash, with a server, a home
// directory and a port of their own.

import { equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { codeBlocks } from '../../src/reference/markdown.ts'
import { readGuides } from '../../src/reference/open-site.ts'
import { createBozor } from '../../src/sdk/index.ts'
import { ending, preparedFolder, temporaryFolder } from '../support/process.ts'
import { openReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

const skip = spawnSync('bash', ['--version']).status !== 0 && 'no bash'

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => found(port))
    })
  })

const home = temporaryFolder()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const receiver = await openReceiver()

const environment = {
  PATH: process.env['PATH'],
  HOME: home,
  DATA_DIR: await preparedFolder(),
  PORT: String(port),
  DEMO: 'false',
  RATE_LIMIT: 'none',
  DRAIN_SECONDS: '0',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}

/** The address of the reader's program, and folders that only the reader has. */
const asTyped = (code: string): string =>
  code
    .replaceAll('http://localhost:3000/hooks', receiver.url)
    .replaceAll('/mnt/backups', join(home, 'backups'))
    .replaceAll(/\b(products|shop)\.ndjson/g, (name) => join(home, name))

/** One command per entry, in the order of the text. */
function commandsOf(markdown: string): string[] {
  const blocks = codeBlocks(markdown).filter((it) => it.language === 'sh' && /terminal/i.test(it.note))
  return blocks.flatMap((it) => asTyped(it.code).replaceAll('\\\n', ' ').split('\n'))
}

const children: ChildProcess[] = []
after(() => children.forEach(endGroup))

const start = (command: string): ChildProcess => {
  // In a group of its own: npm does not pass a kill on.
  const child = spawn('bash', ['-c', `exec ${command}`], {
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

async function run(command: string): Promise<string> {
  const { code, stdout, stderr } = await ending(
    spawn('bash', ['-c', command], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  equal(code, 0, `${command}\n${stdout}${stderr}`)
  return stdout
}

/** Starts a command that goes on until Ctrl-C, and waits until it has printed this. */
async function follow(command: string, printed: RegExp): Promise<{ output: () => string }> {
  const child = start(command)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await waitUntil(() => printed.test(output) || child.exitCode !== null, { what: `${command} prints` })
  match(output, printed)
  return { output: () => output }
}

const guide = (slug: string): string => readGuides(url).find((it) => it.slug === slug)!.markdown
let isStarted = false
let apiKey = ''

test(
  'the quick start for servers: the server starts, a key is created, the SDK is installed',
  { skip },
  async () => {
    const [starts, creates, builds, installs, ...others] = commandsOf(guide('quick-start-server'))
    equal(others.length, 0)
    const server = await follow(starts!, /Ctrl-C stops it|Register an application/)
    isStarted = true
    match(server.output(), /ak_live_\w+/)
    const created = await run(creates!)
    apiKey = /ak_test_\w+/.exec(created)![0]
    await createBozor({ baseUrl: url, apiKey }).products.search({ q: 'tea' })
    mkdirSync(join(home, 'my-backend'))
    await run(builds!)
    await run(installs!)
    await run(
      `cd ~/my-backend && node --input-type=module -e "import { createBozor } from 'bozor/sdk'; createBozor({ baseUrl: '${url}' })"`,
    )
  },
)

test('the quick start for mobile applications: an application without a secret', { skip }, async () => {
  ok(isStarted)
  const [creates, ...others] = commandsOf(guide('quick-start-mobile'))
  equal(others.length, 0)
  match(await run(creates!), /client_id +app_test_/)
})

/** A product that can be bought: `trigger` orders one. */
const records = [
  { record: 'category', id: 1, slug: 'tea', name: { en: 'Tea' } },
  { record: 'brand', id: 1, slug: 'ahmad', name: 'Ahmad' },
  { record: 'partner', id: 1, slug: 'chorsu', name: 'Chorsu', rating: 4.8, credit_active: true },
  { record: 'product', id: 1, category_id: 1, brand_id: 1, slug: 'green-tea', name: { en: 'Green tea' } },
  { record: 'offer', id: 1, product_id: 1, partner_id: 1, price_tiyin: 4_500_000, quantity: 50 },
]

test('the README: import, export and backup while the server runs', { skip }, async () => {
  ok(isStarted)
  const lines = codeBlocks(readFileSync('README.md', 'utf8'))
    .flatMap((it) => it.code.split('\n'))
    .filter((it) => it.startsWith('npm run bozor -- '))
  equal(lines.length, 3)
  const [backup, imports, exports] = lines.map(asTyped)
  writeFileSync(join(home, 'products.ndjson'), records.map((it) => JSON.stringify(it)).join('\n'))
  await run(imports!)
  await run(imports!.replace('live', 'test'))
  await run(exports!)
  match(readFileSync(join(home, 'shop.ndjson'), 'utf8'), /green-tea/)
  mkdirSync(join(home, 'backups'))
  await run(backup!)
  ok(existsSync(join(home, 'backups')))
})

test('the guide to webhooks: events reach a program on this machine, signed', { skip }, async () => {
  ok(isStarted)
  const [login, listen, trigger, tail, again, ...others] = commandsOf(guide('webhooks'))
  equal(others.length, 0)
  await run(login!)
  await follow(listen!, /signed with whsec_/)
  const tailing = follow(tail!, /OrdersCreated/)
  await waitUntil(
    async () => {
      await run(trigger!)
      return receiver.received.some((it) => it.event.type === 'OrdersCreated')
    },
    { what: 'the event arrives' },
  )
  await run(trigger!)
  await tailing
  await follow(again!, /OrdersCreated .* 20\d in/)
})
