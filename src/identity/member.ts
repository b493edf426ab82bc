// The people who run the shop, what each role may do, and what no change of members may bring about.

import { secretText } from '../base/random.ts'
import { type Refusal, refuse } from '../base/refusal.ts'
import { type Scope, scopes } from '../http/scopes.ts'

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
 * What a role may do. A developer holds what the keys he makes may hold, since nobody gives away a right that he does
 * not have; campaigns speak to buyers in the shop's name and are not his. Members are managed by owners alone.
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
}

export const scopesOfRole = (role: Role): ReadonlySet<Scope> =>
  new Set(scopes.filter((it) => rights[it][role] === '●'))

/** A password that is made for somebody, in groups that can be read aloud. */
export const newPassword = (): string => secretText(20).replace(/(.{5})(?=.)/g, '$1-')

/**
 * Why a change of members may not be made, if it may not. `owners` are those who are active now, and are held until the
 * change is made: whoever asked may have lost his rights a moment ago, and somebody must stay who can let others in.
 * `actorId` is null for the owner of the machine.
 */
export function brokenOwnership(
  owners: readonly string[],
  change: { actorId: string | null; memberId: string; staysOwner: boolean },
): Refusal | undefined {
  if (change.actorId !== null && !owners.includes(change.actorId)) return ownersOnly()
  const [last] = owners.length === 1 ? owners : []
  return last === change.memberId && !change.staysOwner
    ? refuse('conflict', { reason: 'the shop would have no owner left', member_id: change.memberId })
    : undefined
}

export const ownersOnly = (): Refusal =>
  refuse('insufficient_permissions', {
    required_scopes: ['admin:write'],
    current_scopes: [],
    needs: 'owner',
  })
