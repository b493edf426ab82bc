// Structured log: one JSON object per line, written in batches. Secrets are masked here, in one place.

import { appendFileSync, mkdirSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from './clock.ts'
import { lineForPeople } from './log-lines.ts'

type Fields = Record<string, unknown>
export const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type Level = (typeof levels)[number]

export interface Log {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  /** One line per request: the hot path. Only `client` holds foreign text and is masked. */
  request(fields: RequestFields): void
  /** Writes buffered lines. */
  flush(): void
}

export interface RequestFields {
  requestId: string
  traceId?: string | undefined
  method: string
  route: string
  status: number
  ms: number
  environment: string
  caller: string | undefined
  /** The caller's description of itself: the only field with foreign text. */
  client: string | undefined
}

const bufferMs = 20
const maxBufferedBytes = 64 * 1024

export interface LogOptions {
  level: Level
  clock: Clock
  fd?: number
  /** Short lines for a terminal instead of JSON. */
  terminal?: {
    isColoured: boolean
    /** The lowest level that the terminal shows. Requests are shown in any case. */
    level: Level
  }
  /** A file that gets every line as JSON. */
  file?: LogFile
}

interface LogFile {
  path: string
  /** One process renames a file that is too large; the others follow. */
  rotates: boolean
  maxBytes?: number
}

/** The log file of a data directory. */
export const logFileOf = (dataDir: string): string => join(dataDir, 'logs', 'bozor.log')

const maxFileBytes = 10 * 1024 * 1024

/** A log to a file descriptor and a file. Lines are buffered briefly, because a write per request is expensive. */
export function openLog(options: LogOptions): Log {
  const { terminal, file } = options
  const threshold = levels.indexOf(options.level)
  const fd = options.fd ?? 2
  const buffered = { shown: '', kept: '' }
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const { shown, kept } = buffered
    buffered.shown = buffered.kept = ''
    if (shown) writeAll(fd, shown)
    if (kept && file) appendTo(file, kept)
  }
  /** Without a terminal, the same JSON line goes to both. */
  const buffer = (json: string, shown = `${json}\n`) => {
    buffered.shown += shown
    if (file) buffered.kept += `${json}\n`
    if (buffered.shown.length + buffered.kept.length > maxBufferedBytes) flush()
    else timer ??= setTimeout(flush, bufferMs).unref()
  }
  const write = (level: Level, message: string, fields: Fields = {}) => {
    if (levels.indexOf(level) < threshold) return
    const record = { time: options.clock.now().toISOString(), level, message, ...fields }
    const json = maskSecrets(JSON.stringify(record, plainErrors))
    if (!terminal) buffer(json)
    else if (levels.indexOf(level) < levels.indexOf(terminal.level)) buffer(json, '')
    else buffer(json, `${maskSecrets(lineForPeople(record, terminal.isColoured))}\n`)
    if (level === 'error') flush()
  }
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    request: (it) => {
      if (threshold > levels.indexOf('info')) return
      const time = options.clock.now().toISOString()
      const caller = it.caller === undefined ? '' : `,"caller":"${it.caller}"`
      const trace = it.traceId === undefined ? '' : `,"trace_id":"${it.traceId}"`
      const client = it.client === undefined ? '' : `,"client":${maskSecrets(JSON.stringify(it.client))}`
      const json = `{"time":"${time}","level":"info","message":"request","request_id":"${it.requestId}","method":"${it.method}","route":"${it.route}","status":${it.status},"ms":${it.ms.toFixed(2)},"environment":"${it.environment}"${trace}${caller}${client}}`
      if (!terminal) return buffer(json)
      buffer(
        json,
        `${lineForPeople({ time, level: 'info', message: 'request', ...it }, terminal.isColoured)}\n`,
      )
    },
    flush,
  }
}

/** A log that writes nothing, for tests and for commands that print their own output. */
export const silentLog = (): Log => ({
  debug() {},
  info() {},
  warn() {},
  error() {},
  request() {},
  flush() {},
})

const secretWords = /\b((?:ak|sk|at|rt|ac|bs|gs)_(?:test|live)_|Bearer )[A-Za-z0-9._~+/-]{4,}=*/g
const secretFields =
  /"((?:[a-z_]*(?:password|secret|token|authorization|cookie|api_key|user_id|guest_session_id)|phone|email|auth_id|buyer|SessionId))":(?:"(?:[^"\\]|\\.)*"|\d+)/gi

/** Contact data anywhere in a line: errors of mail servers repeat the address they reject. */
const mailAddress = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,63}/gu
const telephone = /\+[1-9]\d{8,14}\b/g

/** The line with credentials, e-mail addresses and phone numbers replaced. */
export const maskSecrets = (line: string): string =>
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
    // A closed or full pipe must not end the process.
  }
}

/** Opened by path for every batch, so that all processes follow a rotation. One previous file is kept. */
function appendTo({ path, rotates, maxBytes = maxFileBytes }: LogFile, text: string): void {
  try {
    if (rotates && sizeOf(path) > maxBytes) renameSync(path, `${path}.1`)
    mkdirSync(dirname(path), { recursive: true })
    appendFileSync(path, text, { mode: 0o600 })
  } catch {
    // A full disk must not end the process; the lines are also written to stderr.
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
