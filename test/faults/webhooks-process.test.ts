// Webhooks of a server that is killed while it writes and sends, with a receiver that fails at random.
// WEBHOOK_EVENTS and WEBHOOK_KILLS make the test longer.

import { deepEqual, equal } from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { jitter } from '../../src/base/random.ts'
import { times } from '../support/carts.ts'
import { databaseUrl, freshDatabase } from '../support/database.ts'
import { bozor, type RunningServer, startServer } from '../support/process.ts'
import { newHook, openReceiver, type Received, verified } from '../support/receiver.ts'
import { callAt, type CallOptions, type Reply } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const events = Number(process.env['WEBHOOK_EVENTS'] ?? 200)
const kills = Number(process.env['WEBHOOK_KILLS'] ?? 2)
const brands = 40
const writers = 8

/** A server that is killed repeatedly; calls go to the one that runs. */
async function mortalServer(env: Record<string, string>, key: string) {
  let server: Promise<RunningServer> = startServer(env)
  return {
    call: async (method: string, path: string, options: CallOptions = {}): Promise<Reply> =>
      callAt((await server).url, method, path, { key, ...options }),
    killAndRaise: async () => {
      const dying = await server
      server = dying.end('SIGKILL').then(() => startServer(env))
      await server
    },
  }
}

/** One in four is lost: refused, cut off, or asked to retry later. */
function answerAtRandom(it: Received, response: ServerResponse, taken: Received[]): void {
  const chance = jitter()
  if (chance < 0.1) response.writeHead(500).end()
  else if (chance < 0.2) response.destroy()
  else if (chance < 0.25) response.writeHead(429).end()
  else {
    taken.push(it)
    response.end()
  }
}

type Call = Awaited<ReturnType<typeof mortalServer>>['call']

/** All committed events, whether the caller got the reply or not. */
async function committed(call: Call): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await call('GET', `/v1/events?type=Brand*&per_page=100${cursor && `&cursor=${cursor}`}`)
    ids.push(...body.data.events.map((it: { id: string }) => it.id))
    cursor = body.data.pagination.next_cursor
  }
  return ids
}

test('every committed event arrives in the order of its subject after repeated kill -9 with a receiver that fails at random', async () => {
  const env = { DATABASE_URL: databaseUrl(await freshDatabase()), SECRET_KEY: '0'.repeat(64) }
  const args = ['--name', 'x', '--type', 'server', '--scopes', 'catalog:write admin:read admin:write']
  const made = await bozor(['app', 'create', ...args, '--env', 'test', '--json'], env)
  equal(made.code, 0, made.stderr)
  const { call, killAndRaise } = await mortalServer(env, JSON.parse(made.stdout).api_key)
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['Brand*'])
  const taken: Received[] = []
  receiver.answer((it, response) => {
    equal(verified(hook.secret, it).id, it.event.id)
    answerAtRandom(it, response, taken)
  })

  const ids = await Promise.all(
    times(brands, async (at) => {
      const body = { slug: `b-${at}`, name: 'x' }
      return (await call('POST', '/v1/catalog/brands', { body })).body.data.brand.id as string
    }),
  )
  let written = brands
  const write = async () => {
    while (written < events) {
      const body = { name: `name ${written} ${jitter()}` }
      const path = `/v1/catalog/brands/${ids[written % brands]}`
      // A lost reply does not matter here: the event log shows what was committed.
      const reply = await call('PATCH', path, { body }).catch(() => undefined)
      if (reply?.status === 200) written++
    }
  }
  const die = async () => {
    for (let turn = 1; turn <= kills; turn++) {
      await waitUntil(() => written >= (events * turn) / (kills + 1))
      await killAndRaise()
    }
  }
  await Promise.all([die(), ...times(writers, write)])

  await waitUntil(async () => (await committed(call)).length >= written)
  const expected = await committed(call)
  const arrived = () => new Set(taken.map((it) => it.event.id))
  await waitUntil(
    async () => {
      const known = arrived()
      if (expected.every((id) => known.has(id))) return true
      // Retry delays grow from seconds to hours, so the clock of the shop is advanced.
      await call('POST', '/v1/test/clock', { body: { advance: 'PT10M' } })
      return false
    },
    { what: 'every committed event arrives', pollMs: 300 },
  )
  // A write of a killed server may have been committed after the first list.
  deepEqual([...arrived()].toSorted(), (await committed(call)).toSorted())
  for (const [subject, all] of Map.groupBy(taken, (it) => it.event.subject as string)) {
    const sequences = [...new Set(all.map((it) => it.event.sequence as number))]
    deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
      subject,
    )
  }
})
