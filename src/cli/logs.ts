// The log of the server, from the file that it keeps in the data directory.

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { type Level, levels, logFileOf } from '../base/log.ts'
import { lineForPeople, type LogRecord } from '../base/log-lines.ts'
import { type Command, type CommandContext, CommandError, UsageError } from './command.ts'
import { whenStopped } from './when-stopped.ts'

const defaultLines = 100
const maxLines = 100_000
const chunkBytes = 64 * 1024
const pollMs = 250

export const logsCommand: Command = {
  usage: '[--follow] [--lines N] [--level LEVEL] [--json]',
  help: `Shows the latest lines of the log that the server keeps in DATA_DIR/logs.

  --follow       continue with new lines until Ctrl-C
  --lines N      how many lines (default ${defaultLines})
  --level LEVEL  debug, info, warn or error: lines of this level and above
  --json         print the stored JSON lines, with stack traces`,
  options: {
    follow: { type: 'boolean' },
    lines: { type: 'string' },
    level: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, { flags }) {
    const path = logFileOf(context.config.dataDir)
    if (!existsSync(path) && !flags['follow'])
      throw new CommandError(`there is no log yet (${path}); it is written when the server runs`, 'not_found')
    const show = shower(context, { level: levelIn(flags['level']), isJson: flags['json'] === true })
    const file = new GrowingFile(path)
    const shown = [...linesOf(`${path}.1`), ...file.newLines()].filter((it) => show.isWanted(it))
    for (const line of shown.slice(-linesIn(flags['lines']))) show.print(line)
    if (flags['follow']) await follow(context, file, show)
    return 0
  },
}

interface Shower {
  isWanted(line: string): boolean
  print(line: string): void
}

function shower(context: CommandContext, options: { level: Level; isJson: boolean }): Shower {
  const threshold = levels.indexOf(options.level)
  return {
    isWanted: (line) => levels.indexOf((recordOf(line)?.level ?? 'error') as Level) >= threshold,
    print: (line) => {
      const record = recordOf(line)
      context.print(options.isJson || !record ? line : lineForPeople(record, context.isColoured))
    },
  }
}

async function follow(context: CommandContext, file: GrowingFile, show: Shower): Promise<void> {
  const timer = setInterval(() => {
    for (const line of file.newLines()) if (show.isWanted(line)) show.print(line)
  }, pollMs)
  await whenStopped(context)
  clearInterval(timer)
}

/** A file that others append to and rotate. */
class GrowingFile {
  readonly #path: string
  #offset = 0
  #file = -1
  #rest = ''

  constructor(path: string) {
    this.#path = path
  }

  /** The complete lines that were added since the last call. */
  newLines(): string[] {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    if (!stat) return []
    if (stat.ino !== this.#file || stat.size < this.#offset) {
      this.#file = stat.ino
      this.#offset = 0
    }
    const text = this.#rest + this.#read()
    const lines = text.split('\n')
    this.#rest = lines.pop()!
    return lines
  }

  #read(): string {
    const fd = openSync(this.#path, 'r')
    const parts: Buffer[] = []
    try {
      for (let count = chunkBytes; count === chunkBytes; this.#offset += count) {
        const chunk = Buffer.alloc(chunkBytes)
        count = readSync(fd, chunk, 0, chunkBytes, this.#offset)
        parts.push(chunk.subarray(0, count))
      }
    } finally {
      closeSync(fd)
    }
    return Buffer.concat(parts).toString()
  }
}

const linesOf = (path: string): string[] => new GrowingFile(path).newLines()

function recordOf(line: string): LogRecord | undefined {
  try {
    return JSON.parse(line) as LogRecord
  } catch {
    return undefined
  }
}

function levelIn(text: unknown): Level {
  const level = levels.find((it) => it === (text ?? 'debug'))
  if (!level) throw new UsageError(`--level must be one of ${levels.join(', ')}`)
  return level
}

function linesIn(text: unknown): number {
  const lines = Number(text ?? defaultLines)
  if (!Number.isInteger(lines) || lines < 1 || lines > maxLines)
    throw new UsageError(`--lines must be a whole number from 1 to ${maxLines}`)
  return lines
}
