// The embedded database with two workers under load: one process after another is ended with kill -9, chosen at random.
// What was acknowledged must be there, once.
// nightly

import { equal } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import pg from 'pg'
import { childrenOf } from '../../bench/cpu.ts'
import { seededRandom } from '../../src/ml/random.ts'
import { freePort } from '../support/nats.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/process.ts'
import { waitFor, waitUntil } from '../support/wait-until.ts'
import {
  type Buying,
  isShort,
  startBuying,
  type StoredPurchases,
  addUnlimitedStock,
  storedPurchases,
} from './nodes.ts'

/** The short form ends after its time on a busy machine; the printed number says how many there were. */
const mostKills = Number(process.env['SERVICES_KILLS'] ?? (isShort ? 100 : 1_000))
const longestMs = isShort ? 100_000 : Infinity
const seed = Number(process.env['SERVICES_SEED'] ?? Date.now() % 1_000_000)
const buyers = 8
const carts = 100_000
const callsBetween = 5
/** A kill comes at any point of the calls in progress, not only right after a reply. */
const longestWaitMs = 30

/** What is killed, and how often of ten. The first process takes its workers with it and is started again by the test. */
const kinds = [
  ...Array.from({ length: 4 }, () => 'worker' as const),
  ...Array.from({ length: 3 }, () => 'database process' as const),
  ...Array.from({ length: 2 }, () => 'server' as const),
  'database' as const,
]
type Kind = (typeof kinds)[number]

const folder = temporaryFolder()
const port = await freePort()
const start = () =>
  startServer({
    DATA_DIR: folder,
    PORT: String(port),
    WORKERS: '2',
    STOREFRONT: 'off',
    LOG_LEVEL: 'error',
  })

/** The lines of the file that the running database writes. */
function databaseFile(): string[] | undefined {
  try {
    const [file] = execFileSync('find', [folder, '-name', 'postmaster.pid']).toString().trim().split('\n')
    const lines = readFileSync(file!, 'utf8').split('\n')
    return lines.length > 4 ? lines : undefined
  } catch {
    return undefined
  }
}

/** Processes of a kind that run now. */
function running(kind: Kind, server: RunningServer): number[] {
  if (kind === 'server') return [server.child.pid!]
  if (kind === 'worker') return childrenOf(server.child.pid!).filter(isNode)
  const database = Number(databaseFile()?.[0] ?? 0)
  if (kind === 'database') return database > 0 ? [database] : []
  return database > 0 ? childrenOf(database) : []
}

function isNode(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts')
  } catch {
    return false
  }
}

/** Kills one of the processes; the instant, or undefined when none runs. */
function killOne(pids: readonly number[], chosen: number): number | undefined {
  const pid = pids[Math.floor(chosen * pids.length)]
  const nowMs = performance.now()
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL') ? nowMs : undefined
  } catch {
    return undefined
  }
}

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ host: databaseFile()![4]!, user: 'bozor', database: 'bozor' })
  await client.connect()
  return (await client.query<Row>(sql).finally(() => client.end())).rows
}

/** Carts of other buyers, so that a restart has something to recover and to index. */
const fillCarts = `
  insert into live.cart_carts (id, client_id, version, created_at, updated_at)
    select gen_random_uuid(), 1000000 + n, 1, now(), now() from generate_series(1, ${carts}) n;
  insert into live.cart_items (cart_id, is_moderated, offer_id, quantity, price_at_add_tiyin, added_at, updated_at)
    select id, false, 1, 1, 100, now(), now() from live.cart_carts`

test('acknowledged writes are there once after many kill -9 of any process under load', async (t) => {
  t.diagnostic(`SERVICES_SEED=${seed}`)
  const random = seededRandom(seed)
  let server = await start()
  const key = server.keys.live
  await addUnlimitedStock(server, key)
  await query(fillCarts)
  const buying = startBuying({ urls: () => [server.url], key, buyers, firstClient: 1 })
  const replies = () => buying.acknowledged.repliedAtMs
  const pauses: Record<Kind, number[]> = { worker: [], 'database process': [], server: [], database: [] }

  const startedMs = performance.now()
  let kills = 0
  for (; kills < mostKills && performance.now() - startedMs < longestMs; kills++) {
    const before = replies().length
    await waitUntil(() => replies().length >= before + callsBetween, { what: `calls before kill ${kills}` })
    await sleep(random() * longestWaitMs)
    const kind = kinds[Math.floor(random() * kinds.length)]!
    const chosen = random()
    const killedAtMs = await waitFor(() => killOne(running(kind, server), chosen), {
      what: `kill ${kills} of a ${kind}`,
    })
    if (kind === 'server') {
      await server.end('SIGKILL')
      server = await start()
    }
    const answeredAtMs = await waitFor(() => firstReplyAfter(killedAtMs, buying.acknowledged), {
      what: `a call after kill ${kills} of a ${kind} succeeds`,
    })
    pauses[kind].push(answeredAtMs - killedAtMs)
  }
  await buying.stop()

  const { units, orders } = buying.acknowledged
  const [stored] = await query<StoredPurchases>(storedPurchases)
  equal(stored!.inCarts - carts + stored!.inOrders, units, 'every acknowledged unit is in one place')
  equal(stored!.orders, orders)
  equal(stored!.sold, stored!.inOrders)
  const created = await query<{ count: number }>(
    `select count(*)::int as count from live.outbox_events where type = 'OrdersCreated'`,
  )
  equal(created[0]!.count, orders, 'one event per order')
  t.diagnostic(`${kills} kills: ${units} units and ${orders} orders acknowledged, none lost, none twice`)
  t.diagnostic(`refused and repeated: ${JSON.stringify(buying.refused)}`)
  for (const [kind, times] of Object.entries(pauses)) t.diagnostic(`${kind}: ${summary(times)}`)
  equal(await server.end('SIGTERM'), 0)
})

/** When the first call that was sent after the instant was answered. */
function firstReplyAfter(
  atMs: number,
  { sentAtMs, repliedAtMs }: Buying['acknowledged'],
): number | undefined {
  const index = sentAtMs.findIndex((it) => it > atMs)
  return repliedAtMs[index]
}

function summary(timesMs: number[]): string {
  const sorted = timesMs.toSorted((one, other) => one - other)
  const at = (part: number) => ((sorted[Math.floor((sorted.length - 1) * part)] ?? 0) / 1_000).toFixed(2)
  return `${sorted.length} kills, calls sent after it succeed after ${at(0.5)} s (median), ${at(1)} s (longest)`
}
