import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { Application } from './application.ts'
import * as store from './store/applications.ts'

/** Ends an application and every key of it. */
export async function deleteApplication(
  tx: Tx,
  clientId: string,
  ifMatch: number | undefined,
): Promise<Application> {
  const application = await store.lockApplication(tx, clientId)
  if (!application) throw refuse('not_found')
  refuseStale(application, ifMatch)

  await store.endApplication(tx, clientId)
  await publish(tx, { type: 'ApplicationDeleted', clientId })
  return application
}
