// The statements about the sessions of members.

import type { Environment, Reader, Tx } from '../../base/db.ts'
import type { Role } from '../member.ts'
import type { MemberSession } from '../member-session.ts'

const columns = `id, member_id as "memberId", environment, user_agent as "userAgent", created_at as "createdAt",
  last_seen_at as "lastSeenAt", ends_at as "endsAt"`

/** A member who signs in once more than this loses the session that was not seen for the longest time. */
const maxSessions = 50

export async function insertMemberSession(
  tx: Tx,
  it: {
    id: string
    memberId: string
    hash: Buffer
    environment: Environment
    userAgent: string | null
    endsAt: Date
  },
): Promise<MemberSession> {
  const made = await tx.one<MemberSession>(
    `insert into identity_member_sessions (id, member_id, hash, environment, user_agent, created_at, last_seen_at, ends_at)
     values ($1, $2, $3, $4, $5, $6, $6, $7) returning ${columns}`,
    [it.id, it.memberId, it.hash, it.environment, it.userAgent, tx.now, it.endsAt],
  )
  await tx.all(
    `update identity_member_sessions set ended_at = $2 where id in (
       select id from identity_member_sessions where member_id = $1 and ended_at is null
       order by last_seen_at desc, id offset ${maxSessions})`,
    [it.memberId, tx.now],
  )
  return made
}

/** A member's open sessions, the one that was seen last first. */
export const listMemberSessions = (
  read: Reader,
  memberId: string,
  idleSince: Date,
): Promise<MemberSession[]> =>
  read.all<MemberSession>(
    `select ${columns} from identity_member_sessions
     where member_id = $1 and ended_at is null and ends_at > $2 and last_seen_at > $3
     order by last_seen_at desc, id limit ${maxSessions}`,
    [memberId, read.now, idleSince],
  )

/** Ends one session of a member; undefined when he has no such open one. */
export const endMemberSession = (
  tx: Tx,
  memberId: string,
  sessionId: string,
): Promise<MemberSession | undefined> =>
  tx.maybe<MemberSession>(
    `update identity_member_sessions set ended_at = $3 where id = $2 and member_id = $1 and ended_at is null
     returning ${columns}`,
    [memberId, sessionId, tx.now],
  )

/** Ends every session of a member but the one that is spared. */
export const endMemberSessions = async (tx: Tx, memberId: string, spared: string | null): Promise<number> =>
  (
    await tx.all(
      `update identity_member_sessions set ended_at = $2
       where member_id = $1 and ended_at is null and id is distinct from $3 returning 1`,
      [memberId, tx.now, spared],
    )
  ).length

export interface KnownMemberSession {
  sessionId: string
  hash: Buffer
  memberId: string
  role: Role
  lastSeenAt: Date
  endsAt: Date
  endedAt: Date | null
}

/** The session behind a hash. One of a member who may no longer enter has ended. */
export const findMemberSessionByHash = (
  read: Reader,
  hash: Buffer,
): Promise<KnownMemberSession | undefined> =>
  read.maybe<KnownMemberSession>(
    `select session.id as "sessionId", session.hash, session.member_id as "memberId", member.role,
       session.last_seen_at as "lastSeenAt", session.ends_at as "endsAt",
       coalesce(session.ended_at, case when member.state <> 'active' then member.updated_at end) as "endedAt"
     from identity_member_sessions session join identity_members member on member.id = session.member_id
     where session.hash = $1`,
    [hash],
  )

/** Notes when sessions, and with them their members, were last seen. */
export async function noteMembersSeen(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  await tx.all(
    `with seen as (
       update identity_member_sessions set last_seen_at = used.at
       from unnest($1::text[], $2::timestamptz[]) as used (id, at)
       where identity_member_sessions.id = used.id returning member_id, used.at as at)
     update identity_members set last_seen_at = latest.at
     from (select member_id, max(at) as at from seen group by member_id) as latest
     where identity_members.id = latest.member_id`,
    [[...uses.keys()], [...uses.values()]],
  )
}

export const oldSessionsEnd = `delete from identity_member_sessions where id in (
  select id from identity_member_sessions where least(ends_at, ended_at) < $1 limit $2) returning 1`
