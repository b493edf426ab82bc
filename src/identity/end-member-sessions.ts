import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import * as store from './store/member-sessions.ts'

/** Ends one of a member's own sessions, on every process within a second. */
export async function endMemberSession(tx: Tx, memberId: string, sessionId: string): Promise<void> {
  if (!(await store.endMemberSession(tx, memberId, sessionId))) throw refuse('not_found')
  await publish(tx, { type: 'MemberSessionsEnded', memberId, count: 1 })
}

/** Ends all of a member's sessions but the one that is spared, and says how many those were. */
export async function endOtherSessions(tx: Tx, memberId: string, spared: string): Promise<number> {
  const count = await store.endMemberSessions(tx, memberId, spared)
  if (count > 0) await publish(tx, { type: 'MemberSessionsEnded', memberId, count })
  return count
}
