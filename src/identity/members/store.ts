// SQL of members, invitations and member sessions.

import { violatedUnique, type Environment, type Reader, type Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import type { Invitation, Member, MemberSession, Role } from './member.ts'

const columns = `id, email, name, role, state, version, created_at as "createdAt", updated_at as "updatedAt",
  last_seen_at as "lastSeenAt"`

export const memberSorts = ['created_at', 'name', 'email'] as const

export function listMembers(
  read: Reader,
  filter: { role?: string | undefined; state?: string | undefined },
  listing: ListRequest,
): Promise<ListPage<Member>> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return loadPage<Member>(
    read,
    {
      columns,
      from: 'identity_members',
      where: given.map(([column], at) => `${column} = $${at + 1}`),
      values: given.map(([, value]) => value),
      sorts: {
        created_at: { by: 'created_at', type: 'timestamptz' },
        name: { by: 'name', type: 'text' },
        email: { by: 'email', type: 'text' },
      },
      key: { by: 'id', type: 'text' },
    },
    listing,
  )
}

export const findMember = (read: Reader, memberId: string): Promise<Member | undefined> =>
  read.maybe<Member>(`select ${columns} from identity_members where id = $1`, [memberId])

export interface MemberWithHash extends Member {
  passwordHash: string
}

export const findMemberByEmail = (read: Reader, email: string): Promise<MemberWithHash | undefined> =>
  read.maybe<MemberWithHash>(
    `select ${columns}, password_hash as "passwordHash" from identity_members where lower(email) = lower($1)`,
    [email],
  )

export const findPasswordHash = async (read: Reader, memberId: string): Promise<string | undefined> =>
  (
    await read.maybe<{ hash: string }>(`select password_hash as hash from identity_members where id = $1`, [
      memberId,
    ])
  )?.hash

/** Locks the active owners, so that concurrent changes of owners see each other. */
export const lockOwners = async (tx: Tx): Promise<string[]> =>
  (
    await tx.all<{ id: string }>(
      `select id from identity_members where role = 'owner' and state = 'active' order by id for update`,
    )
  ).map((it) => it.id)

export const lockMember = (tx: Tx, memberId: string): Promise<Member | undefined> =>
  tx.maybe<Member>(`select ${columns} from identity_members where id = $1 for update`, [memberId])

/** Adds a member; undefined when the e-mail address is taken. */
export const insertMember = (
  tx: Tx,
  it: { id: string; email: string; name: string; role: Role; passwordHash: string },
): Promise<Member | undefined> =>
  tx.maybe<Member>(
    `insert into identity_members (id, email, name, role, state, password_hash, created_at, updated_at)
     values ($1, $2, $3, $4, 'active', $5, $6, $6) on conflict (lower(email)) do nothing returning ${columns}`,
    [it.id, it.email, it.name, it.role, it.passwordHash, tx.now],
  )

export const updateMember = (tx: Tx, it: Member): Promise<Member> =>
  tx.one<Member>(
    `update identity_members set name = $2, role = $3, state = $4, updated_at = $5, version = version + 1
     where id = $1 returning ${columns}`,
    [it.id, it.name, it.role, it.state, tx.now],
  )

export async function savePassword(tx: Tx, memberId: string, passwordHash: string): Promise<void> {
  await tx.all(`update identity_members set password_hash = $2, updated_at = $3 where id = $1`, [
    memberId,
    passwordHash,
    tx.now,
  ])
}

export const hasMembers = async (read: Reader): Promise<boolean> =>
  (await read.maybe(`select 1 from identity_members limit 1`)) !== undefined

const neverUsed = `version = 1 and updated_at = created_at and last_seen_at is null
  and not exists (select 1 from identity_member_sessions where member_id = identity_members.id)
  and not exists (select 1 from identity_members other where other.id <> identity_members.id)`

/** Whether this is the only member and has neither signed in nor changed since creation. */
export const isNeverUsed = async (read: Reader, email: string): Promise<boolean> =>
  (await read.maybe(`select 1 from identity_members where lower(email) = lower($1) and ${neverUsed}`, [
    email,
  ])) !== undefined

