// The period of figures by day: `from` and `to` in a query, both included.

import { Type } from 'typebox'
import { dayMs } from '../base/clock.ts'
import { refuse } from '../base/refusal.ts'
import { text } from './schema.ts'

export const maxPeriodDays = 400
const defaultDays = 30
const example = '2026-11-15'

const day = (description: string) =>
  text({ max: 10, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: [example] })

export const periodQuery = {
  from: Type.Optional(day(`The first day; by default ${defaultDays} days before \`to\`.`)),
  to: Type.Optional(day('The last day; today by default.')),
}

export const periodReply = {
  from: Type.String({ examples: ['2026-10-17'] }),
  to: Type.String({ examples: [example] }),
}

export const dayReply = Type.String({ examples: [example] })

export interface DayPeriod {
  from: string
  to: string
}

/** The requested period; refuses days that do not exist, a start after the end, and more than `maxPeriodDays` days. */
export function periodOf(query: Partial<DayPeriod>, today: string): DayPeriod {
  const to = dateOf(query.to ?? today, 'to')
  const from = query.from === undefined ? daysBefore(to, defaultDays - 1) : dateOf(query.from, 'from')
  if (from > to) throw wrong('from', 'maximum', textOf(to))
  const earliest = daysBefore(to, maxPeriodDays - 1)
  if (from < earliest) throw wrong('from', 'minimum', textOf(earliest))
  return { from: textOf(from), to: textOf(to) }
}

/** Every day of a period. */
export function daysOf({ from, to }: DayPeriod): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) days.push(textOf(new Date(at)))
  return days
}

const daysBefore = (date: Date, days: number): Date => new Date(date.getTime() - days * dayMs)

const textOf = (date: Date): string => date.toISOString().slice(0, 10)

/** The pattern accepts February 31st. */
function dateOf(sent: string, path: string): Date {
  const date = new Date(`${sent}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || textOf(date) !== sent) throw wrong(path, 'format', example)
  return date
}

const wrong = (path: string, rule: string, limit: string) =>
  refuse('validation_failed', { fields: [{ path, rule, limit }] })
