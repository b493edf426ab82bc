// What stands in links of messages: which record is meant, under our mark. Nobody can make one up or change one, and none
// says to whom it was sent. They are short, because they stand in every link.

import { timingSafeEqual } from 'node:crypto'
import type { Environment } from '../../base/db.ts'
import type { Vault } from '../../base/vault.ts'

/** A link that was followed, or the picture that shows that a mail was opened: link 0. */
export interface Trace {
  environment: Environment
  notificationId: string
  link: number
}

export const mostLinks = 255

const tracePurpose = 'notification-trace'

export const traceToken = (vault: Vault, { environment, notificationId, link }: Trace): string =>
  tokenOf(vault, tracePurpose, { environment, id: notificationId, number: link })

export function traceOf(vault: Vault, token: string): Trace | undefined {
  const meant = meaningOf(vault, tracePurpose, token)
  return meant && { environment: meant.environment, notificationId: meant.id, link: meant.number }
}

/** Who wants no more of what: a consent is kept for ever, so the link works as long as our key does. */
export interface Farewell {
  environment: Environment
  consentId: string
}

const farewellPurpose = 'unsubscribe'

export const farewellToken = (vault: Vault, { environment, consentId }: Farewell): string =>
  tokenOf(vault, farewellPurpose, { environment, id: consentId, number: 0 })

export function farewellOf(vault: Vault, token: string): Farewell | undefined {
  const meant = meaningOf(vault, farewellPurpose, token)
  return meant && { environment: meant.environment, consentId: meant.id }
}

interface Meaning {
  environment: Environment
  /** A UUID. */
  id: string
  /** Below 256. */
  number: number
}

const bodyBytes = 2 + 16
const markBytes = 16

function tokenOf(vault: Vault, purpose: string, { environment, id, number }: Meaning): string {
  const head = Buffer.from([environment === 'live' ? 0 : 1, number])
  const body = Buffer.concat([head, Buffer.from(id.replaceAll('-', ''), 'hex')])
  return Buffer.concat([body, markOf(vault, purpose, body)]).toString('base64url')
}

function meaningOf(vault: Vault, purpose: string, token: string): Meaning | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const [body, mark] = [bytes.subarray(0, bodyBytes), bytes.subarray(bodyBytes)]
  if (mark.length !== markBytes || !timingSafeEqual(mark, markOf(vault, purpose, body))) return undefined
  const id = body
    .subarray(2)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { environment: body[0] === 0 ? 'live' : 'test', id, number: body[1]! }
}

const markOf = (vault: Vault, purpose: string, body: Buffer): Buffer =>
  vault.sign(body, purpose).subarray(0, markBytes)
