// Training and serving at the size of a large shop: a training without a model, serving by the model that it made, and a
// training while that model is active, as every night. Trainings run in the child process that a server starts for them, beside
// a server. SCALE_INTERACTIONS and SCALE_PRODUCTS choose the size (300 000 and 10 000 by default; the bar is for 10 000 000 and
// 300 000), SCALE_BUDGET_SECONDS the time of a training, which is that of a server by default: on a busy machine it needs more.
// BENCH_DATA_DIR keeps the shop for the next run; if it has a model, the first training is left out.

import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { childrenOf, commandOf, cpuSeconds, family, residentMegabytes } from './cpu.ts'
import { fillOnce, inDataFolder } from './data-folder.ts'
import { addLaterVisits, buyersOf, categoryOf, fillLargeShop, type ShopSize } from './large-shop.ts'
import { load, type LoadResult } from './load.ts'
import { databaseHost, databasePid, measure, seconds } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import { post } from './busy-shop.ts'
import { TaskQueue } from '../src/base/task-queue.ts'
import { defaultBudgetSeconds, runTraining } from '../src/recommendations/models/run-training.ts'
import type { Row } from './row.ts'
import { longestTurn, watchedTurns } from './watch-turns.ts'

const size: ShopSize = {
  interactions: Number(process.env['SCALE_INTERACTIONS'] ?? 300_000),
  products: Number(process.env['SCALE_PRODUCTS'] ?? 10_000),
}
const budgetSeconds = Number(process.env['SCALE_BUDGET_SECONDS'] ?? defaultBudgetSeconds)
/** After the active model, so that it is compared with the new one. */
const laterInteractions = 30_000
const name = `${size.interactions} interactions, ${size.products} products`

interface Server extends Ours {
  dataDir: string
  turnsFile: string
  /** When its process was started. */
  began: number
}

export function bench(): Promise<Row[]> {
  return inDataFolder(async (dataDir) => {
    const filledIn = await fillOnce(
      dataDir,
      `large-shop-${size.interactions}-${size.products}`,
      async (host) => fillLargeShop(host, size, Date.now()),
    )
    return [
      ...(filledIn > 0 ? [{ name: `scale: fill the shop, ${name}`, ours: filledIn, unit: 's' }] : []),
      ...(await withServer(dataDir, async (server) =>
        (await hasModel(server)) ? [] : trainingRows('training without a model before', server),
      )),
      ...(await withServer(dataDir, async (server) => [
        await untilRanked(server),
        ...(await serving(server)),
      ])),
      ...(await withServer(dataDir, async (server) => {
        await addLaterVisits(databaseHost(dataDir), laterInteractions)
        return trainingRows('training while a model is active', server)
      })),
    ]
  })
}

async function withServer(dataDir: string, work: (server: Server) => Promise<Row[]>): Promise<Row[]> {
  const turnsFile = join(dataDir, `turns-${Date.now()}.ndjson`)
  const began = performance.now()
  const ours = await startOurs(dataDir, watchedTurns(turnsFile))
  const server = { ...ours, dataDir, turnsFile, began }
  try {
    const rows = await work(server)
    // A run of a large shop takes an hour: what is measured is shown before its end.
    for (const it of rows)
      process.stderr.write(`  ${it.name}: ${it.ours.toFixed(2)} ${it.unit}; ${it.note ?? ''}\n`)
    return rows
  } finally {
    await stop(server.child)
  }
}

async function get<T>({ url, key }: Ours, path: string): Promise<T> {
  const reply = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  return ((await reply.json()) as { data: T }).data
}

const hasModel = async (ours: Ours): Promise<boolean> =>
  (await get<{ models: unknown[] }>(ours, '/v1/recommendations/models')).models.length > 0

interface Training {
  id: string
  outcome: string
  note: string
}

interface Watched extends Training {
  seconds: number
  cpuSeconds: number
  peakMegabytes: number
}

async function trainingRows(what: string, server: Server): Promise<Row[]> {
  const [began, loadBefore] = [Date.now(), loadavg()[0]!]
  const it = await train(server)
  // The server loads the new model in the background.
  await new Promise((done) => setTimeout(done, settlingMs))
  return [
    {
      name: `scale: ${what}, ${name}`,
      ours: it.seconds,
      unit: 's',
      bar: '≤ 3 600 for 10 M and 300 000',
      note: `load ${loadBefore.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after; ${it.outcome}: ${it.note}`,
    },
    { name: `scale: ${what}, CPU`, ours: it.cpuSeconds, unit: 's' },
    { name: `scale: ${what}, peak memory`, ours: it.peakMegabytes, unit: 'MB', bar: '≤ 4 096' },
    turnRow(`${what}, and the model is loaded`, server, { from: began }),
    {
      name: `scale: ${what}, peak memory of the server`,
      ours: peakMegabytes(server.child.pid!),
      unit: 'MB',
    },
  ]
}

