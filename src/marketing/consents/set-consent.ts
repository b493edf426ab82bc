import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { upsertConsent } from '../store/consents.ts'
import type { Channel } from '../templates/template.ts'

export interface Wish {
  holder: string
  clientId: number | null
  channel: Channel
  isGranted: boolean
  source: string
}

/** Writes down what somebody wants, with its time and where he said it. To say it twice changes nothing. */
export async function setConsent(tx: Tx, wish: Wish): Promise<void> {
  const changed = await upsertConsent(tx, wish)
  if (!changed) return
  const { id: consentId, clientId, channel, category, isGranted, source } = changed
  await publish(tx, { type: 'ConsentChanged', consentId, clientId, channel, category, isGranted, source })
}
