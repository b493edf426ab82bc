import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { secretText } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Scope } from '../http/scopes.ts'
import { widening } from './application.ts'
import { type ApiKey, newKey } from './key.ts'
import * as store from './store/applications.ts'

export const longestOverlapSeconds = 30 * 86_400

/** Gives a key a successor with the same rights. Both work until the overlap is over; then only the successor does. */
export async function rotateKey(
  tx: Tx,
  clientId: string,
  {
    keyId,
    overlapSeconds,
    holder,
  }: { keyId: string; overlapSeconds: number; holder: ReadonlySet<Scope> | null },
): Promise<{ key: ApiKey; replaced: ApiKey; apiKey: string }> {
  const application = await store.lockApplication(tx, clientId)
  const old = application && (await store.lockKey(tx, clientId, keyId))
  if (!old) throw refuse('not_found')
  if (old.revokedAt || (old.expiresAt && old.expiresAt <= tx.now))
    throw refuse('invalid_transition', {
      state: old.revokedAt ? 'revoked' : 'expired',
      asked: 'rotate',
      allowed: [],
    })
  const refusal = widening(old.scopes, holder)
  if (refusal) throw refusal

  // A rotation has cut the life of a key that is rotated again; its first successor still shows how long it was.
  const model = (await store.firstSuccessor(tx, old)) ?? old
  const { key: apiKey, hash, hint } = newKey(tx.environment)
  const endsAt = new Date(tx.now.getTime() + overlapSeconds * 1000)
  const successor = {
    ...old,
    id: `key_${secretText(20)}`,
    hint,
    expiresAt: sameSpan(model, tx.now),
    replaces: old.id,
  }
  const key = await store.insertKey(tx, successor, hash)
  const replaced = await store.endKeyAt(tx, old.id, endsAt)
  await publish(tx, {
    type: 'ApiKeyRotated',
    keyId: old.id,
    successorId: key.id,
    endsAt: endsAt.toISOString(),
  })
  return { key, replaced, apiKey }
}

/** A key that was made for a month gets a successor for a month. */
const sameSpan = ({ createdAt, expiresAt }: ApiKey, now: Date): Date | null =>
  expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime())
