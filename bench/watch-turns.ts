// Loaded into the server by a benchmark (`--import`): writes the longest turn of its event loop in every quarter of a second
// to the file in BENCH_TURNS, in wall-clock time and in CPU time of the thread. On a busy machine only the second is ours.

import { appendFileSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

export interface LongestTurn {
  /** Milliseconds of the epoch. */
  at: number
  ms: number
  cpuMs: number
}

/** What makes a server write its turns to a file. */
export const watchedTurns = (path: string): Record<string, string> => ({
  BENCH_TURNS: path,
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${pathToFileURL('bench/watch-turns.ts').href}`,
})

/** The longest turn in a time, in wall-clock time and in CPU time. */
export function longestTurn(
  path: string,
  { from, to = Infinity }: { from: number; to?: number },
): LongestTurn {
  const longest = { at: from, ms: 0, cpuMs: 0 }
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { at, ms, cpuMs } = JSON.parse(line) as LongestTurn
    if (at < from || at >= to) continue
    if (ms > longest.ms) longest.at = at
    longest.ms = Math.max(longest.ms, ms)
    longest.cpuMs = Math.max(longest.cpuMs, cpuMs)
  }
  return longest
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
