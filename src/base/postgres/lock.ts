// One owner per data directory. The lock is a file that names its holder. It survives a killed holder, so the reader
// checks whether exactly that process still runs.

import { createHash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { errorCode } from './errors.ts'
import { processStartTime } from './process.ts'

export interface Holder {
  pid: number
  born: string
  role: 'server' | 'command'
  command: string
  /** Distinguishes two locks of one process. */
  nonce: string
}

export type Attempt = { kind: 'taken'; release: () => void } | { kind: 'held'; by: Holder }

/** Takes the lock or returns its holder, without waiting. The lock of a dead process is free. */
export function tryLock(path: string, role: Holder['role'], command: string): Attempt {
  const me = {
    pid: process.pid,
    born: processStartTime(process.pid) ?? '',
    role,
    command,
    nonce: randomUUID(),
  }
  const attempt = attemptAt(path, JSON.stringify(me), maxTakeovers)
  return attempt ?? { kind: 'taken', release: () => releaseOwn(path, me.nonce) }
}

/**
 * Two processes may find the same lock dead, and the slower one must not replace the lock that the faster one has just
 * taken. So only the owner of a claim file, named after the content of the dead lock, may replace it. A claim is itself
 * such a lock, because its owner may die too.
 */
function attemptAt(path: string, mine: string, takeovers: number): Attempt | undefined {
  for (let tries = 0; tries < maxTries; tries++) {
    if (createExclusively(path, mine)) return undefined
    const found = readIfThere(path)
    if (found === undefined) continue
    const holder = parsedHolder(found)
    if (holder && (takeovers === 0 || processStartTime(holder.pid) === holder.born))
      return { kind: 'held', by: holder }

    const claim = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 16)}`
    const rival = attemptAt(claim, mine, takeovers - 1)
    if (rival) return rival
    try {
      if (readIfThere(path) === found) {
        replace(path, mine)
        return undefined
      }
    } finally {
      rmSync(claim, { force: true })
    }
  }
  throw new Error(`the lock ${path} changes its holder too fast`)
}

const maxTries = 100
const maxTakeovers = 8

/** Linking is atomic: no process reads a partially written lock. */
function createExclusively(path: string, content: string): boolean {
  const draft = `${path}.${randomUUID()}`
  try {
    // On a full disk the file is created and stays empty, so writing is inside the try.
    writeFileSync(draft, content, { mode: 0o644, flag: 'wx' })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function replace(path: string, content: string): void {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, content, { mode: 0o644, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function releaseOwn(path: string, nonce: string): void {
  const found = readIfThere(path)
  // The directory may have been deleted, or replaced by one with another owner.
  if (found !== undefined && parsedHolder(found)?.nonce === nonce) rmSync(path, { force: true })
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined for an incomplete file: after a power cut it may be empty. */
function parsedHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder>
    return typeof value.pid === 'number' && typeof value.born === 'string' ? (value as Holder) : undefined
  } catch {
    return undefined
  }
}
