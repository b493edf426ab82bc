// Loads a server and reports what a call cost it.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpuSeconds } from './cpu.ts'
import { load, type LoadResult } from './load.ts'

export const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
export const warmUp = 2

export type Measured = LoadResult & { cpuMs: number }

export async function measure(
  url: string,
  pids: number[] | (() => number[]),
  call: { request(number: number): string; expect: number; connections?: number },
): Promise<Measured> {
  const options = { url, connections: 16, ...call }
  await load({ ...options, seconds: warmUp })
  const watched = typeof pids === 'function' ? pids() : pids
  const before = cpuSeconds(watched)
  const result = await load({ ...options, seconds })
  return { ...result, cpuMs: (1000 * (cpuSeconds(watched) - before)) / result.requests }
}

const pidFile = (dataDir: string) =>
  execFileSync('find', [dataDir, '-name', 'postmaster.pid']).toString().trim()
export const databasePid = (dataDir: string) => Number(readFileSync(pidFile(dataDir), 'utf8').split('\n')[0])

/** The directory of the socket on which the embedded database listens. */
export const databaseHost = (dataDir: string): string =>
  readFileSync(pidFile(dataDir), 'utf8').split('\n')[4]!

/** Waits until processes are idle for some seconds: a first start loads a shop and trains in the background. */
export async function quiet(pids: () => number[]): Promise<void> {
  let idleSeconds = 0
  for (let tries = 0; tries < 300 && idleSeconds < 3; tries++) {
    const watched = pids()
    const before = cpuSeconds(watched)
    await new Promise((done) => setTimeout(done, 1_000))
    idleSeconds = cpuSeconds(watched) - before < 0.15 ? idleSeconds + 1 : 0
  }
  if (idleSeconds < 3)
    process.stderr.write('  measured beside background work that did not end in five minutes\n')
}
