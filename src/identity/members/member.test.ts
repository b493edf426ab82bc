import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type Scope, scopes } from '../../http/scopes.ts'
import {
  ownershipRefusal,
  type Invitation,
  newInvitationToken,
  generatePassword,
  type Role,
  roles,
  scopesOfRole,
  stateOfInvitation,
  tokenPattern,
} from './member.ts'

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
  ['profile:read',      true,  true,     false,   false],
  ['profile:write',     true,  true,     false,   false],
]

for (const [scope, ...cells] of promised)
  for (const [at, may] of cells.entries())
    test(`${roles[at]!} ${may ? 'has' : 'lacks'} ${scope}`, () => {
      equal(scopesOfRole(roles[at]!).has(scope), may)
    })

test('the role table covers every scope and role', () => {
  deepEqual(
    promised.map(([scope]) => scope),
    [...scopes],
  )
  deepEqual([...scopesOfRole('owner')], [...scopes])
  deepEqual(roles, ['owner', 'developer', 'operator', 'analyst'] satisfies Role[])
})

test('the last owner remains', () => {
  const asked = (owners: string[], memberId: string, actorId: string | null, staysOwner = false) =>
    ownershipRefusal(owners, { actorId, memberId, staysOwner })?.code
  equal(asked(['a', 'b'], 'b', 'a'), undefined)
  equal(asked(['a'], 'a', 'a'), 'conflict')
  equal(asked(['a'], 'a', null), 'conflict')
  equal(asked(['a'], 'a', 'a', true), undefined)
  equal(asked(['a'], 'x', 'a'), undefined)
  equal(asked([], 'x', null), undefined)
  equal(asked(['b'], 'b', 'a'), 'insufficient_permissions')
  equal(asked(['b', 'c'], 'b', 'a'), 'insufficient_permissions')
})

test('generated passwords are long and unique', () => {
  match(generatePassword(), /^([0-9A-Za-z]{5}-){3}[0-9A-Za-z]{5}$/)
  notEqual(generatePassword(), generatePassword())
})

test('an invitation is open for a week unless accepted or revoked', () => {
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
