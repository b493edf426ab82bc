// What a command is, and what it may do: print, and reach the storage. The entry hands everything in.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type pg from 'pg'
import type { Config } from '../base/config.ts'
import { MovableClock, systemClock } from '../base/clock.ts'
import { Database, type Environment, type Tx } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { migrate } from '../base/migrate.ts'
import { takeUpClock } from '../base/shop.ts'
import { openStorage } from '../base/storage.ts'
import { recordCommand } from '../identity/index.ts'

export interface World {
  config: Config
  log: Log
  version: string
  /** In a worker, the storage that the first process opened. */
  inherited: string | undefined
  print(text: string): void
  /** Says how far it is, beside what is printed. */
  tell(text: string): void
  /** The same where it changes many times a second: a person sees the last of it, a file nothing. */
  progress(text: string): void
  input(): Readable
  output(): Writable
}

export interface Command {
  name: string
  summary: string
  /** The words after the command, as help shows them. */
  usage: string
  help: string
  options: ParseArgsOptionsConfig
  run(world: World, given: Given): Promise<number>
}

export interface Given {
  words: string[]
  flags: Record<string, string | boolean | undefined>
}

/** A mistake of the person at the keyboard: told in a sentence, with no stack. */
export class UsageError extends Error {}

export function givenOf(command: Command, args: string[]): Given {
  try {
    const { values, positionals } = parseArgs({ args, options: command.options, allowPositionals: true })
    return { words: positionals, flags: values as Given['flags'] }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

export function environmentOf(given: Given): Environment {
  const environment = given.flags['env'] ?? 'test'
  if (environment !== 'live' && environment !== 'test') throw new UsageError('--env must be live or test')
  return environment
}

/** Opens the storage beside a running server or alone, brings it up to date, works, and leaves it as it was. */
export async function atDesk<T>(
  world: World,
  commandName: string,
  work: (desk: { db: Record<Environment, Database>; connection: pg.PoolConfig }) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(world.config, { role: 'command', commandName, log: world.log })
  try {
    await migrate(storage.connection, world.log)
    return await withDatabases(storage.connection, (db) => work({ db, connection: storage.connection }))
  } finally {
    await storage.close()
  }
}

/** Both environments for a short work, each by its own clock, without their background life. */
export async function withDatabases<T>(
  connection: pg.PoolConfig,
  work: (db: Record<Environment, Database>) => Promise<T>,
): Promise<T> {
  const machine = systemClock()
  const open = (environment: Environment) => {
    const clock = new MovableClock(machine)
    return { clock, db: new Database({ connection, environment, clock, poolSize: 2 }) }
  }
  const [live, test] = [open('live'), open('test')]
  try {
    await takeUpClock(test)
    return await work({ live: live.db, test: test.db })
  } finally {
    await Promise.all([live.db.close(), test.db.close()])
  }
}

/** Does it, and writes down in the audit log that it was done at this machine. */
export const noted = <T>(db: Database, command: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    const done = await work(tx)
    recordCommand(tx, command)
    return done
  })

/** The one file that the words name, as it is read; - is what is piped in. */
export async function sourceOf(world: World, words: readonly string[]): Promise<AsyncIterable<Uint8Array>> {
  const [name, ...more] = words
  if (name === undefined || more.length > 0) throw new UsageError('name one FILE, or - for what is piped in')
  if (name === '-') return world.input()
  const found = await stat(name).catch(() => undefined)
  if (!found) throw new UsageError(`there is no file "${name}"`)
  if (found.isDirectory()) throw new UsageError(`"${name}" is a directory`)
  return createReadStream(name, { highWaterMark: 256 * 1024 })
}

/** Rows as columns that line up. */
export function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
