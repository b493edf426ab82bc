// Sessions of clients in the database.

import type { Reader, Tx } from '../../base/db.ts'
import type { Session } from '../session.ts'

const columns = `id, client_id as "clientId", user_agent as "userAgent", network, created_at as "createdAt",
  last_used_at as "lastUsedAt", ended_at as "endedAt"`

export const findSessionByHash = (
  read: Reader,
  hash: Buffer,
): Promise<(Session & { hash: Buffer }) | undefined> =>
  read.maybe(`select ${columns}, hash from identity_sessions where hash = $1`, [hash])

export const insertSession = (
  tx: Tx,
  it: Pick<Session, 'id' | 'clientId' | 'userAgent' | 'network'>,
  hash: Buffer,
): Promise<Session> =>
  tx.one<Session>(
    `insert into identity_sessions (id, hash, client_id, user_agent, network, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $6, $6) returning ${columns}`,
    [it.id, hash, it.clientId, it.userAgent, it.network, tx.now],
  )

/** A client's sessions that have not ended and cannot have died, the newest first. */
export const listSessions = (
  read: Reader,
  clientId: number,
  since: { createdAfter: Date; usedAfter: Date },
): Promise<Session[]> =>
  read.all<Session>(
    `select ${columns} from identity_sessions
     where client_id = $1 and ended_at is null and created_at > $2 and last_used_at > $3
     order by created_at desc, id limit 100`,
    [clientId, since.createdAfter, since.usedAfter],
  )

/** Ends one session of a client; undefined when he has none such that still runs. */
export const endSession = (tx: Tx, clientId: number, sessionId: string): Promise<Session | undefined> =>
  tx.maybe<Session>(
    `update identity_sessions set ended_at = $3 where id = $1 and client_id = $2 and ended_at is null
     returning ${columns}`,
    [sessionId, clientId, tx.now],
  )

/** Ends the sessions of clients, all but one, and returns whose they were. */
export const endSessionsOf = (
  tx: Tx,
  clientIds: readonly number[],
  except: string | null = null,
): Promise<{ id: string; clientId: number }[]> =>
  tx.all(
    `update identity_sessions set ended_at = $2
     where client_id = any($1) and ended_at is null and id is distinct from $3
     returning id, client_id as "clientId"`,
    [clientIds, tx.now, except],
  )

/** Ends the oldest sessions of a client, so that at most so many go on. */
export const endOldestSessions = (
  tx: Tx,
  clientId: number,
  keep: number,
): Promise<{ id: string; clientId: number }[]> =>
  tx.all(
    `update identity_sessions set ended_at = $2 where id in (
       select id from identity_sessions where client_id = $1 and ended_at is null
       order by created_at desc, id offset $3)
     returning id, client_id as "clientId"`,
    [clientId, tx.now, keep],
  )

/** Thirty days need no minutes: a row that was written lately is not written again. */
export async function noteUse(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  await tx.all(
    `update identity_sessions set last_used_at = used.at from unnest($1::text[], $2::timestamptz[]) as used (id, at)
     where identity_sessions.id = used.id and last_used_at < used.at - interval '10 minutes'`,
    [[...uses.keys()], [...uses.values()]],
  )
}

/** Sessions that cannot come back, for the job that forgets them. Those that died of disuse wait for their age. */
export const overAge = {
  days: 91,
  sql: `delete from identity_sessions where id in (
          select id from identity_sessions where created_at < $1 order by created_at limit $2) returning 1`,
}
export const overEnd = {
  days: 7,
  sql: `delete from identity_sessions where id in (
          select id from identity_sessions where ended_at < $1 order by ended_at limit $2) returning 1`,
}

/** Which of these clients have used a session since an instant. */
export const clientsSeenSince = async (
  read: Reader,
  clientIds: readonly number[],
  since: Date,
): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select distinct client_id as "clientId" from identity_sessions where client_id = any($1) and last_used_at > $2`,
      [clientIds, since],
    )
  ).map((it) => it.clientId)