const settlingMs = 30_000

/** Trains in a child of this process, as a server does, and prints what each stage took. */
async function train(server: Server): Promise<Watched> {
  const newest = async () =>
    (await get<{ trainings: Training[] }>(server, '/v1/recommendations/trainings')).trainings[0]
  const before = (await newest())?.id
  const began = performance.now()
  const ended = runTraining(
    {
      connection: { host: databaseHost(server.dataDir), user: 'bozor', database: 'bozor' },
      environment: 'live',
      replacesRanker: false,
      budgetSeconds,
    },
    { queue: new TaskQueue() },
  )
  // The record of the training says what went wrong.
  ended.catch(() => {})
  const watch = { seconds: 0, cpuSeconds: 0, peakMegabytes: 0, largest: 0 }
  let [stage, stageBegan] = ['', { seconds: 0, cpu: 0 }]
  for (;;) {
    await new Promise((done) => setTimeout(done, 500))
    watch.seconds = (performance.now() - began) / 1000
    for (const pid of childrenOf(process.pid).filter((it) => commandOf(it).includes('training-process'))) {
      watch.cpuSeconds = Math.max(watch.cpuSeconds, cpuSeconds(family(pid)))
      watch.peakMegabytes = Math.max(watch.peakMegabytes, peakMegabytes(pid))
      watch.largest = Math.max(watch.largest, residentMegabytes(pid))
    }
    const last = await newest()
    if (!last || last.id === before) continue
    if (last.note !== stage) {
      process.stderr.write(
        `  ${(watch.seconds - stageBegan.seconds).toFixed(0)} s, ${(watch.cpuSeconds - stageBegan.cpu).toFixed(0)} CPU-s, at most ${watch.largest.toFixed(0)} MB, peak ${watch.peakMegabytes.toFixed(0)} MB: ${last.note}\n`,
      )
      ;[stage, stageBegan] = [last.note, { seconds: watch.seconds, cpu: watch.cpuSeconds }]
      watch.largest = 0
    }
    if (last.outcome === 'running') continue
    await ended
    return { ...last, ...watch }
  }
}

/** The highest resident size so far, as the kernel counts it. */
const peakMegabytes = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return 0
  }
}

function turnRow(when: string, { turnsFile }: Server, time: { from: number }): Row {
  const { ms, cpuMs } = longestTurn(turnsFile, time)
  return {
    name: `scale: longest turn of the event loop, ${when}, CPU`,
    ours: cpuMs,
    unit: 'ms',
    bar: '≤ 50',
    note: `wall-clock ${ms.toFixed(0)} ms`,
  }
}

const timeoutSeconds = 300

