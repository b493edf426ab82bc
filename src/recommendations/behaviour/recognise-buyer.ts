import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import * as store from '../store/behaviour.ts'

/** From now on, what was done under this name counts as done by the buyer. The first word stands. */
export async function recogniseBuyer(tx: Tx, name: string, buyer: string): Promise<void> {
  if (name === buyer || !(await store.insertName(tx, name, buyer))) return
  await publish(tx, { type: 'BuyerRecognised', buyer, name })
}
