// Access to the storage for commands, also beside a running server.

import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { MovableClock, systemClock } from '../base/clock.ts'
import { Database, type Environment, type Tx } from '../base/database.ts'
import { migrate } from '../base/migrate.ts'
import { loadClockOffset } from '../base/shop.ts'
import { openStorage } from '../base/storage.ts'
import { recordCommand } from '../identity/index.ts'
import { type CommandContext, CommandError, UsageError } from './command.ts'

/** Opens the storage (also beside a running server), migrates it, runs the work and closes it. */
export async function withStorage<T>(
  context: CommandContext,
  commandName: string,
  work: (storage: {
    db: Record<Environment, Database>
    connection: pg.PoolConfig
    /** Where the embedded database is, if not in the data directory. */
    elsewhere: string | undefined
  }) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(context.config, { role: 'command', commandName, log: context.log })
  try {
    await migrate(storage.connection, context.log)
    const { connection, elsewhere } = storage
    return await withDatabases(connection, (db) => work({ db, connection, elsewhere }))
  } finally {
    await storage.close()
  }
}

/** Opens both databases for a short time, each with its own clock, without relay and jobs. */
export async function withDatabases<T>(
  connection: pg.PoolConfig,
  work: (db: Record<Environment, Database>) => Promise<T>,
): Promise<T> {
  const machineClock = systemClock()
  const open = (environment: Environment) => {
    const clock = new MovableClock(machineClock)
    return { clock, db: new Database({ connection, environment, clock, poolSize: 2 }) }
  }
  const [live, test] = [open('live'), open('test')]
  try {
    await loadClockOffset(test)
    return await work({ live: live.db, test: test.db })
  } finally {
    await Promise.all([live.db.close(), test.db.close()])
  }
}

/** Runs a transaction and writes an audit entry for the command. */
export const audited = <T>(db: Database, command: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    const result = await work(tx)
    recordCommand(tx, command)
    return result
  })

/** The files of a folder that end so, in the order of their names; undefined when one file is named. */
export async function sourcesOfFolder(
  [name = '-', ...more]: readonly string[],
  ending: string,
): Promise<{ name: string; source: AsyncIterable<Uint8Array> }[] | undefined> {
  const found = name === '-' || more.length > 0 ? undefined : await stat(name).catch(() => undefined)
  if (!found?.isDirectory()) return undefined
  const files = (await readdir(name)).filter((it) => it.endsWith(ending) && !it.startsWith('.')).toSorted()
  if (files.length === 0) throw new CommandError(`there is no *${ending} in "${name}"`, 'not_found')
  return files.map((it) => ({ name: it, source: openLate(join(name, it)) }))
}

/** Opened when it is read, so that a folder of many files does not hold all of them open. */
async function* openLate(path: string): AsyncGenerator<Uint8Array, void> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>
}

/** Opens the one file named in the arguments; - is stdin. */
export async function sourceOf(
  context: CommandContext,
  positionals: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new UsageError('name one FILE, or - for stdin')
  if (name === '-') return context.input()
  const found = await stat(name).catch(() => undefined)
  if (!found) throw new CommandError(`there is no file "${name}"`, 'not_found')
  if (found.isDirectory()) throw new UsageError(`"${name}" is a directory`)
  return createReadStream(name, { highWaterMark: 256 * 1024 })
}
