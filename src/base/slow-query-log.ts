import { elapsedMs } from './clock.ts'
import type { Environment, SlowQueries } from './database.ts'
import type { Log } from './log.ts'

const maxShownSql = 500
const maxLinesPerMinute = 10

/**
 * Logs slow statements. Their text has placeholders instead of values, so it holds no personal data.
 * On a busy machine everything is slow: a statement is logged once a minute, and only a few of them.
 */
export function slowQueryLog(options: {
  /** 0: none are logged. */
  fromMs: number
  log: Pick<Log, 'warn'>
  environment: Environment
  elapsed?: () => number
}): SlowQueries {
  const { log, environment, elapsed = elapsedMs } = options
  const logged = new Set<string>()
  let minute = 0
  let skipped = 0
  const report = (sql: string, ms: number) => {
    const now = Math.floor(elapsed() / 60_000)
    if (now !== minute) logged.clear()
    minute = now
    if (logged.has(sql) || logged.size >= maxLinesPerMinute) {
      skipped++
      return
    }
    logged.add(sql)
    const text = sql.replace(/\s+/g, ' ').trim().slice(0, maxShownSql)
    log.warn('slow query', { environment, ms: Math.round(ms), sql: text, ...(skipped > 0 && { skipped }) })
    skipped = 0
  }
  return { fromMs: options.fromMs || Infinity, report }
}
