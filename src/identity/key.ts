// What a key looks like. The form and a checksum tell a mistyped key from an unknown one without asking the database.

import { crc32 } from 'node:zlib'
import type { Environment } from '../base/db.ts'
import { asBase62, secretText, sha256 } from '../base/random.ts'
import type { Scope } from '../http/scopes.ts'

export interface ApiKey {
  id: string
  clientId: string
  name: string
  /** The beginning and the end of the key, so that people can tell keys apart. */
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

/** Keys should be changed every so often (SPEC-1 5.1). */
export const rotateAfterDays = 90

/** A new key. Only its hash is ever kept. */
export function newKey(environment: Environment): { key: string; hash: Buffer; hint: string } {
  const body = `ak_${environment}_${secretText(randomLength)}`
  const key = body + checksum(body)
  return { key, hash: sha256(key), hint: `ak_${environment}_…${key.slice(-4)}` }
}

/** The environment that a well-formed key belongs to; undefined for anything that we cannot have made. */
export function environmentOfKey(key: string): Environment | undefined {
  const environment = keyForm.exec(key)?.[1] as Environment | undefined
  const body = key.slice(0, -checksumLength)
  return environment && checksum(body) === key.slice(-checksumLength) ? environment : undefined
}

const checksum = (body: string): string => asBase62(crc32(body), checksumLength)
