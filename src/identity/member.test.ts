import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type Scope, scopes } from '../http/scopes.ts'
import { type Invitation, newInvitationToken, stateOfInvitation, tokenPattern } from './invitation.ts'
import { brokenOwnership, newPassword, type Role, roles, scopesOfRole } from './member.ts'

// oxfmt-ignore
const promised: [Scope, ...boolean[]][] = [
  //                    owner developer operator analyst
  ['catalog:read',      true,  true,     true,    true],
  ['catalog:write',     true,  true,     true,    false],
  ['cart:read',         true,  true,     true,    true],
  ['cart:write',        true,  true,     true,    false],
  ['orders:read',       true,  true,     true,    true],
  ['orders:write',      true,  true,     true,    false],
  ['marketing:read',    true,  true,     true,    true],
  ['marketing:write',   true,  false,    true,    false],
  ['admin:read',        true,  true,     true,    true],
  ['admin:write',       true,  true,     false,   false],
]

for (const [scope, ...cells] of promised)
  for (const [at, may] of cells.entries())
    test(`${roles[at]!} ${may ? 'has' : 'lacks'} ${scope}`, () => {
      equal(scopesOfRole(roles[at]!).has(scope), may)
    })

test('the table knows every scope and every role', () => {
  deepEqual(
    promised.map(([scope]) => scope),
    [...scopes],
  )
  deepEqual([...scopesOfRole('owner')], [...scopes])
  deepEqual(roles, ['owner', 'developer', 'operator', 'analyst'] satisfies Role[])
})

test('somebody who can let others in stays', () => {
  const asked = (owners: string[], memberId: string, actorId: string | null, staysOwner = false) =>
    brokenOwnership(owners, { actorId, memberId, staysOwner })?.code
  equal(asked(['a', 'b'], 'b', 'a'), undefined)
  equal(asked(['a'], 'a', 'a'), 'conflict')
  equal(asked(['a'], 'a', null), 'conflict')
  equal(asked(['a'], 'a', 'a', true), undefined)
  equal(asked(['a'], 'x', 'a'), undefined)
  equal(asked([], 'x', null), undefined)
  equal(asked(['b'], 'b', 'a'), 'insufficient_permissions')
  equal(asked(['b', 'c'], 'b', 'a'), 'insufficient_permissions')
})

test('a password that is made for somebody is long and never the same', () => {
  match(newPassword(), /^([0-9A-Za-z]{5}-){3}[0-9A-Za-z]{5}$/)
  notEqual(newPassword(), newPassword())
})

test('an invitation is open for a week, unless it is accepted or revoked', () => {
  const now = new Date('2026-11-01T09:00:00Z')
  const { token, expiresAt } = newInvitationToken(now)
  equal(new RegExp(tokenPattern).test(token), true)
  equal(expiresAt.toISOString(), '2026-11-08T09:00:00.000Z')
  const open: Invitation = {
    id: 'invitation_1',
    email: 'a@b.uz',
    role: 'analyst',
    invitedBy: null,
    createdAt: now,
    expiresAt,
    acceptedAt: null,
    revokedAt: null,
  }
  equal(stateOfInvitation(open, new Date('2026-11-08T08:59:59Z')), 'open')
  equal(stateOfInvitation(open, expiresAt), 'expired')
  equal(stateOfInvitation({ ...open, revokedAt: now }, now), 'revoked')
  equal(stateOfInvitation({ ...open, acceptedAt: now }, expiresAt), 'accepted')
})
