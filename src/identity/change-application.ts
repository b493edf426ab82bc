import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Scope } from '../http/scopes.ts'
import { refuseStale } from '../http/version.ts'
import { type Application, type ApplicationRecord, badRedirect, widening } from './application.ts'
import * as store from './store/applications.ts'

/** Changes what is named. A key never does more than its application: what is taken here is taken from every key. */
export async function changeApplication(
  tx: Tx,
  clientId: string,
  wish: {
    changes: Partial<Omit<ApplicationRecord, 'type'>>
    ifMatch: number | undefined
    holder: ReadonlySet<Scope> | null
  },
): Promise<Application> {
  const before = await store.lockApplication(tx, clientId)
  if (!before) throw refuse('not_found')
  refuseStale(before, wish.ifMatch)
  const { scopes = [], redirectUrls = [] } = wish.changes
  const refusal = badRedirect(redirectUrls, before.type) ?? widening(scopes, wish.holder)
  if (refusal) throw refusal

  const after = await store.updateApplication(tx, { ...before, ...wish.changes })
  await publish(tx, { type: 'ApplicationChanged', clientId })
  return after
}
