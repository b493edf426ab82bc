import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import type { Scope } from '../http/scopes.ts'
import { type Application, type ApplicationRecord, newClientId, newSecret, widening } from './application.ts'
import { issueKey } from './issue-key.ts'
import type { ApiKey } from './key.ts'
import * as store from './store.ts'

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
  const refusal = widening(record.scopes, holder)
  if (refusal) throw refusal

  const { secret, hash } = newSecret(tx.environment, record.type)
  const application = await store.insertApplication(
    tx,
    { ...record, clientId: newClientId(tx.environment) },
    hash,
  )
  await publish(tx, { type: 'ApplicationRegistered', clientId: application.clientId })
  const wish = { name: 'first', scopes: undefined, rateLimit: null, expiresAt: null }
  const { key, apiKey } = await issueKey(tx, application.clientId, { wish, holder })
  return { application, key, clientSecret: secret, apiKey }
}
