import { refuse } from '../base/refusal.ts'
import { text } from './schema.ts'

/** An instant in a body or a query, in UTC. */
export const instantText = text({
  max: 40,
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?Z$',
  examples: ['2026-12-31T18:59:59.000Z'],
})

/** The instant that a text means; the pattern lets the 31st of February pass, the calendar does not. */
export function instantOf(sent: string, path: string): Date {
  const at = new Date(sent)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== sent.slice(0, 10))
    throw refuse('validation_failed', {
      fields: [{ path, rule: 'format', limit: '2026-12-31T18:59:59.000Z' }],
    })
  return at
}
