// How long calls that move the test clock take, alone and several at once beside readers of the catalog.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { elapsedMs } from '../src/base/clock.ts'
import { cpuSeconds, family } from './cpu.ts'
import { type Ours, startOurs, stop } from './ours.ts'
import type { Row } from './row.ts'

const callers = 8
const readers = 16

export async function bench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-bench-'))
  chmodSync(dataDir, 0o755)
  const ours = await startOurs(dataDir)
  try {
    await move(ours)
    const alone = await measured(ours, () => move(ours).then((ms) => [ms]))
    const together = await measured(ours, () => besideReaders(ours))
    const worst = (it: { waits: number[] }) => Math.round(Math.max(...it.waits))
    return [
      { name: 'move the test clock by a day, alone', ours: worst(alone), unit: 'ms', note: noteOf(alone) },
      {
        name: 'move the test clock by a day, slowest caller',
        ours: worst(together),
        unit: 'ms',
        note: `${callers} callers at once, ${readers} readers of the catalog; ${noteOf(together)}`,
      },
    ]
  } finally {
    await stop(ours.child)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const noteOf = ({ cpuMs }: { cpuMs: number }) =>
  `${Math.round(cpuMs)} ms of CPU of the server and its database`

async function measured(
  { child }: Ours,
  work: () => Promise<number[]>,
): Promise<{ waits: number[]; cpuMs: number }> {
  const before = cpuSeconds(family(child.pid!))
  const waits = await work()
  return { waits, cpuMs: 1000 * (cpuSeconds(family(child.pid!)) - before) }
}

/** Moves the clock and returns how long it took. */
async function move({ url, testKey }: Ours): Promise<number> {
  const began = elapsedMs()
  const reply = await fetch(`${url}/v1/test/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: '{"advance":"P1D"}',
  })
  if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`)
  return elapsedMs() - began
}

async function besideReaders(ours: Ours): Promise<number[]> {
  let isOver = false
  const read = async (): Promise<void> => {
    while (!isOver)
      await (
        await fetch(`${ours.url}/v1/catalog/products`, {
          headers: { authorization: `Bearer ${ours.testKey}` },
        })
      ).text()
  }
  const reading = Promise.all(Array.from({ length: readers }, read))
  const waits = await Promise.all(Array.from({ length: callers }, () => move(ours)))
  isOver = true
  await reading
  return waits
}
