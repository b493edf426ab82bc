// Kills, restarts and second starts of a real process.

import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { cookieIn } from '../support/member.ts'
import {
  bozor,
  type RunningServer,
  startServer,
  temporaryFolder,
  preparedFolder,
} from '../support/process.ts'
import { callAt } from '../support/shop.ts'
import { waitFor, waitUntil } from '../support/wait-until.ts'

const brand = (slug: string, key: string) => ({
  body: { slug, name: slug },
  headers: { 'idempotency-key': key },
})
const create = '/v1/catalog/brands'

/** For tests that leave the server as it was. */
const sharedDir = await preparedFolder()
const shared = await startServer({ DATA_DIR: sharedDir })

test('acknowledged writes survive kill -9, and the next start takes over the running database', async () => {
  const DATA_DIR = await preparedFolder()
  const first = await startServer({ DATA_DIR })
  const made = await first.call('POST', create, brand('survivor', 'k-1'))
  equal(made.status, 201)
  const orphan = databasePid(DATA_DIR)
  equal(await first.end('SIGKILL'), null)
  ok(isAlive(orphan), 'the database outlives its server')

  const second = await startServer({ DATA_DIR })
  equal(databasePid(DATA_DIR), orphan)
  const again = await second.call('POST', create, { ...brand('survivor', 'k-1'), key: first.keys.test })
  equal(again.text, made.text)
  equal(again.headers.get('idempotent-replayed'), 'true')
  equal(await second.end('SIGTERM'), 0)
  ok(!isAlive(orphan), 'a clean stop stops the database')
})

test('acknowledged writes survive kill -9 of server and database', async () => {
  const DATA_DIR = await preparedFolder()
  const first = await startServer({ DATA_DIR })
  const slugs = Array.from({ length: 20 }, (_, at) => `durable-${at}`)
  await Promise.all(slugs.map((slug) => first.call('POST', create, brand(slug, slug))))
  const database = databasePid(DATA_DIR)
  process.kill(database, 'SIGKILL')
  await first.end('SIGKILL')

  const second = await startServer({ DATA_DIR })
  for (const slug of slugs) {
    const reply = await second.call('GET', `${create}?slug=${slug}`)
    equal(reply.body.data.pagination.total, 1, slug)
  }
  await second.end('SIGTERM')
})

test('a second server on the same data directory refuses to start and does no damage', async () => {
  const second = await bozor(['start'], { DATA_DIR: sharedDir })
  equal(second.code, 1)
  match(second.stderr, /is in use by process \d+/)
  equal((await shared.call('GET', '/v1/catalog/categories')).status, 200)
})

