// Verification of received webhooks, by Standard Webhooks 1.0.

import type { Event } from './schema.ts'

export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
}

const toleranceSeconds = 300

/**
 * Checks signature and time of a received webhook and returns its event. `body` is the text exactly as received.
 * Throws `WebhookSignatureError` when the request is not from the shop or is too old.
 */
export async function verifyWebhook(
  body: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string | string[],
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookSignatureError('the webhook is older or newer than five minutes')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const candidate of [secret].flat())
    for (const signature of signatures)
      if (await matches(signed, signature, candidate)) return JSON.parse(body) as Event
  throw new WebhookSignatureError('no signature of the webhook matches the secret')
}

async function matches(signed: Uint8Array<ArrayBuffer>, signature: string, secret: string): Promise<boolean> {
  const [version, encoded = ''] = signature.split(',')
  if (version !== 'v1') return false
  try {
    const key = await crypto.subtle.importKey(
      'raw',
      bytesOf(secret.replace(/^whsec_/, '')),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    )
    return await crypto.subtle.verify('HMAC', key, bytesOf(encoded), signed)
  } catch {
    return false
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

function headerOf(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([it]) => it.toLowerCase() === name)?.[1]
  if (!value) throw new WebhookSignatureError(`the header ${name} is missing`)
  return [value].flat()[0]!
}
