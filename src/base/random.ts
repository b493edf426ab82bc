// The only file that asks the machine for randomness.

import { createHash, randomBytes, randomFillSync, randomUUID } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A UUID that nobody can guess. */
export const secretUuid = (): string => randomUUID()

/** A UUID that sorts by the instant it was made at (version 7), so that indexes grow at one end. */
export function timedUuid(now: Date): string {
  const bytes = randomFillSync(Buffer.allocUnsafe(16))
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Random base62 characters, each equally likely: bytes that would favour some are thrown away. */
export function secretText(length: number): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += base62[byte % 62]
  return text
}

/** A number below 2^32 or so in base62, padded to a fixed width. */
export function asBase62(value: number, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62)) text = base62[rest % 62]! + text
  return text
}

/** Between 0 and 1, for spreading retries. Nothing that a buyer sees may depend on it. */
export const jitter = (): number => randomBytes(4).readUInt32BE() / 2 ** 32

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
