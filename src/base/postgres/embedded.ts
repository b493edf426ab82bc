// The PostgreSQL that comes with the shop: one per data directory, owned by one process at a time.

import { elapsedMs } from '../clock.ts'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountFor } from './account.ts'
import { ensureCluster } from './cluster.ts'
import { DataDirectoryInUse } from './errors.ts'
import { type Holder, tryLock } from './lock.ts'
import { usableNative } from './native.ts'
import { readPidFile } from './pid-file.ts'
import type { Log } from './postmaster.ts'
import { type Connection, connectionAt, probed } from './probe.ts'
import { clusterIn, homeOf, knownHome, openedDataDir, openedSocketDir } from './site.ts'
import { Supervisor } from './supervisor.ts'

export { DataDirectoryInUse, DataDirectoryUnusable, EmbeddedPostgresUnavailable } from './errors.ts'
export type { Connection } from './probe.ts'

export interface EmbeddedOptions {
  dataDir: string
  /** A server owns the database; a command borrows a running server's, or owns it for its own short life. */
  role: 'server' | 'command'
  /** How the holder is named to others who find the directory in use. */
  commandName: string
  log: Log
  /** PostgreSQL settings over ours, such as fsync off for tests. */
  settings?: Record<string, string>
}

export interface EmbeddedPostgres {
  connection: Connection
  /** This call created the database. */
  wasEmpty: boolean
  /** Stops the database if this call owns it. */
  close(): Promise<void>
}

/** Opens the database of a data directory, making or starting it when needed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = openedDataDir(options.dataDir)
  const access = await gainAccess(dataDir, options)
  if ('socketDir' in access) {
    return { connection: connectionAt(access.socketDir), wasEmpty: false, close: async () => {} }
  }
  try {
    return await own(dataDir, options, access.release)
  } catch (error) {
    access.release()
    throw error
  }
}

async function own(
  dataDir: string,
  options: EmbeddedOptions,
  release: () => void,
): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options
  const account = accountFor(clusterIn(knownHome(dataDir) ?? dataDir))
  const home = homeOf(dataDir, account, log)
  const cluster = clusterIn(home)
  const native = usableNative(account, home, log)
  const wasEmpty = await ensureCluster(cluster, { native, account, isDurable: settings['fsync'] !== 'off' })
  const socketDir = openedSocketDir(home, account)
  const logFile = join(dataDir, 'postgres.log')
  const supervisor = await Supervisor.start({ cluster, socketDir, native, account, logFile, settings, log })
  let closing: Promise<void> | undefined
  return {
    connection: connectionAt(supervisor.socketDir),
    wasEmpty,
    close: () => (closing ??= supervisor.stop().finally(release)),
  }
}

type Access = { release: () => void } | { socketDir: string }

/** Waits, as long as the role allows, for the lock or for a server's database to share. */
async function gainAccess(dataDir: string, options: EmbeddedOptions): Promise<Access> {
  const begun = elapsedMs()
  for (;;) {
    const attempt = tryLock(join(dataDir, 'lock'), options.role, options.commandName)
    if (attempt.kind === 'taken') return attempt
    const holder = attempt.by
    if (options.role === 'command' && holder.role === 'server') {
      const socketDir = await servedSocket(dataDir)
      if (socketDir !== undefined) return { socketDir }
    }
    if (elapsedMs() - begun >= patienceMs(options.role, holder)) {
      throw new DataDirectoryInUse(
        `${dataDir} is in use by process ${holder.pid} (bozor ${holder.command}). ${adviceOf(options.role, holder)}`,
      )
    }
    await sleep(50)
  }
}

const adviceOf = (role: 'server' | 'command', holder: Holder): string =>
  role === 'command' && holder.role === 'command'
    ? 'Wait for its end. Beside a running server, commands work at the same time.'
    : 'Stop it first or set DATA_DIR.'

/** A server that starts will serve commands in a moment; a command at work may take hours, so nobody waits for its end. */
function patienceMs(role: 'server' | 'command', holder: Holder): number {
  if (role === 'command') return holder.role === 'server' ? 60_000 : 8_000
  return holder.role === 'server' ? 0 : 5_000
}

async function servedSocket(dataDir: string): Promise<string | undefined> {
  const home = knownHome(dataDir)
  const file = home === undefined ? undefined : readPidFile(clusterIn(home))
  return file && (await probed(file.socketDir)) === 'answers' ? file.socketDir : undefined
}
