// Formats of API keys and client secrets. The checksum of a key distinguishes a mistyped key from an unknown one
// without a database lookup.

import { crc32 } from 'node:zlib'
import type { Environment } from '../../base/database.ts'
import { asBase62, secretText, sha256 } from '../../base/random.ts'
import type { Scope } from '../../http/scopes.ts'
import type { ApplicationType } from './application.ts'

export interface ApiKey {
  id: string
  applicationId: string
  name: string
  /** The start and end of the key, so that people can identify it. */
  hint: string
  scopes: Scope[]
  rateLimit: string | null
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  replaces: string | null
}

const randomLength = 32
const checksumLength = 6
const keyForm = /^ak_(live|test)_[0-9A-Za-z]{38}$/

/** Recommended rotation period (SPEC-1 5.1). */
export const rotateAfterDays = 90

/** Creates a key. Only its hash is stored. */
export function newKey(environment: Environment): { key: string; hash: Buffer; hint: string } {
  const body = `ak_${environment}_${secretText(randomLength)}`
  const key = body + checksum(body)
  return { key, hash: sha256(key), hint: `ak_${environment}_…${key.slice(-4)}` }
}

/** The environment of a well-formed key; undefined when the format or the checksum is wrong. */
export function environmentOfKey(key: string): Environment | undefined {
  const environment = keyForm.exec(key)?.[1] as Environment | undefined
  const body = key.slice(0, -checksumLength)
  return environment && checksum(body) === key.slice(-checksumLength) ? environment : undefined
}

const checksum = (body: string): string => asBase62(crc32(body), checksumLength)

export interface ClientSecret {
  id: string
  applicationId: string
  /** The start and end of the secret, so that people can identify it. */
  hint: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
}

/** Mobile applications cannot keep a secret. */
export const keepsSecret = (type: ApplicationType): boolean => type !== 'mobile'

/** Creates a secret. Only its hash is stored. */
export function newSecret(environment: Environment): {
  id: string
  secret: string
  hash: Buffer
  hint: string
} {
  const secret = `sk_${environment}_${secretText(40)}`
  return {
    id: `sec_${secretText(20)}`,
    secret,
    hash: sha256(secret),
    hint: `sk_${environment}_…${secret.slice(-4)}`,
  }
}

export const isSecretWorking = ({ expiresAt, revokedAt }: ClientSecret, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)
