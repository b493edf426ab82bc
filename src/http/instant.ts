import { refuse } from '../base/refusal.ts'
import { text } from './schema.ts'

const pattern = '^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?Z$'

export const instantExample = '2026-12-31T18:59:59.000Z'

/** An instant in a body or a query, in UTC, from 1970 on: what is before that is a mistake. */
export const instantText = text({
  max: 40,
  pattern,
  examples: [instantExample],
})

/** The pattern lets the 31st of February pass, the calendar does not. */
export const isInstant = (sent: string): boolean =>
  new RegExp(pattern).test(sent) &&
  !Number.isNaN(Date.parse(sent)) &&
  new Date(sent).toISOString().slice(0, 10) === sent.slice(0, 10)

/** The instant that a text means. */
export function instantOf(sent: string, path: string): Date {
  if (!isInstant(sent))
    throw refuse('validation_failed', { fields: [{ path, rule: 'format', limit: instantExample }] })
  return new Date(sent)
}
