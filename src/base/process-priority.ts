import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lowers the priority of a process. Linux keeps one per thread, and V8 has started threads (garbage collection, compiler)
 * already, so each is lowered. Later threads inherit it.
 */
export function lowerProcessPriority(pid = process.pid): void {
  for (const thread of threadsOf(pid)) lower(thread)
}

/** Lowers the priority of the current thread; no effect where threads have no priority of their own. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') lower(0)
}

function lower(id: number): void {
  try {
    setPriority(id, constants.priority.PRIORITY_LOW)
  } catch {
    // The thread has ended, or the system has no priorities.
  }
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}
