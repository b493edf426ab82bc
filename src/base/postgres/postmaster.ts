// One life of a postmaster: found running or started, and stopped.

import { elapsedMs } from '../clock.ts'
import { spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { environment, unstartable } from './cluster.ts'
import { DataDirectoryInUse, errorCode } from './errors.ts'
import { binary, type Native } from './native.ts'
import { disarm, type PidFile, readPidFile, sighted } from './pid-file.ts'
import { probed } from './probe.ts'
import { isAlive } from './process.ts'
import { port, postmasterArguments } from './settings.ts'

export type Log = (message: string, fields?: Record<string, unknown>) => void

export interface Plan {
  cluster: string
  socketDir: string
  native: Native
  account: Account
  logFile: string
  settings: Record<string, string>
  log: Log
}

export interface Postmaster {
  pid: number
  socketDir: string
  adopted: boolean
  /** Resolves when the process is gone; waiting for it keeps nothing alive. */
  ended: Promise<void>
}

/** The cluster's postmaster: the one that an earlier process left running, or a new one. */
export async function raisePostmaster(plan: Plan, signal: AbortSignal): Promise<Postmaster> {
  const deadline = elapsedMs() + startLimitMs
  for (;;) {
    signal.throwIfAborted()
    const found = sighted(plan.cluster)
    if (found.kind === 'running') {
      const adopted = await adopt(plan, found.file, signal)
      if (adopted) return adopted
      continue
    }
    if (found.kind !== 'none') await refuseForeign(plan.cluster)
    if (found.kind === 'ghost') disarm(plan.cluster)
    // The socket has a lock of its own, which a ghost holds too; the directory serves this cluster alone.
    rmSync(join(plan.socketDir, `.s.PGSQL.${port}.lock`), { force: true })

    const started = await start(plan, signal)
    if ('pid' in started) return started
    // The backends of a killed postmaster take a moment to notice, and hold its shared memory until then.
    const passing = /shared memory block|lock file/.test(started.reason)
    if (!passing || elapsedMs() > deadline) throw new Error(`PostgreSQL does not start: ${started.reason}`)
    await sleep(retryMs)
  }
}

const startLimitMs = 30_000
const recoveryLimitMs = 600_000
const retryMs = 100
const pollMs = 10

/** Undefined when the postmaster went away meanwhile. */
async function adopt(plan: Plan, file: PidFile, signal: AbortSignal): Promise<Postmaster | undefined> {
  const deadline = elapsedMs() + adoptLimitMs
  while (isAlive(file.pid)) {
    signal.throwIfAborted()
    const { socketDir, pid } = readPidFile(plan.cluster) ?? file
    const reply = await probed(socketDir)
    if (reply === 'answers') {
      plan.log('adopted the PostgreSQL that an earlier process left running', { pid })
      return { pid, socketDir, adopted: true, ended: gone(pid) }
    }
    if (reply === 'silent' && elapsedMs() > deadline) {
      throw new DataDirectoryInUse(
        `Process ${pid} is a PostgreSQL on ${plan.cluster} that does not answer. End it (kill -QUIT ${pid}).`,
      )
    }
    await sleep(retryMs)
  }
  return undefined
}

const adoptLimitMs = 8_000

/** A socket that answers without a visible process belongs to another container on the same directory. */
async function refuseForeign(cluster: string): Promise<void> {
  const file = readPidFile(cluster)
  if (!file || (await probed(file.socketDir)) === 'silent') return
  throw new DataDirectoryInUse(
    `${cluster} is in use by a PostgreSQL in another container. Stop it first or set DATA_DIR.`,
  )
}

async function start(plan: Plan, signal: AbortSignal): Promise<Postmaster | { reason: string }> {
  rotate(plan.logFile)
  const output = openSync(plan.logFile, 'a', 0o600)
  // The owner of the cluster may be the next to start it.
  if (plan.account) fchownSync(output, plan.account.uid, plan.account.gid)
  const logged = statSync(plan.logFile).size
  const file = binary(plan.native, 'postgres')
  const child = spawn(file, postmasterArguments(plan, plan.settings), {
    ...plan.account,
    cwd: '/',
    env: environment,
    stdio: ['ignore', output, output],
    // Ctrl-C reaches the whole group of the terminal; the database must outlive our last transaction.
    detached: true,
  })
  closeSync(output)
  const failures: Error[] = []
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', (error) => {
      failures.push(unstartable(file, error))
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
    const written = readPidFile(plan.cluster)
    if (written?.pid === child.pid && written?.status === 'ready') {
      return { pid: child.pid!, socketDir: plan.socketDir, adopted: false, ended }
    }
    if (signal.aborted && child.pid !== undefined) await stopPostmaster(child.pid)
    await sleep(pollMs)
  }
  if (failures[0]) throw failures[0]
  return { reason: lastWords(plan.logFile, logged) }
}

/** Asks for a fast shutdown, and for an immediate one when that takes too long; neither loses a commit. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, patienceMs] of farewells) {
    if (!send(pid, signal)) return
    const deadline = elapsedMs() + patienceMs
    while (elapsedMs() < deadline) {
      if (!isAlive(pid)) return
      await sleep(pollMs)
    }
  }
}

const farewells = [
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

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(watchMs, undefined, { ref: false })
}

const watchMs = 250

/** Keeps one earlier file; between starts PostgreSQL has little to say at our log level. */
function rotate(path: string): void {
  try {
    if (statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

const maxLogBytes = 1_000_000

function lastWords(path: string, from: number): string {
  const text = readFileSync(path).subarray(from).toString('utf8').trim().split('\n').slice(-5).join(' | ')
  return `${text || 'it said nothing'} (${path})`
}
