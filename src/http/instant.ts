import { refuse } from '../base/refusal.ts'
import { text } from './schema.ts'

const pattern = '^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?Z$'

export const instantExample = '2026-12-31T18:59:59.000Z'

/** An instant in UTC, not before 1970. */
export const instantText = text({
  max: 40,
  format: 'date-time',
  pattern,
  examples: [instantExample],
})

const form = new RegExp(pattern)

export const isInstant = (sent: string): boolean => parsed(sent) !== undefined

/** Parses an instant; throws a validation error for this path if it is invalid. */
export function instantOf(sent: string, path: string): Date {
  const instant = parsed(sent)
  if (!instant)
    throw refuse('validation_failed', { fields: [{ path, rule: 'format', limit: instantExample }] })
  return instant
}

/** The pattern accepts the 31st of February, so the day is compared. */
function parsed(sent: string): Date | undefined {
  if (!form.test(sent)) return undefined
  const instant = new Date(sent)
  return instant.getUTCDate() === Number(sent.slice(8, 10)) ? instant : undefined
}
