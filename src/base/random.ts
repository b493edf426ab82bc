// The only source of randomness.

import { createHash, hash, randomBytes, randomUUID } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An unguessable UUID. */
export const secretUuid = (): string => randomUUID()

/** A UUID that sorts by its time (version 7), so that indexes grow at one end. */
export function timedUuid(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** A lower bound of all `timedUuid` values made at this instant or later. */
export function firstUuidAt(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** The instant in a UUID of `timedUuid`; undefined for other UUIDs. */
export const instantOfUuid = (uuid: string): Date | undefined =>
  uuid[14] === '7' ? new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)) : undefined

/** Unguessable bytes. */
export const secretBytes = (count: number): Buffer => randomBytes(count)

/** Random base62 characters, uniformly distributed: bytes that would bias them are rejected. */
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

/** A random number between 0 and 1 for spreading retries. Replies must not depend on it. */
export const jitter = (): number => randomBytes(4).readUInt32BE() / 2 ** 32

export const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')

/** The hash of parts one after another, without joining them. */
export function sha256OfParts(parts: Iterable<Buffer>): Buffer {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}