/** Gives a member who was never used another first password; false if the member was used meanwhile. */
export const replaceFirstPassword = async (
  tx: Tx,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> =>
  (await tx.maybe(
    `update identity_members set password_hash = $2 where lower(email) = lower($1) and ${neverUsed} returning 1`,
    [email, passwordHash],
  )) !== undefined

const invitationColumns = `id, email, role, invited_by as "invitedBy", created_at as "createdAt",
  expires_at as "expiresAt", accepted_at as "acceptedAt", revoked_at as "revokedAt"`

export const invitationSorts = ['created_at', 'email'] as const

export const listInvitations = (read: Reader, listing: ListRequest): Promise<ListPage<Invitation>> =>
  loadPage<Invitation>(
    read,
    {
      columns: invitationColumns,
      from: 'identity_invitations',
      where: [],
      values: [],
      sorts: {
        created_at: { by: 'created_at', type: 'timestamptz' },
        email: { by: 'email', type: 'text' },
      },
      key: { by: 'id', type: 'text' },
    },
    listing,
  )

/** Adds an invitation; undefined when the address has an open one. Expired ones are revoked first. */
export async function insertInvitation(
  tx: Tx,
  it: Pick<Invitation, 'id' | 'email' | 'role' | 'invitedBy' | 'expiresAt'> & { hash: Buffer },
): Promise<Invitation | undefined> {
  await tx.all(
    `update identity_invitations set revoked_at = $2
     where lower(email) = lower($1) and accepted_at is null and revoked_at is null and expires_at <= $2`,
    [it.email, tx.now],
  )
  return tx
    .attempt(() =>
      tx.one<Invitation>(
        `insert into identity_invitations (id, email, role, hash, invited_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7) returning ${invitationColumns}`,
        [it.id, it.email, it.role, it.hash, it.invitedBy, tx.now, it.expiresAt],
      ),
    )
    .catch((error: unknown) => {
      if (violatedUnique(error) === 'identity_invitations_open') return undefined
      throw error
    })
}

export const lockInvitation = (tx: Tx, invitationId: string): Promise<Invitation | undefined> =>
  tx.maybe<Invitation>(`select ${invitationColumns} from identity_invitations where id = $1 for update`, [
    invitationId,
  ])

export const findInvitationByHash = (read: Reader, hash: Buffer): Promise<Invitation | undefined> =>
  read.maybe<Invitation>(`select ${invitationColumns} from identity_invitations where hash = $1`, [hash])

export const lockInvitationByHash = (tx: Tx, hash: Buffer): Promise<Invitation | undefined> =>
  tx.maybe<Invitation>(`select ${invitationColumns} from identity_invitations where hash = $1 for update`, [
    hash,
  ])

export const renewInvitation = (
  tx: Tx,
  invitationId: string,
  { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
): Promise<Invitation> =>
  tx.one<Invitation>(
    `update identity_invitations set hash = $2, expires_at = $3 where id = $1 returning ${invitationColumns}`,
    [invitationId, hash, expiresAt],
  )

export const endInvitation = (
  tx: Tx,
  invitationId: string,
  how: 'accepted' | 'revoked',
): Promise<Invitation> =>
  tx.one<Invitation>(
    `update identity_invitations set ${how}_at = $2 where id = $1 returning ${invitationColumns}`,
    [invitationId, tx.now],
  )

export const invitationsPurgeSql = `delete from identity_invitations where id in (
  select id from identity_invitations where expires_at < $1 order by expires_at limit $2) returning 1`

const sessionColumns = `id, member_id as "memberId", environment, user_agent as "userAgent", created_at as "createdAt",
  last_seen_at as "lastSeenAt", ends_at as "endsAt"`

/** Beyond this number the least recently used session ends. */
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
     values ($1, $2, $3, $4, $5, $6, $6, $7) returning ${sessionColumns}`,
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

/** Open sessions of a member, most recently used first. */
export const listMemberSessions = (
  read: Reader,
  memberId: string,
  idleSince: Date,
): Promise<MemberSession[]> =>
  read.all<MemberSession>(
    `select ${sessionColumns} from identity_member_sessions
     where member_id = $1 and ended_at is null and ends_at > $2 and last_seen_at > $3
     order by last_seen_at desc, id limit ${maxSessions}`,
    [memberId, read.now, idleSince],
  )

/** Ends one session; undefined when it is not open. */
export const endMemberSession = (
  tx: Tx,
  memberId: string,
  sessionId: string,
): Promise<MemberSession | undefined> =>
  tx.maybe<MemberSession>(
    `update identity_member_sessions set ended_at = $3 where id = $2 and member_id = $1 and ended_at is null
     returning ${sessionColumns}`,
    [memberId, sessionId, tx.now],
  )

/** Ends all sessions of a member except one. */
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
  /** An owner who must turn two-step sign-in on first. */
  lacksTwoStep: boolean
  lastSeenAt: Date
  endsAt: Date
  endedAt: Date | null
}

/** A session by its hash. Sessions of deactivated members count as ended. */
export interface MemberRules {
  /** Owners without two-step sign-in may do nothing but turn it on. */
  twoStepForOwners: boolean
}

export const loadMemberRules = async (read: Reader): Promise<MemberRules> =>
  (await read.maybe<MemberRules>(
    `select two_step_for_owners as "twoStepForOwners" from identity_member_rules where id = 1`,
  )) ?? { twoStepForOwners: false }

export async function saveMemberRules(tx: Tx, { twoStepForOwners }: MemberRules): Promise<void> {
  await tx.all(
    `insert into identity_member_rules (id, two_step_for_owners, updated_at) values (1, $1, $2)
     on conflict (id) do update set two_step_for_owners = excluded.two_step_for_owners, updated_at = excluded.updated_at`,
    [twoStepForOwners, tx.now],
  )
}

export const findMemberSessionByHash = (
  read: Reader,
  hash: Buffer,
): Promise<KnownMemberSession | undefined> =>
  read.maybe<KnownMemberSession>(
    `select session.id as "sessionId", session.hash, session.member_id as "memberId", member.role,
       session.last_seen_at as "lastSeenAt", session.ends_at as "endsAt",
       coalesce(session.ended_at, case when member.state <> 'active' then member.updated_at end) as "endedAt",
       member.role = 'owner' and exists (select 1 from identity_member_rules where two_step_for_owners)
         and not exists (select 1 from identity_member_two_steps step
           where step.member_id = member.id and step.confirmed_at is not null) as "lacksTwoStep"
     from identity_member_sessions session join identity_members member on member.id = session.member_id
     where session.hash = $1`,
    [hash],
  )

/** Saves when sessions and their members were last seen. */
export async function recordMembersSeen(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
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

export const memberSessionsPurgeSql = `delete from identity_member_sessions where id in (
  select id from identity_member_sessions where least(ends_at, ended_at) < $1 limit $2) returning 1`
