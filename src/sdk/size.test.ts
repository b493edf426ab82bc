import { ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/** What a page loads for `createBozor`: OAuth and webhooks are modules of their own, which a bundler leaves out. */
const core = [
  'client.ts',
  'transport.ts',
  'errors.ts',
  'error-details.ts',
  'pages.ts',
  'event-stream.ts',
  'operations.ts',
]
const limitBytes = 12 * 1024

test('the core of the client has at most 12 kB, compressed', (it) => {
  const source = core.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n')
  // Without types and comments, as any bundler writes it.
  const script = stripTypeScriptTypes(source)
    .replaceAll(/^\s*(\/\/.*|\/\*\*[^]*?\*\/)$/gm, '')
    .replaceAll(/[ \t]+/g, ' ')
  const bytes = gzipSync(script, { level: 9 }).length
  it.diagnostic(`${bytes} bytes`)
  ok(bytes <= limitBytes, `${bytes} bytes`)
})
