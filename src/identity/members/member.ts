// Members (people who run the shop), their roles, invitations and sessions: types and pure rules.

import { dayMs } from '../../base/clock.ts'
import type { Environment } from '../../base/database.ts'
import { secretText, sha256 } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { type Refusal, refuse } from '../../base/refusal.ts'
import { type Scope, scopes } from '../../http/scopes.ts'

export const roles = ['owner', 'developer', 'operator', 'analyst'] as const
export type Role = (typeof roles)[number]

export interface Member {
  id: string
  email: string
  name: string
  role: Role
  state: 'active' | 'deactivated'
  version: number
  createdAt: Date
  updatedAt: Date
  lastSeenAt: Date | null
}

/**
 * Scopes of each role. A developer has the scopes that keys may have, because a caller cannot grant a scope it lacks;
 * campaigns address buyers in the shop's name and need an operator. Only owners manage members.
 */
// oxfmt-ignore
const rights: Record<Scope, Record<Role, '●' | '·'>> = {
  'catalog:read':    { owner: '●', developer: '●', operator: '●', analyst: '●' },
  'catalog:write':   { owner: '●', developer: '●', operator: '●', analyst: '·' },
  'cart:read':       { owner: '●', developer: '●', operator: '●', analyst: '●' },
  'cart:write':      { owner: '●', developer: '●', operator: '●', analyst: '·' },
  'orders:read':     { owner: '●', developer: '●', operator: '●', analyst: '●' },
  'orders:write':    { owner: '●', developer: '●', operator: '●', analyst: '·' },
  'marketing:read':  { owner: '●', developer: '●', operator: '●', analyst: '●' },
  'marketing:write': { owner: '●', developer: '·', operator: '●', analyst: '·' },
  'admin:read':      { owner: '●', developer: '●', operator: '●', analyst: '●' },
  'admin:write':     { owner: '●', developer: '●', operator: '·', analyst: '·' },
  'profile:read':    { owner: '●', developer: '●', operator: '·', analyst: '·' },
  'profile:write':   { owner: '●', developer: '●', operator: '·', analyst: '·' },
}

export const scopesOfRole = (role: Role): ReadonlySet<Scope> =>
  new Set(scopes.filter((it) => rights[it][role] === '●'))

/** The name of the rule, in events and caches. */
export const twoStepForOwners = 'two_step_for_owners'

/** A generated password, in groups that can be read aloud. */
export const generatePassword = (): string => secretText(20).replace(/(.{5})(?=.)/g, '$1-')

/**
 * Why a change of members is refused, if it is. `owners` are the active owners, locked until the change is made: the
 * caller may have just lost the role, and one owner must remain. `actorId` is null for the command line.
 */
export function ownershipRefusal(
  owners: readonly string[],
  change: { actorId: string | null; memberId: string; staysOwner: boolean },
): Refusal | undefined {
  if (change.actorId !== null && !owners.includes(change.actorId)) return ownersOnly()
  const [last] = owners.length === 1 ? owners : []
  return last === change.memberId && !change.staysOwner
    ? conflict('last_owner', { member_id: change.memberId })
    : undefined
}

export const ownersOnly = (): Refusal =>
  refuse('insufficient_permissions', {
    required_scopes: ['admin:write'],
    current_scopes: [],
    needs: 'owner',
  })

export interface Invitation {
  id: string
  email: string
  role: Role
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
  acceptedAt: Date | null
  revokedAt: Date | null
}

const lifetimeMs = 7 * dayMs
export const tokenPattern = '^inv_[0-9A-Za-z]{40}$'

/** Creates the secret of an invitation link. */
export function newInvitationToken(now: Date): { token: string; hash: Buffer; expiresAt: Date } {
  const token = `inv_${secretText(40)}`
  return { token, hash: sha256(token), expiresAt: new Date(now.getTime() + lifetimeMs) }
}

/** The page that accepts the invitation. The fragment is not sent to servers, so no log contains the token. */
export const joinLink = (origin: string, token: string): string => `${origin}/dashboard/join#${token}`

export const invitationStates = ['open', 'accepted', 'revoked', 'expired'] as const

export function stateOfInvitation(it: Invitation, now: Date): (typeof invitationStates)[number] {
  if (it.acceptedAt) return 'accepted'
  if (it.revokedAt) return 'revoked'
  return it.expiresAt <= now ? 'expired' : 'open'
}

export interface MemberSession {
  id: string
  memberId: string
  environment: Environment
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  endsAt: Date
}

export const memberCookie = 'bozor_member'
/** Members have more power than buyers, so their sessions are shorter. */
export const memberIdleMs = dayMs
export const memberSessionMs = 14 * dayMs

const valueForm = /^ms_(live|test)_[0-9A-Za-z]{40}$/

export function newMemberSession(
  environment: Environment,
  now: Date,
): { id: string; value: string; hash: Buffer; endsAt: Date } {
  const value = `ms_${environment}_${secretText(40)}`
  return {
    id: `session_${secretText(20)}`,
    value,
    hash: sha256(value),
    endsAt: new Date(now.getTime() + memberSessionMs),
  }
}

/** The environment in which a session begins; undefined for other text. */
export const environmentOfMemberSession = (value: string): Environment | undefined =>
  valueForm.exec(value)?.[1] as Environment | undefined
