// SQL of grants, tokens, consents and pending authorizations.

import { dayMs, hourMs } from '../../base/clock.ts'
import type { Reader, Tx } from '../../base/database.ts'
import type { Scope } from '../../http/scopes.ts'
import type { ApplicationType } from '../applications/application.ts'
import type { TokenKind } from './token.ts'

export interface StoredToken {
  hash: Buffer
  kind: TokenKind
  applicationId: string
  /** The buyer's grant; null when the application acts for itself. */
  grantId: string | null
  /** The code or refresh token that this token was exchanged for. */
  parent: Buffer | null
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date
  /** Other fields of the protocol. */
  rest: object
}

export interface FoundToken extends StoredToken {
  buyerId: number | null
  consumedAt: Date | null
  revokedAt: Date | null
  /** The reply to a refresh, encrypted with the refresh token. */
  reply: Buffer | null
  /** When that reply was sent; null before. */
  repliedAt: Date | null
  /** When the token was first presented again in a harmless way. */
  requestedAgainAt: Date | null
}

export const insertToken = (tx: Tx, it: StoredToken): void =>
  tx.later(
    `insert into identity_tokens (hash, kind, application_id, grant_id, parent, scopes, created_at, expires_at, rest)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      it.hash,
      it.kind,
      it.applicationId,
      it.grantId,
      it.parent,
      it.scopes,
      it.createdAt,
      it.expiresAt,
      JSON.stringify(it.rest),
    ],
  )

/** A token by its hash. Revoking its grant revokes it. */
export const findToken = (read: Reader, hash: Buffer): Promise<FoundToken | undefined> =>
  read.maybe<FoundToken>(
    `select token.hash, kind, token.application_id as "applicationId", grant_id as "grantId", parent, token.scopes,
       token.created_at as "createdAt", expires_at as "expiresAt", rest, granted.buyer_id as "buyerId",
       consumed_at as "consumedAt", coalesce(token.revoked_at, granted.revoked_at) as "revokedAt",
       reply, replied_at as "repliedAt", requested_again_at as "requestedAgainAt"
     from identity_tokens token left join identity_grants granted on granted.id = token.grant_id
     where hash = $1`,
    [hash],
  )

/** Consumes a code or refresh token; true for exactly one of several concurrent callers. */
export const consumeToken = async (tx: Tx, hash: Buffer, reply: Buffer | null): Promise<boolean> =>
  (await tx.maybe(
    `update identity_tokens set consumed_at = $2, reply = $3 where hash = $1 and consumed_at is null returning 1`,
    [hash, tx.now, reply],
  )) !== undefined

/** Records that the reply is sent, unless it was sent before. */
export const markReplied = (tx: Tx, hash: Buffer): void =>
  tx.later(`update identity_tokens set replied_at = $2 where hash = $1 and replied_at is null`, [
    hash,
    tx.now,
  ])

export const markRequestedAgain = (tx: Tx, hash: Buffer): void =>
  tx.later(
    `update identity_tokens set requested_again_at = $2 where hash = $1 and requested_again_at is null`,
    [hash, tx.now],
  )

/** Whether the successor of this refresh token has been used. */
export const isSuccessorUsed = async (read: Reader, grantId: string, parent: Buffer): Promise<boolean> =>
  (await read.maybe(
    `select 1 from identity_tokens
     where grant_id = $1 and parent = $2 and kind = 'refresh' and consumed_at is not null`,
    [grantId, parent],
  )) !== undefined

/** Revokes one token; undefined when it was revoked before. */
export const revokeToken = (tx: Tx, hash: Buffer): Promise<{ applicationId: string } | undefined> =>
  tx.maybe(
    `update identity_tokens set revoked_at = $2 where hash = $1 and revoked_at is null
     returning application_id as "applicationId"`,
    [hash, tx.now],
  )

export interface Grant {
  id: string
  applicationId: string
  buyerId: number
  scopes: Scope[]
}

export const insertGrant = (tx: Tx, it: Grant): void =>
  tx.later(
    `insert into identity_grants (id, application_id, buyer_id, scopes, created_at) values ($1, $2, $3, $4, $5)`,
    [it.id, it.applicationId, it.buyerId, it.scopes, tx.now],
  )

export const findGrant = (read: Reader, id: string): Promise<Grant | undefined> =>
  read.maybe<Grant>(
    `select id, application_id as "applicationId", buyer_id as "buyerId", scopes from identity_grants
     where id = $1 and revoked_at is null`,
    [id],
  )

/** Revokes a grant; undefined when it was revoked before. */
export const revokeGrant = (tx: Tx, id: string): Promise<Grant | undefined> =>
  tx.maybe<Grant>(
    `update identity_grants set revoked_at = $2 where id = $1 and revoked_at is null
     returning id, application_id as "applicationId", buyer_id as "buyerId", scopes`,
    [id, tx.now],
  )

/** Revokes the grants of a buyer to one application, or to all, and returns them. */
export const revokeGrantsOf = (tx: Tx, buyerId: number, applicationId: string | null): Promise<Grant[]> =>
  tx.all<Grant>(
    `update identity_grants set revoked_at = $3
     where buyer_id = $1 and ($2::text is null or application_id = $2) and revoked_at is null
     returning id, application_id as "applicationId", buyer_id as "buyerId", scopes`,
    [buyerId, applicationId, tx.now],
  )

/** Scopes that a buyer has allowed an application so far. */
export const consentedScopes = async (
  read: Reader,
  applicationId: string,
  buyerId: number,
): Promise<Scope[]> =>
  (
    await read.maybe<{ scopes: Scope[] }>(
      `select scopes from identity_consents where application_id = $1 and buyer_id = $2`,
      [applicationId, buyerId],
    )
  )?.scopes ?? []

/** Adds scopes to a buyer's consent. */
export const addConsent = (tx: Tx, { applicationId, buyerId, scopes }: Omit<Grant, 'id'>): void =>
  tx.later(
    `insert into identity_consents as consent (application_id, buyer_id, scopes, updated_at) values ($1, $2, $3, $4)
     on conflict (application_id, buyer_id) do update set updated_at = excluded.updated_at,
       scopes = array(select distinct unnest(consent.scopes || excluded.scopes) order by 1)`,
    [applicationId, buyerId, scopes, tx.now],
  )

export interface Consent {
  applicationId: string
  applicationName: string
  scopes: Scope[]
  updatedAt: Date
}

/** Consents of a buyer to existing applications, or to one of them. */
export const listConsents = (
  read: Reader,
  buyerId: number,
  applicationId: string | null,
): Promise<Consent[]> =>
  read.all<Consent>(
    `select application_id as "applicationId", application.name as "applicationName", consent.scopes,
       consent.updated_at as "updatedAt"
     from identity_consents consent join identity_applications application using (application_id)
     where buyer_id = $1 and ($2::text is null or application_id = $2) and application.deleted_at is null
     order by consent.updated_at desc, application_id limit 1000`,
    [buyerId, applicationId],
  )

/** False when there was no consent. */
export const deleteConsent = async (tx: Tx, buyerId: number, applicationId: string): Promise<boolean> =>
  (await tx.maybe(`delete from identity_consents where application_id = $1 and buyer_id = $2 returning 1`, [
    applicationId,
    buyerId,
  ])) !== undefined

export const deleteConsents = (tx: Tx, buyerId: number): void =>
  tx.later(`delete from identity_consents where buyer_id = $1`, [buyerId])

export const saveInteraction = (tx: Tx, it: { hash: Buffer; contents: object; expiresAt: Date }): void =>
  tx.later(
    `insert into identity_interactions (hash, contents, expires_at) values ($1, $2, $3)
     on conflict (hash) do update set contents = excluded.contents, expires_at = excluded.expires_at`,
    [it.hash, JSON.stringify(it.contents), it.expiresAt],
  )

export const findInteraction = (
  read: Reader,
  hash: Buffer,
): Promise<{ contents: Record<string, unknown>; expiresAt: Date } | undefined> =>
  read.maybe(
    `select contents, expires_at as "expiresAt" from identity_interactions where hash = $1 and expires_at > $2`,
    [hash, read.now],
  )

export const deleteInteraction = (tx: Tx, hash: Buffer): void =>
  tx.later(`delete from identity_interactions where hash = $1`, [hash])

export interface AccessToken {
  applicationId: string
  type: ApplicationType
  grantId: string | null
  buyerId: number | null
  scopes: Scope[]
  rateLimit: string | null
  expiresAt: Date
  revokedAt: Date | null
}

/** An access token with its application. Scopes removed from the application are removed from its tokens. */
export const findAccessToken = (read: Reader, hash: Buffer): Promise<AccessToken | undefined> =>
  read.maybe<AccessToken>(
    `select token.application_id as "applicationId", application.type, grant_id as "grantId", granted.buyer_id as "buyerId",
       array(select scope from unnest(token.scopes) with ordinality as own (scope, place)
         where scope = any(application.scopes) order by place) as scopes,
       application.rate_limit as "rateLimit", token.expires_at as "expiresAt",
       coalesce(token.revoked_at, granted.revoked_at, application.deleted_at) as "revokedAt"
     from identity_tokens token join identity_applications application using (application_id)
     left join identity_grants granted on granted.id = token.grant_id
     where token.hash = $1 and token.kind = 'access' and application.environment = $2`,
    [hash, read.environment],
  )

/** How long expired tokens are recognised as such, and how long a refresh reply is kept. */
const keepExpiredMs = 7 * dayMs
const keepReplyMs = hourMs

// A grant outlives its last token, so that a late replay is still detected.
// oxfmt-ignore
const purges = {
  tokens: { keepMs: keepExpiredMs, sql:
    `delete from identity_tokens where hash in (
       select hash from identity_tokens where expires_at < $1 order by expires_at limit $2) returning 1` },
  grants: { keepMs: keepExpiredMs, sql:
    `delete from identity_grants where id in (
       select id from identity_grants where created_at < $1
         and not exists (select 1 from identity_tokens where identity_tokens.grant_id = identity_grants.id)
       order by created_at limit $2) returning 1` },
  interactions: { keepMs: keepExpiredMs, sql:
    `delete from identity_interactions where hash in (
       select hash from identity_interactions where expires_at < $1 order by expires_at limit $2) returning 1` },
  replies: { keepMs: keepReplyMs, sql:
    `update identity_tokens set reply = null where hash in (
       select hash from identity_tokens where reply is not null and consumed_at < $1 order by consumed_at limit $2)
     returning 1` },
}

export const purged = Object.keys(purges) as (keyof typeof purges)[]

/** Deletes one batch of old rows and returns their number. */
export const purge = async (tx: Tx, what: keyof typeof purges, batchRows: number): Promise<number> => {
  const { keepMs, sql } = purges[what]
  return (await tx.all(sql, [new Date(tx.now.getTime() - keepMs), batchRows])).length
}