test('SIGTERM finishes the current call, accepts no other and exits with 0', async () => {
  const server = await startServer({ DATA_DIR: await preparedFolder() })
  const body = JSON.stringify({ slug: 'drained', name: 'Drained' })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(
    `POST ${create} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.keys.test}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  let reply = ''
  socket.on('data', (chunk) => (reply += chunk.toString()))
  await waitUntil(() => reply.includes('100 Continue'), { what: 'the server waits for the body' })
  const ended = server.end('SIGTERM')
  const isListening = () =>
    fetch(`${server.url}/healthz`).then(
      () => true,
      () => false,
    )
  await waitUntil(async () => !(await isListening()), { what: 'the server accepts no other call' })
  socket.write(body)
  equal(await ended, 0)
  match(reply, /HTTP\/1\.1 201 /)
  equal(await isListening(), false)
})

test('SIGTERM ends a training that a request has started, and its record says so', async () => {
  const env = { DATA_DIR: await preparedFolder() }
  const server = await startServer(env)
  const started = await server.call('POST', '/v1/recommendations/trainings')
  equal(started.status, 200, started.text)
  equal(await server.end('SIGTERM'), 0)
  const later = await startServer(env)
  const { trainings } = (await later.call('GET', '/v1/recommendations/trainings', { key: server.keys.test }))
    .body.data
  equal(trainings[0].id, started.body.data.training_id)
  equal(trainings[0].outcome, 'failed')
  match(trainings[0].note, /SIGKILL/)
  await later.end('SIGTERM')
})

test('while PostgreSQL is stopped calls get 503 with Retry-After, and later they succeed again', async () => {
  await shared.call('POST', create, brand('before', 'b'))
  process.kill(databasePid(sharedDir), 'SIGQUIT')
  let wasRefused = false
  for (let turn = 0; ; turn++) {
    const reply = await shared.call('POST', create, brand(`after-${turn}`, `a-${turn}`))
    if (reply.status === 201) {
      // The kill may take effect after the first calls, or the database may be back before the next one.
      if (wasRefused || turn > 1_000) break
      continue
    }
    wasRefused = true
    equal(reply.status, 503, reply.text)
    ok(Number(reply.headers.get('retry-after')) > 0)
    equal(reply.body.error.code, 'storage_unavailable')
  }
  const data = await waitFor(async () => (await shared.call('GET', `${create}?slug=before`)).body.data, {
    what: 'reads succeed too',
  })
  equal(data.pagination.total, 1)
})

test('a key created by a command works at once, and one revoked by a command stops within a second', async () => {
  const env = { DATA_DIR: sharedDir }
  const made = await bozor(
    ['app', 'create', '--name', 'till', '--scopes', 'catalog:read', '--env', 'test', '--json'],
    env,
  )
  equal(made.code, 0, made.stderr)
  const { client_id, api_key } = JSON.parse(made.stdout)
  const status = async () => (await shared.call('GET', '/v1/catalog/brands', { key: api_key })).status
  equal(await status(), 200)
  const listed = JSON.parse((await bozor(['key', 'list', client_id, '--json'], env)).stdout)
  equal((await bozor(['key', 'revoke', client_id, listed[0].id], env)).code, 0)
  await waitUntil(async () => (await status()) === 401, { what: 'the server refuses the revoked key' })
})

test('no issued secret can be found in the data directory or in the log', async () => {
  const DATA_DIR = await preparedFolder()
  const server = await startServer({ DATA_DIR, LOG_LEVEL: 'debug' })
  const made = await server.call('POST', '/v1/admin/applications', {
    body: { name: 'till', type: 'server', scopes: ['catalog:read'] },
    headers: { 'idempotency-key': 'secret-reply' },
  })
  const { api_key, client_secret, application } = made.body.data
  const path = `/v1/admin/applications/${application.client_id}`
  const rotated = await server.call('POST', `${path}/secrets/rotate`, {
    headers: { 'idempotency-key': 'secret-rotated' },
  })
  await server.call('GET', `/v1/catalog/brands?api_key=${api_key}`, { key: api_key })
  await server.call('GET', '/v1/catalog/brands', { key: `${api_key}x` })
  const ofMember = await secretsOfMember(server)
  const log = server.output().split('Ctrl-C stops it.')[1]!
  await server.end('SIGTERM')
  const secrets = [api_key, client_secret, rotated.body.data.client_secret, server.keys.live, ...ofMember]
  for (const secret of secrets) {
    ok(secret.length > 20)
    ok(!log.includes(secret), 'in the log')
    notEqual(foundIn(DATA_DIR, secret), true, 'in the data directory')
  }
  ok(foundIn(DATA_DIR, application.client_id), 'the search can find something')
})

/** The passwords, the session and the links of a member who invites another, and of the invited member. */
async function secretsOfMember(server: RunningServer): Promise<string[]> {
  const [, first] = /password {2}(\S+)/.exec(server.output())!
  const joining = 'a password that Bek chose'
  const entered = await server.call('POST', '/v1/admin/sessions', {
    key: null,
    body: { email: 'owner@bozor.example', password: first },
  })
  const cookie = cookieIn(entered)
  const invited = await server.call('POST', '/v1/admin/members/invitations', {
    key: null,
    headers: { cookie, origin: server.url, 'idempotency-key': 'secret-link' },
    body: { email: 'bek@shop.uz', role: 'analyst' },
  })
  const { token } = invited.body.data
  const joined = await server.call('POST', '/v1/admin/members/invitations/accept', {
    key: null,
    body: { token, name: 'Bek', password: joining },
  })
  equal(joined.status, 201)
  return [first!, joining, cookie.split('=')[1]!, entered.body.data.csrf_token, token]
}

test('several workers share one limit, and a worker that dies is restarted', async () => {
  const server = await startServer({ DATA_DIR: await preparedFolder(), WORKERS: '2', RATE_LIMIT: '50/60s' })
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => server.call('GET', '/v1/catalog/brands')),
  )
  deepEqual(countBy(replies.map((it) => it.status)), { 200: 50, 429: 50 })
  // Whichever worker answers, it counts the calls of both.
  for (let turn = 0; turn < 4; turn++) {
    const { text } = await callAt(server.url, 'GET', '/metrics', { key: null })
    match(text, /_count\{method="GET",route="\/v1\/catalog\/brands",status="200"\} 50\n/)
    match(text, /_count\{method="GET",route="\/v1\/catalog\/brands",status="429"\} 50\n/)
  }

  const workers = execFileSync('pgrep', ['-P', String(server.child.pid), '-f', 'main.ts'])
    .toString()
    .trim()
    .split('\n')
  equal(workers.length, 2)
  process.kill(Number(workers[0]), 'SIGKILL')
  await waitUntil(() => server.output().includes('worker died, starting another'))
  // Another key, because the first one has used its limit.
  const { live } = server.keys
  for (let turn = 0; turn < 20; turn++)
    equal((await server.call('GET', '/v1/catalog/brands', { key: live })).status, 200)
  equal(await server.end('SIGTERM'), 0)
})

test('a port in use ends the start with one sentence, also with workers', async () => {
  const PORT = new URL(shared.url).port
  const DATA_DIR = await preparedFolder()
  for (const WORKERS of ['1', '2']) {
    const second = await bozor(['start'], { DATA_DIR, PORT, WORKERS })
    equal(second.code, 1)
    match(second.stderr, /port \d+ is in use; /)
  }
})

test('an invalid configuration is reported completely before anything starts', async () => {
  const { code, stderr } = await bozor(['start'], {
    DATA_DIR: temporaryFolder(),
    WORKERS: 'many',
    SHOP_TIMEZONE: 'Nowhere',
  })
  equal(code, 2)
  match(stderr, /WORKERS must be/)
  match(stderr, /SHOP_TIMEZONE must be/)
})

function databasePid(dataDir: string): number {
  const [file] = execFileSync('find', [dataDir, '-name', 'postmaster.pid']).toString().trim().split('\n')
  return Number(readFileSync(file!, 'utf8').split('\n')[0])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function foundIn(folder: string, text: string): boolean {
  try {
    execFileSync('grep', ['-rqa', '--', text, folder])
    return true
  } catch {
    return false
  }
}

const countBy = (values: number[]): Record<number, number> =>
  values.reduce<Record<number, number>>((counts, it) => ({ ...counts, [it]: (counts[it] ?? 0) + 1 }), {})
