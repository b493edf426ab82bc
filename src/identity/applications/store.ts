// SQL of applications and API keys.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, loadPage, type ListPage } from '../../base/listing.ts'
import type { Application, ApplicationType } from './application.ts'
import { type ApiKey, rotateAfterDays } from './credentials.ts'
import type { Scope } from '../../http/scopes.ts'

const applicationColumns = `application_id as "applicationId", environment, name, type, scopes, redirect_urls as "redirectUrls",
  rate_limit as "rateLimit", version, created_at as "createdAt", updated_at as "updatedAt"`

export const applicationSorts = ['created_at', 'name'] as const

export const listApplications = (read: Reader, listing: ListRequest): Promise<ListPage<Application>> =>
  loadPage<Application>(
    read,
    {
      columns: applicationColumns,
      from: 'identity_applications',
      where: ['environment = $1', 'deleted_at is null'],
      values: [read.environment],
      sorts: { created_at: { by: 'created_at', type: 'timestamptz' }, name: { by: 'name', type: 'text' } },
      key: { by: 'application_id', type: 'text' },
    },
    listing,
  )

const oneApplication = `select ${applicationColumns} from identity_applications
  where application_id = $1 and environment = $2 and deleted_at is null`

export const findApplication = (read: Reader, applicationId: string): Promise<Application | undefined> =>
  read.maybe<Application>(oneApplication, [applicationId, read.environment])

export const findApplicationByName = (read: Reader, name: string): Promise<Application | undefined> =>
  read.maybe<Application>(
    `select ${applicationColumns} from identity_applications
     where name = $1 and environment = $2 and deleted_at is null order by created_at limit 1`,
    [name, read.environment],
  )

/** Locks the application for this transaction. */
export const lockApplication = (tx: Tx, applicationId: string): Promise<Application | undefined> =>
  tx.maybe<Application>(`${oneApplication} for update`, [applicationId, tx.environment])

export const insertApplication = (
  tx: Tx,
  it: Omit<Application, 'version' | 'createdAt' | 'updatedAt' | 'environment'>,
): Promise<Application> =>
  tx.one<Application>(
    `insert into identity_applications
       (application_id, environment, name, type, scopes, redirect_urls, rate_limit, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning ${applicationColumns}`,
    [it.applicationId, tx.environment, it.name, it.type, it.scopes, it.redirectUrls, it.rateLimit, tx.now],
  )

export const updateApplication = (tx: Tx, it: Application): Promise<Application> =>
  tx.one<Application>(
    `update identity_applications set name = $2, scopes = $3, redirect_urls = $4, rate_limit = $5, updated_at = $6,
       version = version + 1 where application_id = $1 returning ${applicationColumns}`,
    [it.applicationId, it.name, it.scopes, it.redirectUrls, it.rateLimit, tx.now],
  )

/**
 * Marks an application as deleted and revokes its keys. Rows stay, so that a revoked key is not reported as unknown.
 */
export async function endApplication(tx: Tx, applicationId: string): Promise<void> {
  await tx.all(
    `update identity_applications set deleted_at = $2, updated_at = $2 where application_id = $1`,
    [applicationId, tx.now],
  )
  await tx.all(`update identity_keys set revoked_at = $2 where application_id = $1 and revoked_at is null`, [
    applicationId,
    tx.now,
  ])
}

const keyColumns = `id, application_id as "applicationId", name, hint, scopes, rate_limit as "rateLimit", created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaces`

/** Valid keys per application. */
export const maxKeys = 100

