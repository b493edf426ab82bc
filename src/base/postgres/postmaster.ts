// Starts, adopts and stops a postmaster.

import { elapsedMs } from '../clock.ts'
import { spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { environment, cannotRunError } from './cluster.ts'
import { DataDirectoryInUse, errorCode } from './errors.ts'
import { binary, type Binaries } from './binaries.ts'
import { replaceStalePid, type PidFile, readPidFile, readPostmasterState } from './pid-file.ts'
import { probe } from './probe.ts'
import { isAlive } from './process.ts'
import { type AccessFiles, port, postmasterArguments } from './settings.ts'

export type Log = (message: string, fields?: Record<string, unknown>) => void

export interface PostmasterOptions {
  cluster: string
  socketDir: string
  access: AccessFiles | undefined
  native: Binaries
  account: Account
  logFile: string
  settings: Record<string, string>
  log: Log
}

export interface Postmaster {
  pid: number
  socketDir: string
  adopted: boolean
  /** Resolves when the process has ended; waiting for it does not keep this process alive. */
  ended: Promise<void>
}

/** Adopts the postmaster that an earlier process left running, or starts a new one. */
export async function startPostmaster(options: PostmasterOptions, signal: AbortSignal): Promise<Postmaster> {
  const deadline = elapsedMs() + startLimitMs
  for (;;) {
    signal.throwIfAborted()
    const found = readPostmasterState(options.cluster)
    if (found.kind === 'running') {
      const adopted = await adopt(options, found.file, signal)
      if (adopted) return adopted
      continue
    }
    if (found.kind !== 'none') await refuseForeign(options.cluster)
    if (found.kind === 'stale') replaceStalePid(options.cluster)
    // The socket has its own lock file, which may be stale too; the directory belongs to this cluster alone.
    rmSync(join(options.socketDir, `.s.PGSQL.${port}.lock`), { force: true })

    const started = await start(options, signal)
    if ('pid' in started) return started
    // Backends of a killed postmaster end after a moment and hold its shared memory until then.
    const isTemporary = /shared memory block|lock file/.test(started.reason)
    if (!isTemporary || elapsedMs() > deadline)
      throw new Error(`PostgreSQL does not start: ${started.reason}`)
    await sleep(retryMs)
  }
}

const startLimitMs = 30_000
const recoveryLimitMs = 600_000
const retryMs = 100
const pollMs = 10

/** Undefined when the postmaster ended meanwhile. */
async function adopt(
  options: PostmasterOptions,
  file: PidFile,
  signal: AbortSignal,
): Promise<Postmaster | undefined> {
  const deadline = elapsedMs() + adoptLimitMs
  while (isAlive(file.pid)) {
    signal.throwIfAborted()
    const { socketDir, pid } = readPidFile(options.cluster) ?? file
    const reply = await probe(socketDir)
    if (reply === 'answers') {
      options.log('adopted the PostgreSQL that an earlier process left running', { pid })
      return { pid, socketDir, adopted: true, ended: waitForEnd(pid) }
    }
    if (reply === 'silent' && elapsedMs() > deadline) {
      throw new DataDirectoryInUse(
        `Process ${pid} is a PostgreSQL on ${options.cluster} that does not respond. End it (kill -QUIT ${pid}).`,
      )
    }
    await sleep(retryMs)
  }
  return undefined
}

const adoptLimitMs = 8_000

/** A socket that responds without a visible process belongs to another container with the same directory. */
async function refuseForeign(cluster: string): Promise<void> {
  const file = readPidFile(cluster)
  if (!file || (await probe(file.socketDir)) === 'silent') return
  throw new DataDirectoryInUse(
    `${cluster} is in use by a PostgreSQL in another container. Stop it first or set DATA_DIR.`,
  )
}

async function start(
  options: PostmasterOptions,
  signal: AbortSignal,
): Promise<Postmaster | { reason: string }> {
  rotate(options.logFile)
  const output = openSync(options.logFile, 'a', 0o600)
  // The owner of the cluster may start it next time.
  if (options.account) fchownSync(output, options.account.uid, options.account.gid)
  const logged = statSync(options.logFile).size
  const file = binary(options.native, 'postgres')
  const child = spawn(file, postmasterArguments(options, options.settings), {
    ...options.account,
    cwd: '/',
    env: environment,
    stdio: ['ignore', output, output],
    // Ctrl-C reaches the whole process group; the database must outlive the last transaction.
    detached: true,
  })
  closeSync(output)
  const failures: Error[] = []
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', (error) => {
      failures.push(cannotRunError(file, error))
      done()
    })
  })
  child.unref()

  const deadline = elapsedMs() + recoveryLimitMs
  while (
    child.exitCode === null &&
    child.signalCode === null &&
    failures.length === 0 &&
    elapsedMs() < deadline
  ) {
    const written = readPidFile(options.cluster)
    if (written?.pid === child.pid && written?.status === 'ready') {
      return { pid: child.pid!, socketDir: options.socketDir, adopted: false, ended }
    }
    if (signal.aborted && child.pid !== undefined) await stopPostmaster(child.pid)
    await sleep(pollMs)
  }
  if (failures[0]) throw failures[0]
  return { reason: lastLogLines(options.logFile, logged) }
}

/** Asks for a fast shutdown, and for an immediate one when that takes too long; neither loses a commit. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, waitMs] of stopSignals) {
    if (!send(pid, signal)) return
    const deadline = elapsedMs() + waitMs
    while (elapsedMs() < deadline) {
      if (!isAlive(pid)) return
      await sleep(pollMs)
    }
  }
}

const stopSignals = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 2_000],
  ['SIGKILL', 1_000],
] as const

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false
    throw error
  }
}

async function waitForEnd(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(watchMs, undefined, { ref: false })
}

const watchMs = 250

/** Keeps one earlier file; PostgreSQL logs little at this level. */
function rotate(path: string): void {
  try {
    if (statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

const maxLogBytes = 1_000_000

function lastLogLines(path: string, from: number): string {
  const text = readFileSync(path).subarray(from).toString('utf8').trim().split('\n').slice(-5).join(' | ')
  return `${text || 'no output'} (${path})`
}
