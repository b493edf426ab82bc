// The wire format of sessions, for the client and for members.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { flag, instant, named } from '../../http/schema.ts'
import { entityId } from '../entity-id.ts'
import { absoluteLifetimeMs, idleLifetimeMs, type Session } from './session.ts'
import { listSessions } from './store.ts'

export const sessionId = entityId('ses')

export const sessionReply = named(
  'ClientSession',
  Type.Object({
    id: sessionId,
    user_agent: Type.String({ examples: ['Mozilla/5.0'] }),
    network: Type.String({ examples: ['203.0.113.7'] }),
    current: flag,
    created_at: instant,
    last_used_at: instant,
    expires_at: instant,
  }),
)
export const sessionView = (it: Session, current: string | undefined) => ({
  id: it.id,
  user_agent: it.userAgent,
  network: it.network,
  current: it.id === current,
  created_at: it.createdAt.toISOString(),
  last_used_at: it.lastUsedAt.toISOString(),
  expires_at: new Date(it.createdAt.getTime() + absoluteLifetimeMs).toISOString(),
})

/** Sessions that neither ended nor expired. */
export function openSessions(read: Reader, clientId: number): Promise<Session[]> {
  const since = (ms: number) => new Date(read.now.getTime() - ms)
  return listSessions(read, clientId, {
    createdAfter: since(absoluteLifetimeMs),
    usedAfter: since(idleLifetimeMs),
  })
}
