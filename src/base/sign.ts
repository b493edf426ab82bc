// Standard Webhooks 1.0: three headers by which a receiver knows that it was us, that it is fresh, and that it is whole.

import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { secretBytes } from './random.ts'

const secretLength = 32

export const newSecret = (): string => `whsec_${secretBytes(secretLength).toString('base64')}`

/**
 * Headers for one try. Every secret that is valid signs, the newest first, so that a receiver may change at leisure.
 * The instant is the machine's own: receivers compare it with theirs, and know nothing of our movable clock.
 */
export function signedHeaders(
  message: { id: string; body: string; at: Date },
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((it) => new Webhook(it).sign(message.id, message.at, message.body))
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Bozor-Webhooks/1.0',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

/** Whether somebody who knows the secret signed this, within the last minutes. */
export function isSigned(
  { headers, body }: { headers: IncomingHttpHeaders; body: string },
  secret: string,
): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
