import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { ApiKey } from './key.ts'
import * as store from './store/applications.ts'

/** Ends a key now, on every process within a second. Revoking it again changes nothing. */
export async function revokeKey(tx: Tx, clientId: string, keyId: string): Promise<ApiKey> {
  const application = await store.lockApplication(tx, clientId)
  const key = application && (await store.lockKey(tx, clientId, keyId))
  if (!key) throw refuse('not_found')
  if (key.revokedAt) return key

  const revoked = await store.revokeKey(tx, keyId)
  await publish(tx, { type: 'ApiKeyRevoked', keyId, clientId })
  return revoked
}
