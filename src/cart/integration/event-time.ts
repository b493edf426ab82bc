// Instants in the events of external producers (RFC 3339).

import { text } from '../../http/schema.ts'

const timeForm =
  '^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$'
export const timeExample = '2026-11-01T14:00:00.000+05:00'

export const eventTime = text({ max: 40, pattern: timeForm, examples: [timeExample] })

/** The instant of a text; undefined for a day that does not exist, such as the 31st of February, which the pattern accepts. */
export function instantIn(sent: string): Date | undefined {
  const at = new Date(sent)
  const day = new RegExp(timeForm).exec(sent)![1]!
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  return isDay && !Number.isNaN(at.getTime()) && at.getTime() >= 0 ? at : undefined
}
