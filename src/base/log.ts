// One JSON object a line, written in gulps. Secrets are masked here, so that no caller has to think of it.

import { writeSync } from 'node:fs'
import type { Clock } from './clock.ts'

type Fields = Record<string, unknown>
const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type Level = (typeof levels)[number]

export interface Log {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  /** Writes what is still held back. */
  flush(): void
}

const holdBackMs = 20
const maxHeldBytes = 64 * 1024

/** A log to a file descriptor. Lines are held back a moment, because a write per request costs more than it tells. */
export function openLog(options: { level: Level; clock: Clock; fd?: number }): Log {
  const threshold = levels.indexOf(options.level)
  const fd = options.fd ?? 2
  let held = ''
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = held
    held = ''
    if (text) writeAll(fd, text)
  }
  const write = (level: Level, message: string, fields: Fields = {}) => {
    if (levels.indexOf(level) < threshold) return
    const line = JSON.stringify(
      { time: options.clock.now().toISOString(), level, message, ...fields },
      plainErrors,
    )
    held += masked(line) + '\n'
    if (level === 'error' || held.length > maxHeldBytes) flush()
    else timer ??= setTimeout(flush, holdBackMs).unref()
  }
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    flush,
  }
}

/** A log that says nothing, for tests and for commands that print their own words. */
export const silentLog = (): Log => ({ debug() {}, info() {}, warn() {}, error() {}, flush() {} })

const secretWords = /\b((?:ak|sk)_(?:test|live)_|Bearer )[A-Za-z0-9._~+/-]{4,}=*/g
const secretFields =
  /"((?:[a-z_]*(?:password|secret|token|authorization|cookie|api_key)|phone|email))":"(?:[^"\\]|\\.)*"/gi

/** The line with every credential and personal number replaced by its kind. */
export const masked = (line: string): string =>
  line.replace(secretFields, '"$1":"***"').replace(secretWords, '$1***')

const plainErrors = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value

function writeAll(fd: number, text: string): void {
  try {
    writeSync(fd, text)
  } catch {
    // A reader that went away or a full pipe must not take the shop down with it.
  }
}
