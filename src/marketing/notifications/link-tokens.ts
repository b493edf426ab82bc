// Signed tokens in the links of messages. They name a record but not its recipient, cannot be forged, and are short because
// every link carries one.

import { timingSafeEqual } from 'node:crypto'
import type { Environment } from '../../base/database.ts'
import type { Vault } from '../../base/vault.ts'

/** A link of a message by its number; 0 is the tracking pixel. */
export interface TrackedLink {
  environment: Environment
  notificationId: string
  link: number
}

export const maxLinks = 255

const trackingPurpose = 'notification-trace'

export const trackingToken = (vault: Vault, { environment, notificationId, link }: TrackedLink): string =>
  createToken(vault, trackingPurpose, { environment, id: notificationId, number: link })

export function readTrackingToken(vault: Vault, token: string): TrackedLink | undefined {
  const content = readToken(vault, trackingPurpose, token)
  return content && { environment: content.environment, notificationId: content.id, link: content.number }
}

/** Consents are never deleted, so the link works as long as SECRET_KEY stays. */
export interface UnsubscribeLink {
  environment: Environment
  consentId: string
}

const unsubscribePurpose = 'unsubscribe'

export const unsubscribeToken = (vault: Vault, { environment, consentId }: UnsubscribeLink): string =>
  createToken(vault, unsubscribePurpose, { environment, id: consentId, number: 0 })

export function readUnsubscribeToken(vault: Vault, token: string): UnsubscribeLink | undefined {
  const content = readToken(vault, unsubscribePurpose, token)
  return content && { environment: content.environment, consentId: content.id }
}

interface TokenContent {
  environment: Environment
  /** A UUID. */
  id: string
  /** Below 256. */
  number: number
}

const bodyBytes = 2 + 16
const signatureBytes = 16

function createToken(vault: Vault, purpose: string, { environment, id, number }: TokenContent): string {
  const head = Buffer.from([environment === 'live' ? 0 : 1, number])
  const body = Buffer.concat([head, Buffer.from(id.replaceAll('-', ''), 'hex')])
  return Buffer.concat([body, signatureOf(vault, purpose, body)]).toString('base64url')
}

function readToken(vault: Vault, purpose: string, token: string): TokenContent | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const [body, signature] = [bytes.subarray(0, bodyBytes), bytes.subarray(bodyBytes)]
  if (signature.length !== signatureBytes || !timingSafeEqual(signature, signatureOf(vault, purpose, body)))
    return undefined
  const id = body
    .subarray(2)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { environment: body[0] === 0 ? 'live' : 'test', id, number: body[1]! }
}

const signatureOf = (vault: Vault, purpose: string, body: Buffer): Buffer =>
  vault.sign(body, purpose).subarray(0, signatureBytes)
