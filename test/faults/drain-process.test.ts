// A stop signal under load: every call is answered, or its connection is refused before anything is sent.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { loadUntilRefused } from '../support/load.ts'
import { preparedFolder, startServer } from '../support/process.ts'
import { waitUntil } from '../support/wait-until.ts'

const callsBefore = 300

test('SIGTERM under load loses no call of several workers', async () => {
  const server = await startServer({ DATA_DIR: await preparedFolder(), WORKERS: '2', DRAIN_SECONDS: '' })
  let calls = 0
  const load = loadUntilRefused(`${server.url}/v1/catalog/brands`, {
    callers: 24,
    headers: { authorization: `Bearer ${server.keys.test}` },
    onReply: () => calls++,
  })
  await waitUntil(() => calls >= callsBefore, { what: 'the server is under load' })
  equal(await server.end('SIGTERM'), 0)
  const { answered, closing, lost } = await load
  deepEqual(lost, [])
  ok(answered >= callsBefore)
  ok(closing > 0, 'replies end their connections')
})
