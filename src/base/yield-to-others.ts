import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets everybody else on this machine go first. Linux keeps a priority for each thread, and the engine made some at its
 * start, which collect garbage and compile: they are told one by one. A later one takes after whoever makes it.
 */
export function yieldToOthers(): void {
  for (const thread of ownThreads()) {
    try {
      setPriority(thread, constants.priority.PRIORITY_LOW)
    } catch {
      // It has ended already, or the system knows no priorities.
    }
  }
}

function ownThreads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [process.pid]
  }
}
