// Every code block of every guide runs against the demo shop: TypeScript in this process, shell and Python as programs.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as consumers from 'node:stream/consumers'
import { test } from 'node:test'
import { allRecordKinds } from '../../src/app.ts'
import { elapsedMs } from '../../src/base/clock.ts'
import { withDatabases } from '../../src/cli/storage.ts'
import { commands } from '../../src/cli/index.ts'
import { demoRecords, demoSeed, loadDemoCatalog } from '../../src/demo/index.ts'
import { codeBlocks } from '../../src/reference/markdown.ts'
import { readGuides } from '../../src/reference/open-site.ts'
import * as sdk from '../../src/sdk/index.ts'
import { freshDatabase } from '../support/database.ts'
import { allowed, Browser, newApplication, newBuyer, signedInThrough } from '../support/oauth.ts'
import { openPlatform } from '../support/shop.ts'

const connection = await freshDatabase()
await withDatabases(connection, ({ test: db }) =>
  db.transaction((tx) => loadDemoCatalog(tx, demoRecords(demoSeed), allRecordKinds)),
)
const platform = await openPlatform({ connection })
await platform.app.loaded()

/** What the reader of a guide puts into it. */
const mobile = await newApplication(platform, {
  type: 'mobile',
  scopes: ['catalog:read', 'cart:read', 'cart:write', 'orders:write'],
  redirect: 'uz.shop.app://signed-in',
})
const guides = readGuides(platform.url).map((it) => ({
  ...it,
  markdown: it.markdown.replaceAll('ak_test_…', platform.keys.test).replaceAll('app_test_…', mobile.id),
}))

/** The buyer signs in and allows what the application asks for. */
async function openInBrowser(url: string): Promise<string> {
  const { phone } = await newBuyer(platform.url, platform.keys.test)
  const browser = new Browser(platform.url)
  return (await allowed(browser, await signedInThrough(browser, url, phone))).location
}

/** A browser keeps the cookies of replies and sends them with its own origin. */
function browserFetch(): typeof fetch {
  const cookies = new Map<string, string>()
  return async (input, init = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), origin: platform.url, cookie }
    const reply = await fetch(input, { ...init, headers })
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=')
      cookies.set(name, value)
    }
    return reply
  }
}

const createBozor = (options: sdk.BozorOptions) =>
  sdk.createBozor({ ...options, ...(options.credentials && { fetch: browserFetch() }) })

const modules: Record<string, unknown> = {
  'bozor/sdk': { ...sdk, createBozor },
  'node:http': { createServer },
  './platform.ts': { openInBrowser, keychain: { save: () => undefined } },
  'node:stream/consumers': consumers,
}

/** Imports become assignments, so that all blocks of a guide are one program in this process. */
const asFunctionBody = (code: string): string =>
  stripTypeScriptTypes(code).replaceAll(
    /^import (\{[^}]+\}) from '([^']+)'$/gm,
    (_, names, from) => `const ${names} = modules['${from}']`,
  )

async function runTypeScript(code: string): Promise<void> {
  for (const [, name] of code.matchAll(/from '(@modelcontextprotocol\/[^']+)'/g))
    modules[name!] = await import(name!)
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor
  const run = new AsyncFunction('modules', 'process', 'console', asFunctionBody(code)) as (
    ...given: unknown[]
  ) => Promise<void>
  await run(modules, { env: { BOZOR_KEY: platform.keys.test } }, { log: () => undefined })
}

async function runProgram(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, {
    env: { ...process.env, BOZOR_KEY: platform.keys.test },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, code] = await Promise.all([
    text(child.stderr),
    new Promise((exited) => child.once('exit', exited)),
  ])
  equal(code, 0, errors)
}

/** An error reply makes curl and the program fail. */
const shellPrelude = 'set -e; curl() { command curl -sS --fail-with-body "$@"; }\n'

/** Enough of `requests` for the guides, from the standard library. */
const pythonPrelude = `
import json as _json, sys, types, urllib.request, urllib.parse, urllib.error
class Reply:
  def __init__(self, status, headers, body): self.status_code, self.headers, self.body = status, headers, body
  def json(self): return _json.loads(self.body)
class RequestException(Exception): pass
def request(method, url, params=None, json=None, headers=None, timeout=None):
  address = url + ("?" + urllib.parse.urlencode(params) if params else "")
  data = None if json is None else _json.dumps(json).encode()
  sent = {**(headers or {}), **({"Content-Type": "application/json"} if data else {})}
  asked = urllib.request.Request(address, data, sent, method=method)
  try:
    with urllib.request.urlopen(asked, timeout=timeout) as reply:
      return Reply(reply.status, reply.headers, reply.read())
  except urllib.error.HTTPError as reply:
    if reply.code not in (429, 503): raise
    return Reply(reply.code, reply.headers, reply.read())
  except OSError as error:
    raise RequestException(str(error))
module = types.ModuleType("requests")
module.request = request
module.RequestException = RequestException
module.get = lambda url, **more: request("GET", url, **more)
sys.modules["requests"] = module
`

