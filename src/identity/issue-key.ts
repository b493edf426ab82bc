import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { secretText } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Scope } from '../http/scopes.ts'
import { beyondApplication, widening } from './application.ts'
import { type ApiKey, newKey } from './key.ts'
import * as store from './store/applications.ts'

export interface KeyWish {
  name: string
  /** All of the application's when undefined. */
  scopes: Scope[] | undefined
  rateLimit: string | null
  expiresAt: Date | null
}

/** Makes a key for an application. The key itself is returned here and never again. */
export async function issueKey(
  tx: Tx,
  clientId: string,
  { wish, holder }: { wish: KeyWish; holder: ReadonlySet<Scope> | null },
): Promise<{ key: ApiKey; apiKey: string }> {
  const application = await store.lockApplication(tx, clientId)
  if (!application) throw refuse('not_found')
  const scopes = wish.scopes ?? application.scopes
  const refusal =
    beyondApplication(scopes, application) ?? widening(scopes, holder) ?? past(wish.expiresAt, tx.now)
  if (refusal) throw refusal
  if ((await store.countWorkingKeys(tx, clientId)) >= store.maxKeys)
    throw refuse('conflict', { reason: 'it has as many keys as it may', limit: store.maxKeys })

  const { key: apiKey, hash, hint } = newKey(tx.environment)
  const record = { ...wish, scopes, id: `key_${secretText(20)}`, clientId, hint, replaces: null }
  const key = await store.insertKey(tx, record, hash)
  await publish(tx, { type: 'ApiKeyIssued', keyId: key.id, clientId })
  return { key, apiKey }
}

const past = (expiresAt: Date | null, now: Date) =>
  expiresAt && expiresAt <= now
    ? refuse('validation_failed', {
        fields: [{ path: 'expires_at', rule: 'minimum', limit: now.toISOString() }],
      })
    : undefined
