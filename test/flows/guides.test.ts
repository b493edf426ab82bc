// Every code block of every guide runs against the demo shop: TypeScript in this process, shell and Python as programs.

import { equal, ok } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { text } from 'node:stream/consumers'
import * as consumers from 'node:stream/consumers'
import { test } from 'node:test'
import { allRecordKinds } from '../../src/app.ts'
import { withDatabases } from '../../src/cli/storage.ts'
import { demoRecords, demoSeed, loadDemoCatalog } from '../../src/demo/index.ts'
import { codeBlocks } from '../../src/reference/markdown.ts'
import { readGuides } from '../../src/reference/open-site.ts'
import * as sdk from '../../src/sdk/index.ts'
import { freshDatabase } from '../support/database.ts'
import { openPlatform } from '../support/shop.ts'

const connection = await freshDatabase()
await withDatabases(connection, ({ test: db }) =>
  db.transaction((tx) => loadDemoCatalog(tx, demoRecords(demoSeed), allRecordKinds)),
)
const platform = await openPlatform({ connection })
await platform.app.loaded()
const guides = readGuides(platform.url)

const modules: Record<string, unknown> = {
  'bozor/sdk': sdk,
  'node:http': { createServer },
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
def request(method, url, params=None, json=None, headers=None):
  address = url + ("?" + urllib.parse.urlencode(params) if params else "")
  data = None if json is None else _json.dumps(json).encode()
  sent = {**(headers or {}), **({"Content-Type": "application/json"} if data else {})}
  with urllib.request.urlopen(urllib.request.Request(address, data, sent, method=method)) as reply:
    return Reply(reply.status, reply.headers, reply.read())
module = types.ModuleType("requests")
module.request = request
module.get = lambda url, **more: request("GET", url, **more)
sys.modules["requests"] = module
`

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0
const canRun = { sh: has('bash') && has('curl'), python: has('python3') }

for (const guide of guides) {
  const blocks = codeBlocks(guide.markdown)
  const all = (language: string) => blocks.filter((it) => it.language === language).map((it) => it.code)
  test(`the code of "${guide.title}" works`, async () => {
    ok(blocks.every((it) => ['sh', 'ts', 'python', 'json', 'text'].includes(it.language)))
    for (const code of all('json')) JSON.parse(code)
    if (all('ts').length > 0) await runTypeScript(all('ts').join('\n'))
    if (canRun.sh) for (const code of all('sh')) await runProgram('bash', ['-c', shellPrelude + code])
    if (canRun.python)
      for (const code of all('python')) await runProgram('python3', ['-c', pythonPrelude + code])
  })
}

test('every block of a guide that is code is one that runs', () => {
  const count = guides.flatMap((it) => codeBlocks(it.markdown)).filter((it) => it.language !== 'text').length
  ok(count > 40, String(count))
})
