import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { upsertConsent } from './store.ts'
import type { ConsentInput } from './consent.ts'

/** Saves a consent or its withdrawal, with time and source. Idempotent. */
export async function setConsent(tx: Tx, input: ConsentInput): Promise<void> {
  const changed = await upsertConsent(tx, input)
  if (!changed) return
  const { id: consentId, clientId, channel, category, isGranted, source } = changed
  publish(tx, { type: 'ConsentChanged', consentId, clientId, channel, category, isGranted, source })
}
