// What all kinds of credentials have in common. A kind is told by its form, before anybody asks the database.

import type { IncomingHttpHeaders } from 'node:http'
import type { Environment, Reader, Tx } from '../base/db.ts'
import type { Principal } from '../http/route.ts'

export interface CredentialKind {
  /** In which header callers carry it. */
  carrier: 'bearer' | 'cookie'
  /** The cookie's name on plain HTTP; on HTTPS it begins with `__Host-`. */
  cookie?: string
  /** The environment of a credential that we may have made; undefined for any other text. */
  environmentOf(text: string, headers: IncomingHttpHeaders): Environment | undefined
  /** Whether a call means this kind, where a browser sends several cookies. */
  isMeant?(headers: IncomingHttpHeaders): boolean
  /** Where the call acts, for people who may act in both environments and so belong to neither. */
  actsIn?(text: string, headers: IncomingHttpHeaders): Environment
  /** Who is behind a credential, by the SHA-256 of its text. */
  find(read: Reader, hash: Buffer): Promise<Found | undefined>
  /** Keeps when credentials were last used, by the ids of their principals. Called every few seconds. */
  noteUse?(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void>
}

/** A credential as the database knows it. */
export interface Found {
  principal: Principal
  hash: Buffer
  /** Subjects, such as `key/…` or `client/…`: a fact about one of them may end the credential or change its rights. */
  standsOn: readonly string[]
  revokedAt: Date | null
  expiresAt: Date | null
  /** How long it lives without being used; undefined for those that do not die of it. */
  idle?: { lastUsedAt: Date; lifetimeMs: number }
}