/** From the start of a server until the ranker orders lists. */
async function untilRanked({ url, began }: Server): Promise<Row> {
  for (;;) {
    const reply = await fetch(`${url}/offers/recommended/v3`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"user_id":"1","from_app":"bench","from_layer":"main_page"}`,
    })
    const { source } = (await reply.json()) as { source: string }
    const elapsed = (performance.now() - began) / 1000
    if (source === 'catboost' || elapsed > timeoutSeconds)
      return {
        name: 'scale: a server is started, until its lists are from the model',
        ours: elapsed,
        unit: 's',
        note: source,
      }
    await new Promise((done) => setTimeout(done, 100))
  }
}

const activeBuyers = Math.min(5_000, buyersOf(size))

/** Main, product and cart pages in turn. */
function pageOf(number: number): string {
  const offer = (at: number) => `"${1 + ((number * 31 + at * 1009) % size.products)}"`
  return [
    `"from_layer":"main_page"`,
    `"from_layer":"offer_page","offer_ids":[${offer(0)}]`,
    `"from_layer":"main_page"`,
    `"from_layer":"cart_page","offer_ids":[${offer(0)},${offer(1)}]`,
  ][Math.floor(number / calls.length) % 4]!
}

const uuidOf = (buyer: number) => `00000000-0000-4000-8000-${String(buyer).padStart(12, '0')}`

/** Each call of the specification, R1 to R8, with the fields of its body. */
const calls: readonly (readonly [path: string, body: (buyer: number, number: number) => string])[] = [
  ['/offers/recommended/v3', (buyer, number) => `"user_id":"${buyer}",${pageOf(number)}`],
  ['/offers/recommended/v2', (buyer) => `"user_id":"${buyer}","from_layer":"main_page"`],
  ['/offers/recommended', (buyer) => `"mobi_user_id":"m-${buyer}","phone":"1","auth_id":${buyer}`],
  ['/mobile/offers/recommended/v3', (buyer, number) => `"user_id":"${buyer}",${pageOf(number)}`],
  ['/mobile/cf/v1/recommended', (buyer, number) => `"user_id":"${buyer}",${pageOf(number)}`],
  [
    '/mobile/recommended-offers/categories-page',
    (buyer, number) =>
      `"user_id":"${buyer}","category_id":${categoryOf(size, 1 + ((number * 31) % size.products))}`,
  ],
  ['/web/client/offers/recommended-v3', (buyer, number) => `"user_id":"${uuidOf(buyer)}",${pageOf(number)}`],
  [
    '/web/client/miniapp/offers/recommended/v3/',
    (buyer, number) => `"mini_app_user_id":"${buyer}","user_id":"${uuidOf(buyer)}",${pageOf(number)}`,
  ],
]

const requestOf =
  (chosen: typeof calls) =>
  (number: number): string => {
    const [path, body] = chosen[number % chosen.length]!
    const buyer = 1 + ((number * 7919) % activeBuyers)
    return post(path, `{"from_app":"bench",${body(buyer, number)}}`)
  }

const quantiles = ({ p50Ms, p90Ms, p99Ms }: LoadResult): string =>
  `p50 ${p50Ms.toFixed(2)}, p90 ${p90Ms.toFixed(2)}, p99 ${p99Ms.toFixed(2)} ms`

const paces = [100, 300]

async function serving(server: Server): Promise<Row[]> {
  const { url, child, dataDir } = server
  const pids = () => [child.pid!, ...family(databasePid(dataDir))]
  const began = Date.now()
  const request = requestOf(calls)
  const first = await firstCalls(server)
  await load({ url, request, expect: 200, connections: 2, seconds: 20 })
  const whole = await measure(url, pids, { request, expect: 200, connections: 2 })
  const rows: Row[] = [
    ...first,
    {
      name: 'scale: whole calls of one core’s time, R1 to R8, server and database',
      ours: 1_000 / whole.cpuMs,
      unit: 'calls/s',
      note: `${whole.cpuMs.toFixed(2)} ms CPU; one after the other on two lines: ${quantiles(whole)}`,
    },
  ]
  for (const perSecond of paces) {
    const steady = await load({ url, request, expect: 200, connections: 16, perSecond, seconds })
    rows.push({
      name: `scale: p99 at ${perSecond} calls/s, R1 to R8`,
      ours: steady.p99Ms,
      unit: 'ms',
      note: `${quantiles(steady)}; ${steady.perSecond.toFixed(0)} calls/s were answered`,
    })
  }
  for (const call of calls) {
    const one = await load({ url, request: requestOf([call]), expect: 200, connections: 2, seconds: 3 })
    rows.push({ name: `scale: p90 of ${call[0]}`, ours: one.p90Ms, unit: 'ms', note: quantiles(one) })
  }
  return [
    ...rows,
    { name: 'scale: memory of the server', ours: residentMegabytes(child.pid!), unit: 'MB' },
    { name: 'scale: peak memory of the server', ours: peakMegabytes(child.pid!), unit: 'MB' },
    turnRow('while the calls are answered', server, { from: began }),
  ]
}

/** One call of each buyer: histories and carts are read. */
async function firstCalls({ url, child, dataDir }: Server): Promise<Row[]> {
  const pids = [child.pid!, ...family(databasePid(dataDir))]
  const before = cpuSeconds(pids)
  const request = requestOf(calls.slice(0, 1))
  const all = await load({ url, request, expect: 200, connections: 2, seconds: 600, most: activeBuyers })
  const cpuMs = (1000 * (cpuSeconds(pids) - before)) / all.requests
  return [
    {
      name: 'scale: the first call of a buyer, CPU of server and database',
      ours: cpuMs,
      unit: 'ms',
      bar: '≤ 2',
      note: quantiles(all),
    },
  ]
}