export const countWorkingKeys = async (tx: Tx, applicationId: string): Promise<number> =>
  (
    await tx.one<{ n: number }>(
      `select count(*) as n from identity_keys
       where application_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
      [applicationId, tx.now],
    )
  ).n

export const keySorts = ['created_at', 'last_used_at', 'name'] as const
export const keyStates = ['active', 'expired', 'revoked'] as const

/** Keys of all existing applications of this environment. */
export function listAllKeys(
  read: Reader,
  filter: {
    applicationId?: string | undefined
    state?: (typeof keyStates)[number] | undefined
    isDue?: boolean | undefined
  },
  listing: ListRequest,
): Promise<ListPage<ApiKey>> {
  const values: unknown[] = [read.environment]
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = [
    `exists (select 1 from identity_applications application where application.application_id = keys.application_id
       and application.environment = $1 and application.deleted_at is null)`,
  ]
  const now = () => `${bind(read.now)}::timestamptz`
  const isExpired = () => `coalesce(expires_at <= ${now()}, false)`
  if (filter.applicationId !== undefined) where.push(`application_id = ${bind(filter.applicationId)}`)
  if (filter.state === 'revoked') where.push('revoked_at is not null')
  if (filter.state === 'expired') where.push(`revoked_at is null and ${isExpired()}`)
  if (filter.state === 'active') where.push(`revoked_at is null and not ${isExpired()}`)
  if (filter.isDue !== undefined)
    where.push(
      `${filter.isDue ? '' : 'not '}(revoked_at is null and not ${isExpired()}
         and created_at <= ${now()} - interval '${rotateAfterDays} days')`,
    )
  return loadPage<ApiKey>(
    read,
    {
      columns: keyColumns,
      from: 'identity_keys keys',
      where,
      values,
      sorts: {
        created_at: { by: 'created_at', type: 'timestamptz' },
        last_used_at: { by: `coalesce(last_used_at, '-infinity')`, type: 'timestamptz' },
        name: { by: 'name', type: 'text' },
      },
      key: { by: 'id', type: 'text' },
    },
    listing,
  )
}

/** Keys of an application: valid ones first, then by age. */
export const listKeys = (read: Reader, applicationId: string): Promise<ApiKey[]> =>
  read.all<ApiKey>(
    `select ${keyColumns} from identity_keys where application_id = $1
     order by revoked_at is null and (expires_at is null or expires_at > $2) desc, created_at desc, id desc
     limit ${maxKeys}`,
    [applicationId, read.now],
  )

export const findKey = (read: Reader, applicationId: string, keyId: string): Promise<ApiKey | undefined> =>
  read.maybe<ApiKey>(
    `select ${keyColumns} from identity_keys keys where id = $1 and application_id = $2 and exists (
       select 1 from identity_applications application where application.application_id = keys.application_id
         and application.environment = $3 and application.deleted_at is null)`,
    [keyId, applicationId, read.environment],
  )

/** A key of an application that is locked, which protects its keys. */
export const keyOfLocked = (tx: Tx, applicationId: string, keyId: string): Promise<ApiKey | undefined> =>
  tx.maybe<ApiKey>(`select ${keyColumns} from identity_keys where id = $1 and application_id = $2`, [
    keyId,
    applicationId,
  ])

/** The first key that was created to replace this one. */
export const firstSuccessor = (tx: Tx, { id, applicationId }: ApiKey): Promise<ApiKey | undefined> =>
  tx.maybe<ApiKey>(
    `select ${keyColumns} from identity_keys where application_id = $1 and replaces = $2 order by created_at, id limit 1`,
    [applicationId, id],
  )

export const insertKey = (
  tx: Tx,
  it: Pick<
    ApiKey,
    'id' | 'applicationId' | 'name' | 'hint' | 'scopes' | 'rateLimit' | 'expiresAt' | 'replaces'
  >,
  hash: Buffer,
): Promise<ApiKey> =>
  tx.one<ApiKey>(
    `insert into identity_keys (id, application_id, hash, hint, name, scopes, rate_limit, created_at, expires_at, replaces)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${keyColumns}`,
    [
      it.id,
      it.applicationId,
      hash,
      it.hint,
      it.name,
      it.scopes,
      it.rateLimit,
      tx.now,
      it.expiresAt,
      it.replaces,
    ],
  )

/** Sets the expiry of a key, unless it expires earlier. */
export const endKeyAt = (tx: Tx, keyId: string, at: Date): Promise<ApiKey> =>
  tx.one<ApiKey>(
    `update identity_keys set expires_at = least(expires_at, $2::timestamptz) where id = $1 returning ${keyColumns}`,
    [keyId, at],
  )

export const revokeKey = (tx: Tx, keyId: string): Promise<ApiKey> =>
  tx.one<ApiKey>(
    `update identity_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${keyColumns}`,
    [keyId, tx.now],
  )

export interface KnownKey {
  keyId: string
  hash: Buffer
  applicationId: string
  type: ApplicationType
  scopes: Scope[]
  rateLimit: string | null
  expiresAt: Date | null
  revokedAt: Date | null
}

/** A key by its hash, with the scopes that both the key and its application have. */
export const findKeyByHash = (read: Reader, hash: Buffer): Promise<KnownKey | undefined> =>
  read.maybe<KnownKey>(
    `select keys.id as "keyId", keys.hash, keys.application_id as "applicationId", application.type,
       array(select scope from unnest(keys.scopes) with ordinality as own (scope, place)
         where scope = any(application.scopes) order by place) as scopes,
       coalesce(keys.rate_limit, application.rate_limit) as "rateLimit", keys.expires_at as "expiresAt",
       keys.revoked_at as "revokedAt"
     from identity_keys keys join identity_applications application using (application_id)
     where keys.hash = $1 and application.environment = $2`,
    [hash, read.environment],
  )

export async function recordUse(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  await tx.all(
    `update identity_keys set last_used_at = used.at from unnest($1::text[], $2::timestamptz[]) as used (id, at)
     where identity_keys.id = used.id`,
    [[...uses.keys()], [...uses.values()]],
  )
}

/** Redirect URLs of all web applications of this environment. */
export const webRedirectUrls = async (read: Reader): Promise<string[]> =>
  (
    await read.all<{ url: string }>(
      `select distinct unnest(redirect_urls) as url from identity_applications
       where environment = $1 and type = 'web' and deleted_at is null`,
      [read.environment],
    )
  ).map((it) => it.url)

export const hasApplications = async (read: Reader): Promise<boolean> =>
  (await read.maybe(`select 1 from identity_applications limit 1`)) !== undefined
