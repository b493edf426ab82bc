// The statements about client secrets.

import type { Reader, Tx } from '../../base/db.ts'
import type { ClientSecret } from '../client-secret.ts'

const columns = `id, client_id as "clientId", hint, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt"`

const isWorking = `revoked_at is null and (expires_at is null or expires_at > $2)`

/** So many secrets that still work may an application have. */
export const maxSecrets = 10
const maxShown = 100

export const insertSecret = (
  tx: Tx,
  it: { id: string; clientId: string; hint: string; hash: Buffer },
): Promise<ClientSecret> =>
  tx.one<ClientSecret>(
    `insert into identity_client_secrets (id, client_id, hash, hint, created_at) values ($1, $2, $3, $4, $5)
     returning ${columns}`,
    [it.id, it.clientId, it.hash, it.hint, tx.now],
  )

/** The hashes by which an application may prove itself now; none once it has ended. */
export const workingSecretHashes = async (read: Reader, clientId: string): Promise<Buffer[]> =>
  (
    await read.all<{ hash: Buffer }>(
      `select hash from identity_client_secrets
       where client_id = $1 and ${isWorking} and exists (
         select 1 from identity_applications application
         where application.client_id = $1 and application.environment = $3 and deleted_at is null)
       order by created_at desc limit ${maxSecrets}`,
      [clientId, read.now, read.environment],
    )
  ).map((it) => it.hash)

/** An application's secrets: those that work first, and the newest before the older. */
export const listSecrets = (read: Reader, clientId: string): Promise<ClientSecret[]> =>
  read.all<ClientSecret>(
    `select ${columns} from identity_client_secrets where client_id = $1
     order by ${isWorking} desc, created_at desc, id desc limit ${maxShown}`,
    [clientId, read.now],
  )

/** Sets an end to every secret that works, unless it ends sooner by itself. */
export const endSecretsAt = (tx: Tx, clientId: string, at: Date): Promise<ClientSecret[]> =>
  tx.all<ClientSecret>(
    `update identity_client_secrets set expires_at = least(expires_at, $3::timestamptz)
     where client_id = $1 and ${isWorking} returning ${columns}`,
    [clientId, tx.now, at],
  )

export const lockSecret = (tx: Tx, clientId: string, secretId: string): Promise<ClientSecret | undefined> =>
  tx.maybe<ClientSecret>(
    `select ${columns} from identity_client_secrets where id = $1 and client_id = $2 for update`,
    [secretId, clientId],
  )

export const endSecret = (tx: Tx, secretId: string): Promise<ClientSecret> =>
  tx.one<ClientSecret>(
    `update identity_client_secrets set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${columns}`,
    [secretId, tx.now],
  )
