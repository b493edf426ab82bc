// The embedded PostgreSQL: one per data directory, owned by one process at a time.

import { elapsedMs } from '../clock.ts'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeAccessFiles } from './access.ts'
import { accountFor } from './account.ts'
import { archiveInto } from './archive.ts'
import { ensureCluster } from './cluster.ts'
import { DataDirectoryInUse } from './errors.ts'
import { type Holder, tryLock } from './lock.ts'
import { usableBinaries } from './binaries.ts'
import { readPidFile } from './pid-file.ts'
import type { Log } from './postmaster.ts'
import { type Connection, connectionAt, probe } from './probe.ts'
import { clusterIn, chooseHome, findHome, openDataDir, openSocketDir } from './locations.ts'
import { Supervisor } from './supervisor.ts'

export { DataDirectoryInUse, DataDirectoryUnusable, EmbeddedPostgresUnavailable } from './errors.ts'
export type { Connection } from './probe.ts'

export interface EmbeddedOptions {
  dataDir: string
  /** A server owns the database; a command uses a running server's database, or owns it while it runs. */
  role: 'server' | 'command'
  /** The name of the holder in messages of other processes. */
  commandName: string
  log: Log
  /** Overrides of PostgreSQL settings, such as fsync off for tests. */
  settings?: Record<string, string>
  /** A folder that gets the log. */
  archive?: string | undefined
}

export interface EmbeddedPostgres {
  connection: Connection
  /** The directory of the database: the data directory, unless the database's account cannot enter it. */
  home: string
  /** This call created the database. */
  wasEmpty: boolean
  /** Stops the database if this call owns it. */
  close(): Promise<void>
}

/** Opens the database of a data directory; creates or starts it when needed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = openDataDir(options.dataDir)
  const access = await gainAccess(dataDir, options)
  if ('socketDir' in access) {
    const home = findHome(dataDir) ?? dataDir
    return { connection: connectionAt(access.socketDir), home, wasEmpty: false, close: async () => {} }
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
  const { log } = options
  const account = accountFor(clusterIn(findHome(dataDir) ?? dataDir))
  const home = chooseHome(dataDir, account, log)
  const cluster = clusterIn(home)
  const archiving = options.archive === undefined ? {} : archiveInto(options.archive, account)
  const settings = { ...archiving, ...options.settings }
  const native = usableBinaries(account, home, log)
  const wasEmpty = await ensureCluster(cluster, { native, account, isDurable: settings['fsync'] !== 'off' })
  const socketDir = openSocketDir(home, account)
  const logFile = join(dataDir, 'postgres.log')
  const access = writeAccessFiles(cluster, account)
  const site = { cluster, socketDir, access }
  const supervisor = await Supervisor.start({ ...site, native, account, logFile, settings, log })
  let closing: Promise<void> | undefined
  return {
    connection: connectionAt(supervisor.socketDir),
    home,
    wasEmpty,
    close: () => (closing ??= supervisor.stop().finally(release)),
  }
}

type Access = { release: () => void } | { socketDir: string }

/** Waits for the lock, or for a running server's database, as long as the role allows. */
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
    if (elapsedMs() - begun >= waitLimitMs(options.role, holder)) {
      throw new DataDirectoryInUse(
        `${dataDir} is in use by process ${holder.pid} (bozor ${holder.command}). ${adviceOf(options.role, holder)}`,
      )
    }
    await sleep(50)
  }
}

const adviceOf = (role: 'server' | 'command', holder: Holder): string =>
  role === 'command' && holder.role === 'command'
    ? 'Wait until it ends. Commands can run at the same time while a server is running.'
    : 'Stop it first or set DATA_DIR.'

/** A starting server will serve commands soon; a running command may take hours, so its end is not awaited. */
function waitLimitMs(role: 'server' | 'command', holder: Holder): number {
  if (role === 'command') return holder.role === 'server' ? 60_000 : 8_000
  return holder.role === 'server' ? 0 : 5_000
}

async function servedSocket(dataDir: string): Promise<string | undefined> {
  const home = findHome(dataDir)
  const file = home === undefined ? undefined : readPidFile(clusterIn(home))
  return file && (await probe(file.socketDir)) === 'answers' ? file.socketDir : undefined
}
