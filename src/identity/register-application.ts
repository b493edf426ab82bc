import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import type { Scope } from '../http/scopes.ts'
import {
  type Application,
  type ApplicationRecord,
  badRedirect,
  newClientId,
  widening,
} from './application.ts'
import { keepsSecret, newSecret } from './client-secret.ts'
import { issueKey } from './issue-key.ts'
import type { ApiKey } from './key.ts'
import * as store from './store/applications.ts'
import { insertSecret } from './store/secrets.ts'

export interface Registered {
  application: Application
  key: ApiKey
  /** Shown once, here. */
  clientSecret: string | null
  apiKey: string
}

/** Registers an application of this environment with its secret and its first key. */
export async function registerApplication(
  tx: Tx,
  record: ApplicationRecord,
  holder: ReadonlySet<Scope> | null,
): Promise<Registered> {
  const refusal = badRedirect(record.redirectUrls, record.type) ?? widening(record.scopes, holder)
  if (refusal) throw refusal

  const clientId = newClientId(tx.environment)
  const application = await store.insertApplication(tx, { ...record, clientId })
  const made = keepsSecret(record.type) ? newSecret(tx.environment) : undefined
  if (made) await insertSecret(tx, { ...made, clientId })
  await publish(tx, { type: 'ApplicationRegistered', clientId: application.clientId })
  const wish = { name: 'first', scopes: undefined, rateLimit: null, expiresAt: null }
  const { key, apiKey } = await issueKey(tx, application.clientId, { wish, holder })
  return { application, key, clientSecret: made?.secret ?? null, apiKey }
}
