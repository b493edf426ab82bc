// A folder in memory for everything that a test run writes: databases of test files are copied and removed all the time.

import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'bozor-test-run-'
/** A whole run writes about 5 GB. */
const neededBytes = 10 * 2 ** 30

/** Undefined where the machine has no such folder or not enough memory for it. */
export function memoryFolder(): string | undefined {
  if (!existsSync(memory)) return undefined
  removeAbandoned()
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < neededBytes) return undefined
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // The account that runs PostgreSQL must be able to enter it.
  chmodSync(folder, 0o1777)
  return folder
}

/** A run that was killed could not remove its folder. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : undefined
    if (pid && !existsSync(`/proc/${pid}`)) removeIfPossible(join(memory, name))
  }
}

/** It is tried again by later runs: a process or a mounted disk of the killed run may still hold it. */
function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    console.error(`${folder} of an earlier run was not removed: ${(error as Error).message}`)
  }
}