interface OpenApiReply {
  content: {
    'application/json': {
      schema: { properties: { data: { properties: { source: { enum: string[] } } } } }
    }
  }
}

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0
const canRun = { sh: has('bash') && has('curl'), python: has('python3') }

for (const guide of guides) {
  // Commands for a terminal are run by guide-commands-process.test.ts.
  const blocks = codeBlocks(guide.markdown).filter((it) => !/terminal/i.test(it.note))
  const all = (language: string) => blocks.filter((it) => it.language === language).map((it) => it.code)
  test(`the code of "${guide.title}" works`, async () => {
    ok(blocks.every((it) => ['sh', 'ts', 'python', 'json'].includes(it.language)))
    for (const code of all('json')) JSON.parse(code)
    if (all('ts').length > 0) await runTypeScript(all('ts').join('\n'))
    if (canRun.sh) for (const code of all('sh')) await runProgram('bash', ['-c', shellPrelude + code])
    if (canRun.python)
      for (const code of all('python')) await runProgram('python3', ['-c', pythonPrelude + code])
  })
}

/** The code of a README, for the server of this test. */
const readmeBlocks = (path: string) =>
  codeBlocks(
    readFileSync(path, 'utf8')
      .replaceAll('http://127.0.0.1:8080', platform.url)
      .replaceAll('ak_test_…', platform.keys.test),
  )

test('the calls of the README work', { skip: !canRun.sh && 'no bash or curl' }, async () => {
  const blocks = readmeBlocks('README.md').filter((it) => /^curl /m.test(it.code))
  equal(blocks.length, 4)
  // In one shell: the first block sets the variables of the others.
  const code = blocks.map((it) => it.code).join('\n')
  equal(code.match(/^curl /gm)?.length, 6)
  await runProgram('bash', ['-c', shellPrelude + code])
})

test('the code of the README of the SDK works', async () => {
  const blocks = readmeBlocks('src/sdk/README.md').filter((it) => it.language === 'ts')
  equal(blocks.length, 1)
  await runTypeScript(blocks[0]!.code)
})

test('the commands that texts name exist', () => {
  const texts = [readFileSync('README.md', 'utf8'), ...guides.map((it) => it.markdown)]
  const names = texts
    .flatMap((it) => [...it.matchAll(/npm run bozor -- ([a-z-]+)/g)])
    .map(([, name]) => name!)
  ok(names.length > 8)
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const known = new Set(commands.map((it) => it.name.split(' ')[0]))
  deepEqual(
    names.filter((it) => it !== 'help' && !known.has(it)),
    [],
  )
  const ofNpm = texts.flatMap((it) => [...it.matchAll(/npm run ([a-z:-]+)/g)]).map(([, name]) => name!)
  deepEqual(
    ofNpm.filter((it) => !(it in scripts)),
    [],
  )
})

test('every block of a guide has a language that runs', () => {
  const blocks = guides.flatMap((it) => codeBlocks(it.markdown))
  ok(blocks.length > 60, String(blocks.length))
  deepEqual(
    blocks.filter((it) => !['sh', 'ts', 'python', 'json'].includes(it.language)),
    [],
  )
})

test('an address in a shell command is quoted when a shell would expand it', () => {
  const codes = guides.flatMap((it) => codeBlocks(it.markdown)).filter((it) => it.language === 'sh')
  // zsh, the shell of macOS, expands ? and *; every shell ends the command at &.
  for (const { code } of codes) ok(!/(?<!['"])https?:[^\s'"]*[?*&]/.test(code), code)
})

test('the guide of recommendations names the values that source has', () => {
  const { markdown } = guides.find((it) => it.slug === 'recommendations')!
  const named = [...markdown.matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|/gm)].flatMap(([, cell]) =>
    cell!.split(', ').map((it) => it.slice(1, -1)),
  )
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, { post: { responses: Record<string, OpenApiReply> } }>
  }
  const reply = document.paths['/v1/recommendations/explain']!.post.responses['200']!
  const { data } = reply.content['application/json'].schema.properties
  deepEqual(named.toSorted(), data.properties.source.enum.toSorted())
})

test('the Python of the guide about retries waits as the server asks and survives a lost connection', async () => {
  const { markdown } = guides.find((it) => it.slug === 'idempotency')!
  const code = codeBlocks(markdown).find((it) => it.language === 'python')!.code
  const seen: { atMs: number; key: unknown }[] = []
  const server = createServer((request, response) => {
    seen.push({ atMs: elapsedMs(), key: request.headers['idempotency-key'] })
    if (seen.length === 1) request.socket.destroy()
    else if (seen.length === 2) response.writeHead(429, { 'Retry-After': '1' }).end('{}')
    else response.writeHead(201).end('{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  if (canRun.python)
    await runProgram('python3', [
      '-c',
      pythonPrelude + code.replace(/http:\/\/[^/"]+/, `http://127.0.0.1:${port}`),
    ])
  server.close()
  if (!canRun.python) return
  equal(seen.length, 3)
  equal(new Set(seen.map((it) => it.key)).size, 1)
  ok(seen[2]!.atMs - seen[1]!.atMs >= 1000, 'Retry-After is the minimum')
})
