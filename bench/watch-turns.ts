// Loaded into the server by a benchmark (`--import`): writes the longest turn of its event loop in every quarter of a second
// to the file in BENCH_TURNS, in wall-clock time and in CPU time of the thread. On a busy machine only the second is ours.

import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export interface LongestTurn {
  /** Milliseconds of the epoch. */
  at: number
  ms: number
  cpuMs: number
}

const tickMs = 2
const writeEveryMs = 250

const file = process.env['BENCH_TURNS']
// Programs that the server starts inherit the option.
if (file !== undefined && isMainThread && process.argv[2] === 'start') watch(file)

function watch(path: string): void {
  let last = performance.now()
  let cpu = cpuMsOfThread()
  let longest = { ms: 0, cpuMs: 0 }
  setInterval(() => {
    const [now, cpuNow] = [performance.now(), cpuMsOfThread()]
    const turn = { ms: now - last, cpuMs: cpuNow - cpu }
    longest = {
      ms: Math.max(longest.ms, turn.ms),
      cpuMs: Math.max(longest.cpuMs, Math.min(turn.ms, turn.cpuMs)),
    }
    last = now
    cpu = cpuNow
  }, tickMs).unref()
  setInterval(() => {
    appendFileSync(path, `${JSON.stringify({ at: Date.now(), ...longest } satisfies LongestTurn)}\n`)
    longest = { ms: 0, cpuMs: 0 }
  }, writeEveryMs).unref()
}

function cpuMsOfThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
