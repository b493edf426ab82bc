// One owner per data directory. The lock is a file that names its holder; it outlives a killed holder, so
// whoever finds it asks the system whether that very process still lives.

import { createHash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { errorCode } from './errors.ts'
import { processBirth } from './process.ts'

export interface Holder {
  pid: number
  born: string
  role: 'server' | 'command'
  command: string
  /** Tells two locks of one process apart. */
  nonce: string
}

export type Attempt = { kind: 'taken'; release: () => void } | { kind: 'held'; by: Holder }

/** Takes the lock at once or tells who holds it. A lock whose holder is dead counts as free. */
export function tryLock(path: string, role: Holder['role'], command: string): Attempt {
  const me = { pid: process.pid, born: processBirth(process.pid) ?? '', role, command, nonce: randomUUID() }
  const attempt = attemptAt(path, JSON.stringify(me), maxTakeovers)
  return attempt ?? { kind: 'taken', release: () => releaseOwn(path, me.nonce) }
}

/**
 * Two processes may judge the same lock dead, and the slower must not remove the lock that the faster has
 * just taken. So only the owner of a claim, named after the exact dead lock, may replace it; a claim is
 * itself such a lock, for its owner may die too.
 */
function attemptAt(path: string, mine: string, takeovers: number): Attempt | undefined {
  for (let tries = 0; tries < maxTries; tries++) {
    if (createExclusively(path, mine)) return undefined
    const found = readIfThere(path)
    if (found === undefined) continue
    const holder = parsedHolder(found)
    if (holder && (takeovers === 0 || processBirth(holder.pid) === holder.born))
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
  throw new Error(`the lock ${path} changes hands too fast`)
}

const maxTries = 100
const maxTakeovers = 8

/** A link appears whole or not at all: nobody reads a lock that is half written. */
function createExclusively(path: string, content: string): boolean {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, content, { mode: 0o644, flag: 'wx' })
  try {
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
  writeFileSync(draft, content, { mode: 0o644, flag: 'wx' })
  renameSync(draft, path)
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

/** Undefined for a file that no version of us wrote whole: after a power cut it may be empty. */
function parsedHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder>
    return typeof value.pid === 'number' && typeof value.born === 'string' ? (value as Holder) : undefined
  } catch {
    return undefined
  }
}
