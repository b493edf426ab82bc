// CPU time of processes, from the kernel: steadier than the clock on a machine that others use too.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { collectGarbage } from '../src/base/collect-garbage.ts'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']).toString())

/** Seconds of CPU that the processes, and those of their children that have ended, have used so far. */
export const cpuSeconds = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond

function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  } catch {
    return 0
  }
}

/** Seconds that the main thread of a process could run but had to wait for a processor. */
export function waitSeconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9
  } catch {
    return 0
  }
}

/** The process and its children. Read from /proc: starting a program would stop the load generator meanwhile. */
export const family = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(family)]

export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

export const residentMegabytes = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return 0
  }
}

/** What was started, word by word; empty for a process that has ended. */
export const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Milliseconds of CPU that this thread needs for the work. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** What this process holds after a garbage collection. */
export function megabytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
