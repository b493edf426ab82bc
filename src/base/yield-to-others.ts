import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets everybody else on this machine go before a process. Linux keeps a priority for each thread, and the engine made
 * some at its start, which collect garbage and compile: they are told one by one. A later one takes after whoever makes it.
 */
export function yieldToOthers(pid = process.pid): void {
  for (const thread of threadsOf(pid)) lower(thread)
}

/** Lets the other threads of this process go first; where threads have no priority of their own, all go on as they did. */
export function yieldThread(): void {
  if (process.platform === 'linux') lower(0)
}

function lower(id: number): void {
  try {
    setPriority(id, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system knows no priorities.
  }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}
