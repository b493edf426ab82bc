// postmaster.pid: what PostgreSQL leaves in its cluster for whoever comes next.

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
 * `running`: a postmaster of this cluster. `gone`: the file of a dead one, which PostgreSQL clears by itself.
 * `ghost`: its number is a zombie's or a stranger's, which PostgreSQL takes for a living rival.
 */
export type Sighting = { kind: 'none' | 'gone' } | { kind: 'running' | 'ghost'; file: PidFile }

export function sighted(cluster: string): Sighting {
  const file = readPidFile(cluster)
  if (!file) return { kind: 'none' }
  if (isAlive(file.pid) && commandLine(file.pid).includes(cluster)) return { kind: 'running', file }
  return { kind: exists(file.pid) ? 'ghost' : 'gone', file }
}

export function readPidFile(cluster: string): PidFile | undefined {
  try {
    return parsedPidFile(readFileSync(pidPath(cluster), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined while PostgreSQL is still writing it. */
export function parsedPidFile(text: string): PidFile | undefined {
  const lines = text.split('\n')
  const pid = Math.abs(Number(lines[0]))
  return pid > 0 ? { pid, socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() } : undefined
}

/**
 * Writes our number in place of the ghost's. PostgreSQL overlooks its own parent, and then still asks, by the
 * shared memory named in the rest of the file, whether a backend of the dead postmaster is at work: deleting
 * the file would skip that question.
 */
export function disarm(cluster: string): void {
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
