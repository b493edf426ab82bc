// What an authenticator application does.

import { codeAt, stepOf } from '../../src/identity/members/two-step/totp.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of now, or of some steps of thirty seconds before or after. */
export function totpNow(secret: string, offset = 0): string {
  const bits = [...secret].map((it) => letters.indexOf(it).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((it) => Number.parseInt(it, 2)))
  return codeAt(bytes, stepOf(new Date()) + offset)
}
