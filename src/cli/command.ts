// What a command is and what it gets: arguments, configuration and output. Imports little, so that help is fast.

import type { Readable, Writable } from 'node:stream'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Config } from '../base/config.ts'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import { nearest } from '../base/nearest.ts'
import { Refusal } from '../base/refusal.ts'
import { CommandError, UsageError } from './exit-codes.ts'

export { CommandError, UsageError } from './exit-codes.ts'

export interface CommandContext {
  config: Config
  log: Log
  version: string
  /** In a worker process: the connection that the first process opened. */
  inherited: string | undefined
  print(text: string): void
  /** Resolves when a line could not be printed because the reader of stdout has gone. */
  outputClosed: Promise<void>
  /** Prints to stderr, beside the output. */
  printStatus(text: string): void
  /** Whether the output may have colours. */
  isColoured: boolean
  /** Shows progress on a terminal, overwriting the line; writes nothing to files. */
  progress(text: string): void
  input(): Readable
  output(): Writable
}

export interface Command {
  /** The arguments, as help shows them. */
  usage: string
  help: string
  options: ParseArgsOptionsConfig
  /** The most arguments besides options; what the usage shows if it is left out. */
  mostArguments?: number
  /** The words that the first argument may be, for completion. */
  actions?: readonly string[]
  run(context: CommandContext, args: CommandArguments): Promise<number>
}

export interface CommandArguments {
  positionals: string[]
  flags: Record<string, string | boolean | undefined>
}

export function parseArguments(command: Command, args: string[]): CommandArguments {
  try {
    const { values, positionals } = parseArgs({ args, options: command.options, allowPositionals: true })
    const most = command.mostArguments ?? argumentsIn(command.usage)
    if (positionals.length > most)
      throw new UsageError(
        `there is no argument "${positionals[most]}"; use: ${command.usage || 'no arguments'}`,
      )
    return { positionals, flags: values as CommandArguments['flags'] }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { message } = error as Error
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1]
    if (unknown === undefined) throw new UsageError(message)
    const options = Object.keys(command.options).map((it) => `--${it}`)
    throw new UsageError(
      `there is no option "${unknown}"; ${meant(unknown, options)}the options are ${options.join(', ')}`,
    )
  }
}

/** How many words besides options the longest form of a usage has. */
export function argumentsIn(usage: string): number {
  const withoutOptions = usage.replaceAll(/\[-[^\]]*\]/g, '').replaceAll(/--\S+( (?!\|)\S+)?/g, '')
  const forms = withoutOptions.split(/ \| |\s\|$/)
  return Math.max(...forms.map((it) => it.split(/\s+/).filter((word) => /\w/.test(word)).length))
}

/** `did you mean "logs"? ` for a misspelt name, else nothing. */
export function meant(word: string, names: readonly string[]): string {
  const name = nearest(word, names)
  return name === undefined ? '' : `did you mean "${name}"? `
}

export function environmentOf(args: CommandArguments): Environment {
  const environment = args.flags['env'] ?? 'test'
  if (environment !== 'live' && environment !== 'test') throw new UsageError('--env must be live or test')
  return environment
}

/** Replaces the `not_found` of a use case by a message that names what is missing. */
export const explainMissing = <T>(work: Promise<T>, missing: string): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'not_found'
      ? new CommandError(missing, 'not_found')
      : error
  })

interface Bounds {
  name: string
  usual: number
  least: number
  most: number
}

/** The value of an option, checked. */
export function wholeNumber(text: string | undefined, { name, usual, least, most }: Bounds): number {
  if (text === undefined) return Math.min(usual, most)
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`)
}

/** Formats rows as aligned columns. */
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
