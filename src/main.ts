// The only file that reads the environment. It hands the world to a command, and turns its end into an exit code.

import { readFileSync } from 'node:fs'
import { systemClock } from './base/clock.ts'
import { ConfigError, readConfig } from './base/config.ts'
import { openLog } from './base/log.ts'
import {
  DataDirectoryInUse,
  DataDirectoryUnusable,
  EmbeddedPostgresUnavailable,
} from './base/postgres/embedded.ts'
import { Refusal } from './base/refusal.ts'
import { isRefusalCode, refusals } from './http/refusals.ts'
import { commands, helpText } from './cli/index.ts'
import { givenOf, UsageError, type World } from './cli/command.ts'

/** Mistakes of a person or a machine, told in a sentence; anything else is a bug and shows where it was. */
const expected = [
  UsageError,
  ConfigError,
  DataDirectoryInUse,
  DataDirectoryUnusable,
  EmbeddedPostgresUnavailable,
]

const [name = 'help', ...args] = process.argv.slice(2)

process.exitCode = await run().catch((error: unknown) => {
  process.stderr.write(`bozor: ${explained(error)}\n`)
  return 1
})

async function run(): Promise<number> {
  const command = commands.find((it) => it.name === name)
  const wantsHelp = ['help', '--help', '-h'].includes(name)
  if (!command && !wantsHelp) throw new UsageError(`there is no command "${name}"; "help" lists them`)
  if (!command || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpText(command ? name : args[0]))
    return 0
  }
  const world = theWorld(command.name)
  try {
    return await command.run(world, givenOf(command, args))
  } finally {
    world.log.flush()
  }
}

function theWorld(command: string): World {
  const config = readConfig(process.env)
  const level = command === 'start' || process.env['LOG_LEVEL'] ? config.logLevel : 'error'
  const log = openLog({ level, clock: systemClock(), forPeople: process.stderr.isTTY })
  // A defect is told and survived: every call stands alone, and the next one may well be good.
  process.on('uncaughtException', (error) => log.error('a defect: nobody caught an error', { error }))
  process.on('unhandledRejection', (error) => log.error('a defect: nobody caught a rejection', { error }))
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const tell = (text: string) => void process.stderr.write(`${text}\n`)
  return {
    config,
    log,
    version,
    inherited: process.env['BOZOR_INHERITED'],
    print,
    tell,
    progress: showProgress,
    input: () => process.stdin,
    output: () => process.stdout,
  }
}

/** On one line that is written over; where nobody looks on, nothing. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

function explained(error: unknown): string {
  if (error instanceof Refusal && isRefusalCode(error.code))
    return `${refusals[error.code].en} (${error.code} ${JSON.stringify(error.details)})`
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message
  return (error as Error).stack ?? String(error)
}
