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
  /** One line for one call, the only line that is written all day. Its fields are ours, so nothing needs masking. */
  call(fields: CallFields): void
  /** Writes what is still held back. */
  flush(): void
}

export interface CallFields {
  requestId: string
  method: string
  route: string
  status: number
  ms: number
  environment: string
  caller: string | undefined
  /** What the caller says of itself: the one field that may hold anything. */
  client: string | undefined
}

const holdBackMs = 20
const maxHeldBytes = 64 * 1024

/** A log to a file descriptor. Lines are held back a moment, because a write per request costs more than it tells. */
export function openLog(options: { level: Level; clock: Clock; fd?: number; forPeople?: boolean }): Log {
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
  const hold = (line: string) => {
    held += line
    if (held.length > maxHeldBytes) flush()
    else timer ??= setTimeout(flush, holdBackMs).unref()
  }
  const write = (level: Level, message: string, fields: Fields = {}) => {
    if (levels.indexOf(level) < threshold) return
    const time = options.clock.now().toISOString()
    const line = options.forPeople
      ? `${time.slice(11, 19)} ${level.padEnd(5)} ${message} ${spoken(fields)}`
      : JSON.stringify({ time, level, message, ...fields }, plainErrors)
    hold(masked(line) + '\n')
    if (level === 'error') flush()
  }
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    call: (it) => {
      if (threshold > levels.indexOf('info')) return
      const time = options.clock.now().toISOString()
      if (options.forPeople)
        return hold(
          `${time.slice(11, 19)} ${it.status} ${it.method.padEnd(6)} ${it.route}  ${it.ms.toFixed(1)} ms  ${it.environment}\n`,
        )
      const caller = it.caller === undefined ? '' : `,"caller":"${it.caller}"`
      const client = it.client === undefined ? '' : `,"client":${masked(JSON.stringify(it.client))}`
      hold(
        `{"time":"${time}","level":"info","message":"call","request_id":"${it.requestId}","method":"${it.method}","route":"${it.route}","status":${it.status},"ms":${it.ms.toFixed(2)},"environment":"${it.environment}"${caller}${client}}\n`,
      )
    },
    flush,
  }
}

const spoken = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => (value instanceof Error ? value.stack : `${name}=${JSON.stringify(value)}`))
    .join(' ')

/** A log that says nothing, for tests and for commands that print their own words. */
export const silentLog = (): Log => ({ debug() {}, info() {}, warn() {}, error() {}, call() {}, flush() {} })

const secretWords = /\b((?:ak|sk|at|rt|ac|bs|gs)_(?:test|live)_|Bearer )[A-Za-z0-9._~+/-]{4,}=*/g
const secretFields =
  /"((?:[a-z_]*(?:password|secret|token|authorization|cookie|api_key|user_id|guest_session_id)|phone|email|auth_id|buyer|SessionId))":(?:"(?:[^"\\]|\\.)*"|\d+)/gi

/** How people are reached, wherever it stands: errors of mail servers repeat the address that they refuse. */
const mailAddress = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,63}/gu
const telephone = /\+[1-9]\d{8,14}\b/g

/** The line with every credential, address and personal number replaced by its kind. */
export const masked = (line: string): string =>
  line
    .replace(secretFields, '"$1":"***"')
    .replace(secretWords, '$1***')
    .replace(mailAddress, '***@***')
    .replace(telephone, '+***')

const plainErrors = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value

function writeAll(fd: number, text: string): void {
  try {
    writeSync(fd, text)
  } catch {
    // A reader that went away or a full pipe must not take the shop down with it.
  }
}
