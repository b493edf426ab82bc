import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import type { Scope } from '../../http/scopes.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { issueKey } from './api-keys.ts'
import {
  type Application,
  type ApplicationRecord,
  badRedirect,
  newApplicationId,
  widening,
} from './application.ts'
import { type ApiKey, keepsSecret, newSecret } from './credentials.ts'
import { insertSecret } from './secret-store.ts'
import * as store from './store.ts'

export interface Registered {
  application: Application
  key: ApiKey
  /** Returned once, here. */
  clientSecret: string | null
  apiKey: string
}

/** Registers an application with its secret and its first key. */
export async function registerApplication(
  tx: Tx,
  record: ApplicationRecord,
  callerScopes: ReadonlySet<Scope> | null,
): Promise<Registered> {
  const refusal = badRedirect(record.redirectUrls, record.type) ?? widening(record.scopes, callerScopes)
  if (refusal) throw refusal

  const applicationId = newApplicationId(tx.environment)
  const application = await store.insertApplication(tx, { ...record, applicationId })
  const made = keepsSecret(record.type) ? newSecret(tx.environment) : undefined
  if (made) await insertSecret(tx, { ...made, applicationId })
  publish(tx, { type: 'ApplicationRegistered', applicationId: application.applicationId })
  const input = { name: 'first', scopes: undefined, rateLimit: null, expiresAt: null }
  const { key, apiKey } = await issueKey(tx, application.applicationId, { input, callerScopes })
  return { application, key, clientSecret: made?.secret ?? null, apiKey }
}

/** Changes the given fields. Scopes removed here are removed from every key. */
export async function changeApplication(
  tx: Tx,
  applicationId: string,
  input: {
    changes: Partial<Omit<ApplicationRecord, 'type'>>
    ifMatch: IfMatch | undefined
    callerScopes: ReadonlySet<Scope> | null
  },
): Promise<Application> {
  const before = await store.lockApplication(tx, applicationId)
  if (!before) throw refuse('not_found')
  requireVersion(before, input.ifMatch)
  const { scopes = [], redirectUrls = [] } = input.changes
  const refusal =
    badRedirect(redirectUrls, before.type) ??
    widening(scopes, input.callerScopes) ??
    // A redirect URL receives codes with all scopes of the application.
    (input.changes.redirectUrls && widening(before.scopes, input.callerScopes))
  if (refusal) throw refusal

  const after = await store.updateApplication(tx, { ...before, ...input.changes })
  publish(tx, { type: 'ApplicationChanged', applicationId })
  return after
}

/** Deletes an application and revokes its keys. */
export async function deleteApplication(
  tx: Tx,
  applicationId: string,
  ifMatch: IfMatch | undefined,
): Promise<Application> {
  const application = await store.lockApplication(tx, applicationId)
  if (!application) throw refuse('not_found')
  requireVersion(application, ifMatch)

  await store.endApplication(tx, applicationId)
  publish(tx, { type: 'ApplicationDeleted', applicationId })
  return application
}
