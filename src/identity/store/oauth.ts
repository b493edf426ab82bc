// The statements about grants, tokens, consents and requests under way.

import type { Reader, Tx } from '../../base/db.ts'
import type { Scope } from '../../http/scopes.ts'
import type { ApplicationType } from '../application.ts'
import type { TokenKind } from '../oauth/token.ts'

export interface StoredToken {
  hash: Buffer
  kind: TokenKind
  clientId: string
  /** The buyer's grant that it follows from; null when an application acts for itself. */
  grantId: string | null
  /** The code or refresh token that it was exchanged for. */
  parent: Buffer | null
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date
  /** What else the protocol has to remember of it. */
  rest: object
}

export interface FoundToken extends StoredToken {
  buyerId: number | null
  consumedAt: Date | null
  revokedAt: Date | null
  /** What a refresh token was exchanged for, sealed with the token. */
  answer: Buffer | null
  /** When that answer left; null as long as nobody has it. */
  answeredAt: Date | null
  /** When it first came again while that was harmless. */
  askedAgainAt: Date | null
}

export const insertToken = (tx: Tx, it: StoredToken): void =>
  void tx.later(
    `insert into identity_tokens (hash, kind, client_id, grant_id, parent, scopes, created_at, expires_at, rest)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      it.hash,
      it.kind,
      it.clientId,
      it.grantId,
      it.parent,
      it.scopes,
      it.createdAt,
      it.expiresAt,
      JSON.stringify(it.rest),
    ],
  )

/** A token by its hash. One whose grant was revoked is revoked with it. */
export const findToken = (read: Reader, hash: Buffer): Promise<FoundToken | undefined> =>
  read.maybe<FoundToken>(
    `select token.hash, kind, token.client_id as "clientId", grant_id as "grantId", parent, token.scopes,
       token.created_at as "createdAt", expires_at as "expiresAt", rest, granted.buyer_id as "buyerId",
       consumed_at as "consumedAt", coalesce(token.revoked_at, granted.revoked_at) as "revokedAt",
       answer, answered_at as "answeredAt", asked_again_at as "askedAgainAt"
     from identity_tokens token left join identity_grants granted on granted.id = token.grant_id
     where hash = $1`,
    [hash],
  )

/** Takes a code or a refresh token, once: of many who try, one is told true. */
export const consumeToken = async (tx: Tx, hash: Buffer, answer: Buffer | null): Promise<boolean> =>
  (await tx.maybe(
    `update identity_tokens set consumed_at = $2, answer = $3 where hash = $1 and consumed_at is null returning 1`,
    [hash, tx.now, answer],
  )) !== undefined

/** Notes that the answer leaves now, unless it has left. */
export const noteAnswered = (tx: Tx, hash: Buffer): void =>
  void tx.later(`update identity_tokens set answered_at = $2 where hash = $1 and answered_at is null`, [
    hash,
    tx.now,
  ])

export const noteAskedAgain = (tx: Tx, hash: Buffer): void =>
  void tx.later(`update identity_tokens set asked_again_at = $2 where hash = $1 and asked_again_at is null`, [
    hash,
    tx.now,
  ])

/** Whether the refresh token that this one was exchanged for has been used in its turn. */
export const isSuccessorUsed = async (read: Reader, grantId: string, parent: Buffer): Promise<boolean> =>
  (await read.maybe(
    `select 1 from identity_tokens
     where grant_id = $1 and parent = $2 and kind = 'refresh' and consumed_at is not null`,
    [grantId, parent],
  )) !== undefined

/** Ends one token; returns whose it was, or undefined when it had ended. */
export const revokeToken = (tx: Tx, hash: Buffer): Promise<{ clientId: string } | undefined> =>
  tx.maybe(
    `update identity_tokens set revoked_at = $2 where hash = $1 and revoked_at is null
     returning client_id as "clientId"`,
    [hash, tx.now],
  )

export interface Grant {
  id: string
  clientId: string
  buyerId: number
  scopes: Scope[]
}

export const insertGrant = (tx: Tx, it: Grant): void =>
  void tx.later(
    `insert into identity_grants (id, client_id, buyer_id, scopes, created_at) values ($1, $2, $3, $4, $5)`,
    [it.id, it.clientId, it.buyerId, it.scopes, tx.now],
  )

export const findGrant = (read: Reader, id: string): Promise<Grant | undefined> =>
  read.maybe<Grant>(
    `select id, client_id as "clientId", buyer_id as "buyerId", scopes from identity_grants
     where id = $1 and revoked_at is null`,
    [id],
  )

/** Ends a grant with every token that follows from it; returns it, or undefined when it had ended. */
export const revokeGrant = (tx: Tx, id: string): Promise<Grant | undefined> =>
  tx.maybe<Grant>(
    `update identity_grants set revoked_at = $2 where id = $1 and revoked_at is null
     returning id, client_id as "clientId", buyer_id as "buyerId", scopes`,
    [id, tx.now],
  )

/** Ends the grants of a buyer, to one application or to all, and returns those that had not ended. */
export const revokeGrantsOf = (tx: Tx, buyerId: number, clientId: string | null): Promise<Grant[]> =>
  tx.all<Grant>(
    `update identity_grants set revoked_at = $3
     where buyer_id = $1 and ($2::text is null or client_id = $2) and revoked_at is null
     returning id, client_id as "clientId", buyer_id as "buyerId", scopes`,
    [buyerId, clientId, tx.now],
  )

/** What a buyer has allowed an application so far. */
export const consentedScopes = async (read: Reader, clientId: string, buyerId: number): Promise<Scope[]> =>
  (
    await read.maybe<{ scopes: Scope[] }>(
      `select scopes from identity_consents where client_id = $1 and buyer_id = $2`,
      [clientId, buyerId],
    )
  )?.scopes ?? []

/** Remembers what a buyer allows beside what he allowed before. */
export const addConsent = (tx: Tx, { clientId, buyerId, scopes }: Omit<Grant, 'id'>): void =>
  void tx.later(
    `insert into identity_consents as consent (client_id, buyer_id, scopes, updated_at) values ($1, $2, $3, $4)
     on conflict (client_id, buyer_id) do update set updated_at = excluded.updated_at,
       scopes = array(select distinct unnest(consent.scopes || excluded.scopes) order by 1)`,
    [clientId, buyerId, scopes, tx.now],
  )

export interface Consent {
  clientId: string
  applicationName: string
  scopes: Scope[]
  updatedAt: Date
}

/** What a buyer has allowed applications that still exist; of one application when it is named. */
export const listConsents = (read: Reader, buyerId: number, clientId: string | null): Promise<Consent[]> =>
  read.all<Consent>(
    `select client_id as "clientId", application.name as "applicationName", consent.scopes,
       consent.updated_at as "updatedAt"
     from identity_consents consent join identity_applications application using (client_id)
     where buyer_id = $1 and ($2::text is null or client_id = $2) and application.deleted_at is null
     order by consent.updated_at desc, client_id limit 1000`,
    [buyerId, clientId],
  )

/** Forgets what a buyer allowed one application; false when that was nothing. */
export const forgetConsent = async (tx: Tx, buyerId: number, clientId: string): Promise<boolean> =>
  (await tx.maybe(`delete from identity_consents where client_id = $1 and buyer_id = $2 returning 1`, [
    clientId,
    buyerId,
  ])) !== undefined

export const forgetConsents = (tx: Tx, buyerId: number): void =>
  void tx.later(`delete from identity_consents where buyer_id = $1`, [buyerId])

export const saveInteraction = (tx: Tx, it: { hash: Buffer; contents: object; expiresAt: Date }): void =>
  void tx.later(
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
  void tx.later(`delete from identity_interactions where hash = $1`, [hash])

export interface AccessToken {
  clientId: string
  type: ApplicationType
  grantId: string | null
  buyerId: number | null
  scopes: Scope[]
  rateLimit: string | null
  expiresAt: Date
  revokedAt: Date | null
}

/** An access token with its application: narrowing an application narrows its tokens, and ending it ends them. */
export const findAccessToken = (read: Reader, hash: Buffer): Promise<AccessToken | undefined> =>
  read.maybe<AccessToken>(
    `select token.client_id as "clientId", application.type, grant_id as "grantId", granted.buyer_id as "buyerId",
       array(select scope from unnest(token.scopes) with ordinality as own (scope, place)
         where scope = any(application.scopes) order by place) as scopes,
       application.rate_limit as "rateLimit", token.expires_at as "expiresAt",
       coalesce(token.revoked_at, granted.revoked_at, application.deleted_at) as "revokedAt"
     from identity_tokens token join identity_applications application using (client_id)
     left join identity_grants granted on granted.id = token.grant_id
     where token.hash = $1 and token.kind = 'access' and application.environment = $2`,
    [hash, read.environment],
  )

/** How long a token that has expired is still known as such, and how long an answer is kept that nobody should need. */
const keepExpiredMs = 7 * 86_400_000
const keepAnswerMs = 3_600_000

// A grant outlives its last token by a while, so that a late replay is still recognised.
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
  answers: { keepMs: keepAnswerMs, sql:
    `update identity_tokens set answer = null where hash in (
       select hash from identity_tokens where answer is not null and consumed_at < $1 order by consumed_at limit $2)
     returning 1` },
}

/** Everything that `purge` forgets. */
export const purged = Object.keys(purges) as (keyof typeof purges)[]

/** Forgets a batch of what ended long ago; returns how many rows that were. */
export const purge = async (tx: Tx, what: keyof typeof purges, batchRows: number): Promise<number> => {
  const { keepMs, sql } = purges[what]
  return (await tx.all(sql, [new Date(tx.now.getTime() - keepMs), batchRows])).length
}
