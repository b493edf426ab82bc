// Training and serving at the size of a large shop. The training runs in the child process that the server starts for it,
// beside the server. SCALE_INTERACTIONS and SCALE_PRODUCTS choose the size (300 000 and 10 000 by default; the bar is for
// 10 000 000 and 300 000), SCALE_BUDGET_SECONDS the time of the training, which is that of a server by default: on a busy
// machine it needs more. BENCH_DATA_DIR keeps the shop for the next run.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { childrenOf, commandOf, cpuSeconds, family, residentMegabytes } from './cpu.ts'
import { buyersOf, fillLargeShop, type ShopSize } from './large-shop.ts'
import { load } from './load.ts'
import { databaseHost, databasePid, measure, seconds } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import { post } from './busy-shop.ts'
import { TaskQueue } from '../src/base/task-queue.ts'
import { defaultBudgetSeconds, runTraining } from '../src/recommendations/models/run-training.ts'
import type { Row } from './row.ts'

const size: ShopSize = {
  interactions: Number(process.env['SCALE_INTERACTIONS'] ?? 300_000),
  products: Number(process.env['SCALE_PRODUCTS'] ?? 10_000),
}
const budgetSeconds = Number(process.env['SCALE_BUDGET_SECONDS'] ?? defaultBudgetSeconds)
const name = `${size.interactions} interactions, ${size.products} products`

export async function bench(): Promise<Row[]> {
  const kept = process.env['BENCH_DATA_DIR']
  if (kept) mkdirSync(kept, { recursive: true })
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  try {
    const filled = await prepare(dataDir)
    const ours = await startOurs(dataDir)
    try {
      return [...filled, ...(await training(ours, dataDir)), ...(await serving(ours, dataDir))]
    } finally {
      await stop(ours.child)
    }
  } finally {
    if (!kept) rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepare(dataDir: string): Promise<Row[]> {
  const note = join(dataDir, `large-shop-${size.interactions}-${size.products}`)
  if (existsSync(note)) return []
  const empty = await startOurs(dataDir)
  const began = performance.now()
  await fillLargeShop(databaseHost(dataDir), size, Date.now())
  await stop(empty.child)
  writeFileSync(note, '')
  return [{ name: `scale: fill the shop, ${name}`, ours: (performance.now() - began) / 1000, unit: 's' }]
}

interface Training {
  id: string
  outcome: string
  note: string
}

async function training({ url, key }: Ours, dataDir: string): Promise<Row[]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const get = async (path: string) =>
    ((await (await fetch(`${url}${path}`, { headers })).json()) as { data: never }).data
  const trainings = async (): Promise<Training[]> =>
    ((await get('/v1/recommendations/trainings')) as { trainings: Training[] }).trainings
  const before = (await trainings())[0]?.id
  const [began, loadBefore] = [performance.now(), loadavg()[0]!]
  const ended = runTraining(
    {
      connection: { host: databaseHost(dataDir), user: 'bozor', database: 'bozor' },
      environment: 'live',
      replacesRanker: false,
      budgetSeconds,
    },
    { queue: new TaskQueue() },
  )
  // The record of the training says what went wrong.
  ended.catch(() => {})
  const watch = { cpuSeconds: 0, peakMegabytes: 0, stages: [] as string[] }
  let stage = ''
  let stageBegan = { seconds: 0, cpu: 0 }
  for (;;) {
    await new Promise((done) => setTimeout(done, 500))
    const elapsed = (performance.now() - began) / 1000
    for (const pid of childrenOf(process.pid).filter((it) => commandOf(it).includes('training-process'))) {
      watch.cpuSeconds = Math.max(watch.cpuSeconds, cpuSeconds(family(pid)))
      watch.peakMegabytes = Math.max(watch.peakMegabytes, peakMegabytes(pid))
    }
    const [last] = await trainings()
    if (!last || last.id === before) continue
    if (last.note !== stage) {
      const spent = `${(elapsed - stageBegan.seconds).toFixed(0)} s, ${(watch.cpuSeconds - stageBegan.cpu).toFixed(0)} CPU-s, peak ${watch.peakMegabytes.toFixed(0)} MB`
      watch.stages.push(`${spent}: ${last.note}`)
      process.stderr.write(`  ${spent}: ${last.note}\n`)
      stage = last.note
      stageBegan = { seconds: elapsed, cpu: watch.cpuSeconds }
    }
    if (last.outcome === 'running') continue
    await ended
    return [
      {
        name: `scale: training, ${name}`,
        ours: elapsed,
        unit: 's',
        bar: '≤ 3 600 for 10 M and 300 000',
        note: `load ${loadBefore.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after; ${last.outcome}: ${last.note}`,
      },
      { name: 'scale: CPU of the training process', ours: watch.cpuSeconds, unit: 's' },
      {
        name: 'scale: peak memory of the training process',
        ours: watch.peakMegabytes,
        unit: 'MB',
        bar: '≤ 4 096',
      },
    ]
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

const activeBuyers = Math.min(5_000, buyersOf(size))

function pageRequest(number: number): string {
  const offer = (at: number) => `"${1 + ((number * 31 + at * 1009) % size.products)}"`
  const page = [
    `"from_layer":"main_page"`,
    `"from_layer":"offer_page","offer_ids":[${offer(0)}]`,
    `"from_layer":"main_page"`,
    `"from_layer":"cart_page","offer_ids":[${offer(0)},${offer(1)}]`,
  ][number % 4]!
  const buyer = 1 + ((number * 7919) % activeBuyers)
  return post('/offers/recommended/v3', `{"user_id":"${buyer}","from_app":"bench",${page}}`)
}

async function serving(ours: Ours, dataDir: string): Promise<Row[]> {
  const pids = () => [ours.child.pid!, ...family(databasePid(dataDir))]
  const call = { request: pageRequest, expect: 200, connections: 2 }
  await load({ url: ours.url, ...call, seconds: 10 })
  const { cpuMs, p50Ms, p90Ms, p99Ms } = await measure(ours.url, pids, call)
  const steady = await load({ url: ours.url, ...call, connections: 16, perSecond: 100, seconds })
  return [
    {
      name: 'scale: a whole call, CPU of server and database',
      ours: cpuMs,
      unit: 'ms',
      note: `one after the other on two lines: p50 ${p50Ms.toFixed(2)}, p90 ${p90Ms.toFixed(2)}, p99 ${p99Ms.toFixed(2)} ms`,
    },
    {
      name: 'scale: p99 at 100 calls/s',
      ours: steady.p99Ms,
      unit: 'ms',
      note: `p50 ${steady.p50Ms.toFixed(2)}, p90 ${steady.p90Ms.toFixed(2)}`,
    },
    { name: 'scale: memory of the server', ours: residentMegabytes(ours.child.pid!), unit: 'MB' },
  ]
}
