// An answer that only the bearer of a refresh token can read: we keep the token's hash alone, and the key is made of
// the token itself.

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { secretBytes } from '../../base/random.ts'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export function sealed(answer: object, token: string): Buffer {
  const iv = secretBytes(ivBytes)
  const sealing = createCipheriv(cipher, keyOf(token), iv)
  const text = Buffer.concat([sealing.update(JSON.stringify(answer)), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), text])
}

/** What was sealed with this very token. */
export function unsealed<T>(answer: Buffer, token: string): T {
  const opening = createDecipheriv(cipher, keyOf(token), answer.subarray(0, ivBytes))
  opening.setAuthTag(answer.subarray(ivBytes, ivBytes + tagBytes))
  const text = Buffer.concat([opening.update(answer.subarray(ivBytes + tagBytes)), opening.final()])
  return JSON.parse(text.toString()) as T
}

const keyOf = (token: string): Buffer => Buffer.from(hkdfSync('sha256', token, '', 'answer to a refresh', 32))
