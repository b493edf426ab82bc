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

const form = new RegExp(pattern)

export const isInstant = (sent: string): boolean => meant(sent) !== undefined

/** The instant that a text means. */
export function instantOf(sent: string, path: string): Date {
  const instant = meant(sent)
  if (!instant)
    throw refuse('validation_failed', { fields: [{ path, rule: 'format', limit: instantExample }] })
  return instant
}

/** The pattern lets the 31st of February pass, the calendar does not. */
function meant(sent: string): Date | undefined {
  if (!form.test(sent)) return undefined
  const instant = new Date(sent)
  return instant.getUTCDate() === Number(sent.slice(8, 10)) ? instant : undefined
}
