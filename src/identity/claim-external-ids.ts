import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Principal } from '../http/route.ts'
import type { Client } from './client.ts'
import * as store from './store/clients.ts'

export const mostExternalIds = 100
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A browser or a device may claim what nobody can guess; whatever else a client is called, a server may say. */
export function refuseGuessable(ids: readonly string[], principal: Principal | null): void {
  if (principal?.application?.type === 'server') return
  const fields = ids.flatMap((id, at) =>
    uuidForm.test(id) ? [] : [{ path: `external_ids.${at}`, rule: 'format', limit: 'UUID' }],
  )
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

/** From now on other systems know the client by these ids too; what was done under them counts as his. */
export async function claimExternalIds(tx: Tx, client: Client, ids: readonly string[]): Promise<Client> {
  const fresh = [...new Set(ids)].filter((it) => !client.externalIds.includes(it))
  if (fresh.length === 0) return client
  if (client.externalIds.length + fresh.length > mostExternalIds)
    throw refuse('validation_failed', {
      fields: [{ path: 'external_ids', rule: 'max_items', limit: mostExternalIds }],
    })
  const known = await store.addExternalIds(tx, client.id, fresh)
  await publish(tx, { type: 'ClientChanged', clientId: client.id })
  return known
}
