// The entry point, and the only file that reads environment variables. Runs a command and sets the exit code.

import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { systemClock } from './base/clock.ts'
import { ConfigError, readConfig } from './base/config.ts'
import { logFileOf, openLog } from './base/log.ts'
import {
  DataDirectoryInUse,
  DataDirectoryUnusable,
  EmbeddedPostgresUnavailable,
} from './base/postgres/embedded.ts'
import { BackupUnusable } from './base/backup/errors.ts'
import { DatabaseUnreachable, DatabaseUnusable } from './base/migrate.ts'
import { Refusal } from './base/refusal.ts'
import { commands, helpText } from './cli/index.ts'
import { type CommandContext, meant, parseArguments } from './cli/command.ts'
import { CommandError, type Exit, exitCodes, exitOfRefusal, UsageError } from './cli/exit-codes.ts'
import { openOutput } from './cli/output.ts'

/** Errors of the machine, printed as one sentence; anything else is a defect and prints its stack. */
const expected: [new (...args: never[]) => Error, Exit][] = [
  [ConfigError, 'usage'],
  [DataDirectoryInUse, 'failed'],
  [DataDirectoryUnusable, 'failed'],
  [EmbeddedPostgresUnavailable, 'failed'],
  [DatabaseUnreachable, 'unreachable'],
  [DatabaseUnusable, 'failed'],
  [BackupUnusable, 'failed'],
]

const diskErrors: Record<string, string> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
}

const [name = 'help', ...args] = process.argv.slice(2)
const output = openOutput()

process.exitCode = await run().catch(async (error: unknown) => {
  const { exit, code, message } = await reported(error)
  process.stderr.write(
    args.includes('--json')
      ? `${JSON.stringify({ error: { code: code ?? exit, message } })}\n`
      : `bozor: ${message}\n`,
  )
  return exitCodes[exit].code
})

async function run(): Promise<number> {
  if (['--version', '-v', 'version'].includes(name)) {
    process.stdout.write(`${version()}\n`)
    return 0
  }
  const wantsHelp = ['help', '--help', '-h'].includes(name)
  const topic = wantsHelp ? args[0] : name
  const entry = commands.find((it) => it.name === name)
  if (topic !== undefined && !commands.some((it) => it.name === topic))
    throw new UsageError(
      `there is no command "${topic}"; ${meant(
        topic,
        commands.map((it) => it.name),
      )}"help" lists the commands`,
    )
  if (!entry || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(await helpText(topic))
    return 0
  }
  const context = commandContext(name)
  try {
    const command = await entry.load()
    return await command.run(context, parseArguments(command, args))
  } finally {
    context.log.flush()
  }
}

function commandContext(command: string): CommandContext {
  const config = readConfig(process.env)
  const isServer = command === 'start'
  const chosen = process.env['LOG_LEVEL'] ? config.logLevel : undefined
  const log = openLog({
    level: chosen ?? (isServer ? config.logLevel : 'error'),
    clock: systemClock(),
    ...(process.stderr.isTTY && {
      terminal: { isColoured: isColoured(process.stderr), level: chosen ?? 'warn' },
    }),
    ...(isServer && { file: { path: logFileOf(config.dataDir), rotates: cluster.isPrimary } }),
  })
  // Defects are logged and survived: requests are independent of each other.
  process.on('uncaughtException', (error) => log.error('uncaught exception', { error }))
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
  const printStatus = (text: string) => void process.stderr.write(`${text}\n`)
  return {
    config,
    log,
    version: version(),
    inherited: process.env['BOZOR_INHERITED'],
    print: output.print,
    outputClosed: output.closed,
    printStatus,
    isColoured: isColoured(process.stdout),
    progress: showProgress,
    input: () => process.stdin,
    output: () => process.stdout,
  }
}

/** Colours are for terminals of people who did not switch them off (no-color.org). */
function isColoured(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

/** Overwrites one line of a terminal; prints nothing when stderr is not a terminal. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** How the command ends, the code of a refusal, and what to say. */
async function reported(error: unknown): Promise<{ exit: Exit; code?: string; message: string }> {
  if (error instanceof Refusal) {
    const { refusalText } = await import('./cli/refusal-text.ts')
    return { exit: exitOfRefusal(error.code), code: error.code, message: refusalText(error) }
  }
  if (error instanceof CommandError) return error
  const known = expected.find(([kind]) => error instanceof kind)
  if (known) return { exit: known[1], message: (error as Error).message }
  const { code = '', path } = error as { code?: string; path?: string }
  const message =
    code in diskErrors
      ? `${diskErrors[code]}${path ? ` (${path})` : ''}. Free some space or set DATA_DIR.`
      : ((error as Error).stack ?? String(error))
  return { exit: 'failed', message }
}
