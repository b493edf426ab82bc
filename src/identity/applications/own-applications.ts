// Applications of the platform itself, such as the storefront. They use the API with credentials like any other; since
// only hashes of credentials are stored, theirs are kept encrypted beside them.

import type { Reader, Tx } from '../../base/database.ts'
import type { Vault } from '../../base/vault.ts'
import type { Application, ApplicationRecord } from './application.ts'
import { changeApplication, registerApplication } from './applications.ts'
import { findSealed, saveSealed } from './own-store.ts'
import { findApplication } from './store.ts'

export interface OwnCredentials {
  clientId: string
  clientSecret: string
  apiKey: string
}

const ownerOf = (read: Reader, name: string): string => `own application ${read.environment} ${name}`

/** The credentials, or undefined if the application is not registered or was deleted. */
export async function findOwnApplication(
  read: Reader,
  vault: Vault,
  name: string,
): Promise<OwnCredentials | undefined> {
  const found = await findSealed(read, name)
  if (!found || !(await findApplication(read, found.applicationId))) return undefined
  try {
    return JSON.parse(vault.open(found.sealed, ownerOf(read, name))) as OwnCredentials
  } catch {
    // Encrypted with another SECRET_KEY.
    return undefined
  }
}

/** Registers the application, or gives an existing one these scopes and redirect URLs. Idempotent. */
export async function registerOwnApplication(
  tx: Tx,
  vault: Vault,
  record: ApplicationRecord,
): Promise<OwnCredentials> {
  const known = await findOwnApplication(tx, vault, record.name)
  if (known) {
    const application = (await findApplication(tx, known.clientId))!
    const { scopes, redirectUrls, rateLimit } = record
    if (!isSame(application, record))
      await changeApplication(tx, known.clientId, {
        changes: { scopes, redirectUrls, rateLimit },
        ifMatch: undefined,
        callerScopes: null,
      })
    return known
  }
  const { application, clientSecret, apiKey } = await registerApplication(tx, record, null)
  const made = { clientId: application.applicationId, clientSecret: clientSecret ?? '', apiKey }
  await saveSealed(tx, {
    name: record.name,
    applicationId: made.clientId,
    sealed: vault.seal(JSON.stringify(made), ownerOf(tx, record.name)),
  })
  return made
}

const isSame = (application: Application, record: ApplicationRecord): boolean =>
  application.rateLimit === record.rateLimit &&
  String(application.scopes.toSorted()) === String(record.scopes.toSorted()) &&
  String(application.redirectUrls) === String(record.redirectUrls)
