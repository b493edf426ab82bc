import { equal, ok } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { memoryFolder } from './memory-folder.ts'

/** The id of a process that has ended. */
const endedPid = () => spawnSync(process.execPath, ['--version']).pid

/** A folder of a killed run that still has a mounted disk, which only root can make; undefined elsewhere. */
function busyFolder(): { folder: string; mounted: string } | undefined {
  if (!existsSync('/dev/shm')) return undefined
  const folder = mkdtempSync(`/dev/shm/bozor-test-run-${endedPid()}-`)
  const mounted = join(folder, 'disk')
  mkdirSync(mounted)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mounted])
  if (status === 0) return { folder, mounted }
  rmSync(folder, { recursive: true })
  return undefined
}

test('a test run starts beside the folder of a killed run that cannot be removed', (t) => {
  const busy = busyFolder()
  if (!busy) return t.skip('needs root and /dev/shm')
  try {
    const made = memoryFolder()
    if (made !== undefined) rmSync(made, { recursive: true })
    ok(existsSync(busy.folder))
  } finally {
    execFileSync('umount', [busy.mounted])
  }
  const made = memoryFolder()
  if (made !== undefined) rmSync(made, { recursive: true })
  equal(existsSync(busy.folder), false)
})
