// The SDK as an npm package: another project installs it, type-checks under `strict` and runs.

import { equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildSdk } from './build-sdk.ts'

const project = mkdtempSync(join(tmpdir(), 'bozor-sdk-'))
after(() => rmSync(project, { recursive: true }))
const installed = join(project, 'node_modules/bozor')
mkdirSync(join(project, 'node_modules'))
const built = join(project, 'built')
buildSdk(built)
// A copy, not a link: Node looks at the real path.
cpSync(built, installed, { recursive: true })
writeFileSync(join(project, 'package.json'), '{"type":"module"}')

const program = `import { BozorError, createBozor, type Event, verifyWebhook } from 'bozor/sdk'

const bozor = createBozor({ baseUrl: 'http://127.0.0.1:1', apiKey: process.env.BOZOR_KEY, maxRetries: 0 })
const receive = (body: string, headers: Headers): Promise<Event> => verifyWebhook(body, headers, 'whsec_x')
try {
  const { items } = await bozor.products.search({ q: 'tea', in_stock: true })
  console.log(items[0]?.name, receive)
} catch (error) {
  if (error instanceof BozorError && error.code === 'not_found') console.log(error.details.resource)
  else if (error instanceof BozorError && error.code === 'stock_exceeded')
    console.log(error.details.available.toFixed())
  else console.log((error as Error).name)
}
`

const compile = (source: string) => {
  writeFileSync(join(project, 'main.ts'), source)
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2024,dom']
  return spawnSync(
    join(process.cwd(), 'node_modules/.bin/tsc'),
    [...options, '--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules/@types'), 'main.ts'],
    { cwd: project, encoding: 'utf8' },
  )
}

test('another project compiles against it under strict, without skipping its declarations, and runs', () => {
  const { status, stdout } = compile(program)
  equal(status, 0, stdout)
  const { stdout: printed, stderr } = spawnSync(process.execPath, ['main.js'], {
    cwd: project,
    encoding: 'utf8',
  })
  equal(printed, 'BozorConnectionError\n', stderr)
})

test('a figure that the code does not have fails at compile time', () => {
  const { status, stdout } = compile(program.replace('details.available', 'details.used'))
  equal(status === 0, false)
  match(stdout, /main\.ts\(11,.*Property 'used' does not exist/)
})

test('a wrong type fails at compile time', () => {
  const { status, stdout } = compile(program.replace("q: 'tea'", 'q: 5'))
  equal(status === 0, false)
  match(stdout, /main\.ts\(6,.*Type 'number' is not assignable to type 'string'/)
})
