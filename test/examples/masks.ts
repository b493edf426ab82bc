// Makes recorded calls comparable: another recording of the same shop gives the same text.

import { minuteMs } from '../../src/base/clock.ts'
import type { RecordedCall } from '../../src/http/openapi.ts'

/** The instant at which every recording seems to begin. */
const shownStart = Date.parse('2026-11-02T09:00:00.000Z')
const keptItems = 2

export interface MaskOptions {
  url: string
  /** When the recording began, by the clock of the shop. */
  startMs: number
}

export function masked(calls: Map<string, RecordedCall>, options: MaskOptions): Record<string, RecordedCall> {
  const ids = new Map<string, string>()
  const text = (value: string, key: string): string => {
    const secret = secretOf(value, key)
    if (secret !== undefined) return secret
    return value
      .replaceAll(options.url, 'https://origin.invalid')
      .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:3000')
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => {
        if (!ids.has(id)) ids.set(id, `0192f0c1-6a53-7a53-9d1a-${String(ids.size + 1).padStart(12, '0')}`)
        return ids.get(id)!
      })
      .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (instant) => shifted(instant, options.startMs))
  }
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return text(value, key)
    if (Array.isArray(value)) return value.slice(0, keptItems).map((it) => walk(it, key))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, walk(it, name)]))
  }
  const names = [...calls.keys()].toSorted()
  return Object.fromEntries(names.map((name) => [name, walk(calls.get(name), name) as RecordedCall]))
}

/** Moves instants near the recording to its shown start, in whole ten minutes: the recording takes less. */
function shifted(instant: string, startMs: number): string {
  const ms = Date.parse(instant)
  const moved = Math.round((ms - startMs) / (10 * minuteMs)) * 10 * minuteMs + shownStart
  return ms % minuteMs === 0 && Math.abs(ms - startMs) > 90 * 24 * 60 * minuteMs
    ? instant
    : new Date(moved).toISOString()
}

/** Credentials keep their prefix and length. */
function secretOf(value: string, key: string): string | undefined {
  const [, prefix] = /^(ak_(?:test|live)_|at_test_|rt_test_|whsec_|cs_(?:test|live)_)/.exec(value) ?? []
  if (prefix) return prefix + 'x'.repeat(Math.min(32, value.length - prefix.length))
  if (/^(inv|mpr)_/.test(value)) return value.slice(0, 4) + 'x'.repeat(value.length - 4)
  return /(^|_)(token|secret|checksum|csrf_token)$/i.test(key) && /^[\w.=-]{20,}$/.test(value)
    ? 'x'.repeat(Math.min(32, value.length))
    : undefined
}
