// Time from the first start until the demo shop's lists come from the ranker, then lists at a steady pace, the memory used
// then, and the longest turns of the server's event loop meanwhile. When both environments are trained: the cost of a call.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { post } from './busy-shop.ts'
import { family, residentMegabytes } from './cpu.ts'
import { load } from './load.ts'
import { databasePid, quiet, seconds } from './measure.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import { measureCalls, recommendPath, replyTo } from './recommend-calls.ts'
import type { Row } from './row.ts'
import { longestTurn, watchedTurns } from './watch-turns.ts'

const buyers = 2_000
const timeoutSeconds = 900
const settlingMs = 5_000
const perSecond = 200

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const turnsFile = join(dataDir, 'turns.ndjson')
  const began = performance.now()
  const ours = await startOurs(dataDir, { DEMO: 'true', ...watchedTurns(turnsFile) })
  const readyAt = Date.now()
  try {
    const ranked = await untilRanked(ours.url, began)
    // What compiles the model and starts the other jobs of a new shop is over then.
    await new Promise((done) => setTimeout(done, settlingMs))
    const calledAt = Date.now()
    const call = { url: ours.url, request: homeRequest, expect: 200, perSecond, seconds }
    const many = await load({ ...call, connections: 16 })
    const few = await load({ ...call, connections: 2 })
    const memory = residentMegabytes(ours.child.pid!)
    return [
      {
        name: 'recommend: first start with the demo until the ranker orders lists',
        ours: ranked,
        unit: 's',
        bar: '≤ 30',
        note: 'calls are answered all the while',
      },
      { name: 'recommend: server memory with the demo, serving', ours: memory, unit: 'MB', bar: '≤ 400' },
      callRow('16 connections', many),
      callRow('two connections', few),
      turnRow(
        'from the first call until the ranker',
        longestTurn(turnsFile, { from: readyAt, to: calledAt }),
      ),
      turnRow('during the calls', longestTurn(turnsFile, { from: calledAt })),
      ...(await calls(ours, () => [ours.child.pid!, databasePid(dataDir)].flatMap(family))),
    ]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Main, offer and cart pages of all buyers. */
async function calls({ url }: Ours, pids: () => number[]): Promise<Row[]> {
  await quiet(pids)
  const request = pageOf(await offersOf(url))
  const { ours, floor, bytes } = await measureCalls(url, pids, request)
  const steady = await load({
    url,
    request,
    expect: 200,
    connections: 16,
    perSecond: steadyPerSecond,
    seconds,
  })
  return [
    {
      name: 'recommend: calls of one core’s time with the demo, server and database',
      ours: 1_000 / ours.cpuMs,
      unit: 'calls/s',
      floor: 1_000 / floor.cpuMs,
      bar: '≥ 1 000, aim 2 000',
      note: `two connections ${ours.perSecond.toFixed(0)} calls/s, p90 ${ours.p90Ms.toFixed(1)}, p99 ${ours.p99Ms.toFixed(1)} ms; ${bytes} bytes a reply; floor: bare Fastify`,
    },
    {
      name: `recommend: p99 at ${steadyPerSecond} calls/s with the demo`,
      ours: steady.p99Ms,
      unit: 'ms',
      bar: '≤ 10',
      note: `p50 ${steady.p50Ms.toFixed(1)}, p90 ${steady.p90Ms.toFixed(1)} (≤ 3.5); ${steady.perSecond.toFixed(0)} calls/s were answered`,
    },
  ]
}

const steadyPerSecond = 500

/** Offers that buyers are shown. */
async function offersOf(url: string): Promise<string[]> {
  const lists = Array.from({ length: 50 }, (_, at) => recommended(url, 1 + at))
  return [...new Set((await Promise.all(lists)).flatMap(({ offers }) => offers.map((it) => it.offer_id)))]
}

const pageOf = (offers: readonly string[]) => (number: number) => {
  const offer = (at: number) => offers[(number * 31 + at * 109) % offers.length]
  const buyer = 1 + ((Math.floor(number / 4) * 7_919) % buyers)
  const page = [
    { from_layer: 'main_page' },
    { from_layer: 'main_page' },
    { from_layer: 'offer_page', offer_ids: [offer(0)] },
    { from_layer: 'cart_page', offer_ids: [offer(0), offer(1), offer(2)] },
  ][number % 4]
  return post(recommendPath, JSON.stringify({ user_id: String(buyer), from_app: 'bench', ...page }))
}

const callRow = (how: string, { p50Ms, p90Ms, p99Ms }: Awaited<ReturnType<typeof load>>): Row => ({
  name: `recommend: p90 at ${perSecond} calls/s, 5 s after the ranker, ${how}`,
  ours: p90Ms,
  unit: 'ms',
  bar: '≤ 50',
  note: `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms; beside the first training of the other environment and what is learned from searches`,
})

const turnRow = (when: string, { ms, cpuMs }: ReturnType<typeof longestTurn>): Row => ({
  name: `recommend: longest turn of the event loop ${when}, CPU`,
  ours: cpuMs,
  unit: 'ms',
  note: `wall-clock ${ms.toFixed(0)} ms`,
})

const homeOf = (buyer: number) =>
  post(recommendPath, `{"user_id":"${buyer}","from_app":"bench","from_layer":"main_page"}`)
const homeRequest = (number: number) => homeOf(1 + (number % buyers))

const recommended = async (url: string, buyer: number) =>
  JSON.parse(String(await replyTo(url, homeOf(buyer)))) as { offers: { offer_id: string }[]; source?: string }

async function untilRanked(url: string, began: number): Promise<number> {
  for (;;) {
    const elapsed = (performance.now() - began) / 1_000
    const { source } = await recommended(url, 1)
    if (source === 'catboost' || elapsed > timeoutSeconds) return elapsed
    await new Promise((done) => setTimeout(done, 200))
  }
}
