import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { signedOut } from './sign-in.ts'
import * as store from './store/sessions.ts'

/** Ends a session of a client, and returns whether there was one. Ending it again changes nothing. */
export async function signOut(tx: Tx, clientId: number, sessionId: string): Promise<boolean> {
  const ended = await store.endSession(tx, clientId, sessionId)
  await publishAll(tx, ended ? [signedOut(ended)] : [])
  return ended !== undefined
}

/** Ends every session of clients, all but one, and returns how many. */
export async function signOutEverywhere(
  tx: Tx,
  clientIds: readonly number[],
  except: string | null = null,
): Promise<number> {
  const ended = await store.endSessionsOf(tx, clientIds, except)
  await publishAll(tx, ended.map(signedOut))
  return ended.length
}
