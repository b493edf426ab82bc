// The statements about members and their invitations.

import { brokenUnique, type Reader, type Tx } from '../../base/db.ts'
import { type Listing, sliceOf, type Slice } from '../../base/listing.ts'
import type { Invitation } from '../invitation.ts'
import type { Member, Role } from '../member.ts'

const columns = `id, email, name, role, state, version, created_at as "createdAt", updated_at as "updatedAt",
  last_seen_at as "lastSeenAt"`

export const memberSorts = ['created_at', 'name', 'email'] as const

export function listMembers(
  read: Reader,
  filter: { role?: string | undefined; state?: string | undefined },
  listing: Listing,
): Promise<Slice<Member>> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return sliceOf<Member>(
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

/** The hash of a member's password. */
export const findPasswordHash = async (read: Reader, memberId: string): Promise<string | undefined> =>
  (
    await read.maybe<{ hash: string }>(`select password_hash as hash from identity_members where id = $1`, [
      memberId,
    ])
  )?.hash

/** The active owners, held for this transaction: of two who change owners at once, the second sees what the first did. */
export const lockOwners = async (tx: Tx): Promise<string[]> =>
  (
    await tx.all<{ id: string }>(
      `select id from identity_members where role = 'owner' and state = 'active' order by id for update`,
    )
  ).map((it) => it.id)

export const lockMember = (tx: Tx, memberId: string): Promise<Member | undefined> =>
  tx.maybe<Member>(`select ${columns} from identity_members where id = $1 for update`, [memberId])

/** Adds a member; undefined when the address is another member's already. */
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

const invitationColumns = `id, email, role, invited_by as "invitedBy", created_at as "createdAt",
  expires_at as "expiresAt", accepted_at as "acceptedAt", revoked_at as "revokedAt"`

export const invitationSorts = ['created_at', 'email'] as const

export const listInvitations = (read: Reader, listing: Listing): Promise<Slice<Invitation>> =>
  sliceOf<Invitation>(
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

/** Adds an invitation; undefined when that address has an open one. One that ran out makes room for another. */
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
      if (brokenUnique(error) === 'identity_invitations_open') return undefined
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

export const oldInvitationsEnd = `delete from identity_invitations where id in (
  select id from identity_invitations where expires_at < $1 order by expires_at limit $2) returning 1`
