// Codes that change every thirty seconds (RFC 6238), as authenticator applications show them, and recovery codes.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { secretBytes, secretText, sha256 } from '../../../base/random.ts'

const stepMs = 30_000
const digits = 6
/** The clock of a telephone may differ by one step. */
const toleratedSteps = 1
const secretLength = 20
const recoveryCodeCount = 10
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const codeForm = /^\d{6}$/
export const newSecret = (): Buffer => secretBytes(secretLength)

/** The secret as people type it (RFC 4648, without padding). */
export function secretTextOf(secret: Buffer): string {
  const bits = [...secret].map((it) => it.toString(2).padStart(8, '0')).join('')
  return bits
    .match(/.{5}/g)!
    .map((it) => base32[Number.parseInt(it, 2)])
    .join('')
}

/** The address that an authenticator application reads from a QR code. */
export const secretUri = (secret: Buffer, { email, issuer }: { email: string; issuer: string }): string =>
  `otpauth://totp/${encodeURIComponent(`${issuer}:${email}`)}?secret=${secretTextOf(secret)}&issuer=${encodeURIComponent(issuer)}`

/** The code of a time step (RFC 4226). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export const stepOf = (now: Date): number => Math.floor(now.getTime() / stepMs)

/** The time step of a valid code; undefined for a wrong code and for one that is not newer than `lastStep`. */
export function acceptedStep(
  secret: Buffer,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | undefined {
  if (!codeForm.test(code)) return undefined
  const current = stepOf(now)
  let found: number | undefined
  for (let step = current - toleratedSteps; step <= current + toleratedSteps; step++)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)) && step > lastStep) found = step
  return found
}

/** Codes for the day when the telephone is lost, such as `k3f9x-2mw7p`. Each works once. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => secretText(10).toLowerCase().replace(/.{5}/, '$&-'))

/** Ten characters of 36 are too many to guess, so a plain hash is enough. */
export const recoveryHash = (code: string): Buffer => sha256(code.toLowerCase().replaceAll(/[\s-]/g, ''))
