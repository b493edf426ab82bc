import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadUntilRefused } from '../test/support/load.ts'
import { temporaryFolder } from '../test/support/process.ts'
import { waitUntil } from '../test/support/wait-until.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

test('SIGTERM to npm start under load loses no call and stops the server and its database', async () => {
  const {
    BOZOR_TEST_STORAGE: _storage,
    NODE_TEST_CONTEXT: _context,
    DATABASE_URL: _url,
    DRAIN_SECONDS: _drain,
    ...env
  } = process.env
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...env, DATA_DIR: temporaryFolder(), PORT: '0', DEMO: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(npm, 'exit')
  await waitUntil(() => /API +http\S+\/v1/.test(output), {
    what: 'the address of the server',
    timeoutMs: 120_000,
  })
  const url = /API +(http\S+)\/v1/.exec(output)![1]!
  ok((await fetch(`${url}/healthz`)).ok)
  let calls = 0
  const load = loadUntilRefused(`${url}/healthz`, { callers: 8, headers: {}, onReply: () => calls++ })
  await waitUntil(() => calls > 100, { what: 'the server is under load', timeoutMs: 30_000 })
  npm.kill('SIGTERM')
  await exited
  deepEqual((await load).lost, [])
  const isDown = () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    )
  await waitUntil(isDown, { what: 'the end of the server', timeoutMs: 30_000 })
  await waitUntil(() => output.includes('stopped'), { what: 'the log line "stopped"', timeoutMs: 30_000 })
  equal(/stopping/.test(output), true)
})
