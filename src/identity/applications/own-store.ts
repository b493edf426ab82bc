// SQL of the credentials of own applications.

import type { Reader, Tx } from '../../base/database.ts'

interface SealedCredentials {
  applicationId: string
  sealed: Buffer
}

export const findSealed = (read: Reader, name: string): Promise<SealedCredentials | undefined> =>
  read.maybe<SealedCredentials>(
    `select application_id as "applicationId", sealed from identity_own_applications where name = $1`,
    [name],
  )

export const saveSealed = async (tx: Tx, it: SealedCredentials & { name: string }): Promise<void> => {
  await tx.all(
    `insert into identity_own_applications (name, application_id, sealed, created_at) values ($1, $2, $3, $4)
     on conflict (name) do update set application_id = excluded.application_id, sealed = excluded.sealed,
       created_at = excluded.created_at`,
    [it.name, it.applicationId, it.sealed, tx.now],
  )
}
