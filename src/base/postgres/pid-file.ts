// postmaster.pid, the file in which PostgreSQL records its process.

import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from './errors.ts'
import { commandLine, isAlive } from './process.ts'

export interface PidFile {
  pid: number
  socketDir: string
  status: string
}

/**
 * `running`: a postmaster of this cluster. `gone`: the file of a dead one, which PostgreSQL replaces by itself.
 * `stale`: the pid belongs to a zombie or to another program, which PostgreSQL mistakes for a running postmaster.
 */
export type PostmasterState = { kind: 'none' | 'gone' } | { kind: 'running' | 'stale'; file: PidFile }

export function readPostmasterState(cluster: string): PostmasterState {
  const file = readPidFile(cluster)
  if (!file) return { kind: 'none' }
  if (isAlive(file.pid) && commandLine(file.pid).includes(cluster)) return { kind: 'running', file }
  return { kind: exists(file.pid) ? 'stale' : 'gone', file }
}

export function readPidFile(cluster: string): PidFile | undefined {
  try {
    return parsePidFile(readFileSync(pidPath(cluster), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined while PostgreSQL is writing the file. */
export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split('\n')
  const pid = Math.abs(Number(lines[0]))
  return pid > 0 ? { pid, socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() } : undefined
}

/**
 * Replaces the stale pid by our own. PostgreSQL ignores the pid of its parent, but still checks the shared memory named in
 * the file for backends of the dead postmaster. Deleting the file would skip that check.
 */
export function replaceStalePid(cluster: string): void {
  const text = readFileSync(pidPath(cluster), 'utf8')
  const descriptor = openSync(pidPath(cluster), constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    ftruncateSync(descriptor)
    writeSync(descriptor, text.replace(/^-?\d+/, String(process.pid)), 0)
  } finally {
    closeSync(descriptor)
  }
}

const pidPath = (cluster: string) => join(cluster, 'postmaster.pid')

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
