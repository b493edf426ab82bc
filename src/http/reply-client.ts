// Which client a reply is about, so that an erasure finds the stored replies with personal data of the client.

import type { Principal } from './route.ts'

/** What a write received and replied. */
export interface AnsweredWrite {
  principal: Principal | null
  params: unknown
  query: unknown
  body: unknown
  data: unknown
}

/** Names that all calls use for a client. Applications have a `client_id` too, which is no number. */
const names = ['customer_id', 'client_id', 'ClientId', 'RequesterId'] as const

/**
 * The reply itself names its client best: after a merge it shows the remaining one. Staff name the client in the request;
 * a client's own calls need not.
 */
export function clientOf({ principal, params, query, body, data }: AnsweredWrite): number | null {
  const actor = principal?.actor
  return (
    clientIn(data) ??
    nestedClientIn(data) ??
    clientIn(body) ??
    clientIn(query) ??
    clientIn(params) ??
    (actor?.kind === 'client' ? actor.clientId : null)
  )
}

/** A reply wraps its record: `{"order": {…}}`. */
function nestedClientIn(data: unknown): number | null {
  for (const [name, value] of Object.entries(fieldsOf(data))) {
    const found = name === 'client' ? numberOf(fieldsOf(value)['id']) : clientIn(value)
    if (found !== null) return found
  }
  return null
}

function clientIn(value: unknown): number | null {
  const fields = fieldsOf(value)
  for (const name of names) {
    const found = numberOf(fields[name])
    if (found !== null) return found
  }
  return null
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function numberOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^[1-9][0-9]*$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(id) ? (id as number) : null
}
