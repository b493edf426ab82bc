// SQL of client secrets.

import type { Reader, Tx } from '../../base/database.ts'
import type { ClientSecret } from './credentials.ts'

const columns = `id, application_id as "applicationId", hint, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt"`

const isWorking = `revoked_at is null and (expires_at is null or expires_at > $2)`

/** Valid secrets per application. */
export const maxSecrets = 10
const maxShown = 100

export const insertSecret = (
  tx: Tx,
  it: { id: string; applicationId: string; hint: string; hash: Buffer },
): Promise<ClientSecret> =>
  tx.one<ClientSecret>(
    `insert into identity_client_secrets (id, application_id, hash, hint, created_at) values ($1, $2, $3, $4, $5)
     returning ${columns}`,
    [it.id, it.applicationId, it.hash, it.hint, tx.now],
  )

/** Hashes of the valid secrets of an existing application. */
export const workingSecretHashes = async (read: Reader, applicationId: string): Promise<Buffer[]> =>
  (
    await read.all<{ hash: Buffer }>(
      `select hash from identity_client_secrets
       where application_id = $1 and ${isWorking} and exists (
         select 1 from identity_applications application
         where application.application_id = $1 and application.environment = $3 and deleted_at is null)
       order by created_at desc limit ${maxSecrets}`,
      [applicationId, read.now, read.environment],
    )
  ).map((it) => it.hash)

/** Secrets of an application: valid ones first, then by age. */
export const listSecrets = (read: Reader, applicationId: string): Promise<ClientSecret[]> =>
  read.all<ClientSecret>(
    `select ${columns} from identity_client_secrets where application_id = $1
     order by ${isWorking} desc, created_at desc, id desc limit ${maxShown}`,
    [applicationId, read.now],
  )

/** Sets the expiry of all valid secrets, unless they expire earlier. */
export const endSecretsAt = (tx: Tx, applicationId: string, at: Date): Promise<ClientSecret[]> =>
  tx.all<ClientSecret>(
    `update identity_client_secrets set expires_at = least(expires_at, $3::timestamptz)
     where application_id = $1 and ${isWorking} returning ${columns}`,
    [applicationId, tx.now, at],
  )

/** A secret of an application that is locked, which protects its secrets. */
export const secretOfLocked = (
  tx: Tx,
  applicationId: string,
  secretId: string,
): Promise<ClientSecret | undefined> =>
  tx.maybe<ClientSecret>(
    `select ${columns} from identity_client_secrets where id = $1 and application_id = $2`,
    [secretId, applicationId],
  )

export const endSecret = (tx: Tx, secretId: string): Promise<ClientSecret> =>
  tx.one<ClientSecret>(
    `update identity_client_secrets set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${columns}`,
    [secretId, tx.now],
  )
