// A log line as a person reads it on a terminal: time, level, message and the fields, without stack traces.

export interface LogRecord extends Record<string, unknown> {
  time: string
  level: string
  message: string
}

type Colour = 'red' | 'yellow' | 'green' | 'dim'
const codes: Record<Colour, string> = { red: '31', yellow: '33', green: '32', dim: '2' }
const levelColours: Partial<Record<string, Colour>> = { warn: 'yellow', error: 'red', debug: 'dim' }

const escape = String.fromCharCode(27)
const paint = (text: string, colour: Colour | undefined, isColoured: boolean): string =>
  isColoured && colour ? `${escape}[${codes[colour]}m${text}${escape}[0m` : text

const clockTime = (time: string): string => time.slice(11, 19)

/** `17:12:03 warn  webhook delivery failed  attempt=2 status=500` */
export function lineForPeople(record: LogRecord, isColoured: boolean): string {
  const { time, level, message, ...fields } = record
  if (message === 'request') return requestLine(record, isColoured)
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`)
  const head = `${paint(clockTime(time), 'dim', isColoured)} ${paint(level.padEnd(5), levelColours[level], isColoured)} ${message}`
  return parts.length > 0 ? `${head}  ${paint(parts.join(' '), 'dim', isColoured)}` : head
}

const statusColour = (status: number): Colour => (status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green')

function requestLine({ time, ...it }: LogRecord, isColoured: boolean): string {
  const status = paint(String(it['status']), statusColour(Number(it['status'])), isColoured)
  const rest = `${Number(it['ms']).toFixed(0)} ms  ${String(it['environment'])}`
  return `${paint(clockTime(time), 'dim', isColoured)} ${status}   ${String(it['method']).padEnd(6)} ${String(it['route'])}  ${paint(rest, 'dim', isColoured)}`
}

/** Errors as their message: the log file has the stack. */
function valueText(value: unknown): string {
  const { message, stack } = (value ?? {}) as { message?: unknown; stack?: unknown }
  if (value instanceof Error || (typeof message === 'string' && stack !== undefined))
    return JSON.stringify(message)
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
}
