// Standard Webhooks 1.0 signatures: they prove the sender, the time and the integrity of a message.

import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { secretBytes } from './random.ts'

const secretLength = 32

export const newSigningSecret = (): string => `whsec_${secretBytes(secretLength).toString('base64')}`

/**
 * Headers for one attempt. Every valid secret signs, the newest first, so that receivers can rotate without downtime.
 * `at` is the real time: receivers compare it with theirs and know nothing of the test clock.
 */
export function signatureHeaders(
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

/** Whether the message was signed with the secret within the last minutes. */
export function hasValidSignature(
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
