// Time from the first start until the demo shop's lists come from the ranker, then lists at a steady pace, the memory used
// then, and the longest turns of the server's event loop meanwhile.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { post } from './busy-shop.ts'
import { residentMegabytes } from './cpu.ts'
import { load } from './load.ts'
import { seconds } from './measure.ts'
import { startOurs, stop } from './ours.ts'
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
    const call = { url: ours.url, request, expect: 200, perSecond, seconds }
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
    ]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
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

const bodyOf = (buyer: number) => `{"user_id":"${buyer}","from_app":"bench","from_layer":"main_page"}`
const request = (number: number) => post('/offers/recommended/v3', bodyOf(1 + (number % buyers)))

async function untilRanked(url: string, began: number): Promise<number> {
  for (;;) {
    const elapsed = (performance.now() - began) / 1_000
    const reply = await fetch(`${url}/offers/recommended/v3`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyOf(1),
    })
    const { source } = (await reply.json()) as { source?: string }
    if (source === 'catboost' || elapsed > timeoutSeconds) return elapsed
    await new Promise((done) => setTimeout(done, 200))
  }
}
