// The password of an application, for OAuth. Several may work at once, so that a change of secrets stops nobody.

import type { Environment } from '../base/db.ts'
import { secretText, sha256 } from '../base/random.ts'
import type { ApplicationType } from './application.ts'

export interface ClientSecret {
  id: string
  clientId: string
  /** The beginning and the end of the secret, so that people can tell secrets apart. */
  hint: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
}

/** A phone cannot keep a secret, so mobile applications get none. */
export const keepsSecret = (type: ApplicationType): boolean => type !== 'mobile'

/** A new secret. Only its hash is ever kept. */
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
