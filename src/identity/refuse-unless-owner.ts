import type { Tx } from '../base/db.ts'
import { ownersOnly } from './member.ts'
import { lockOwners } from './store/members.ts'

/**
 * Holds the owners until the change is made, and refuses one by somebody who has just ceased to be an owner. The owner
 * of the machine, at the command line, is null.
 */
export async function refuseUnlessOwner(tx: Tx, actorId: string | null): Promise<void> {
  const owners = await lockOwners(tx)
  if (actorId !== null && !owners.includes(actorId)) throw ownersOnly()
}
