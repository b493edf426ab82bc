// HTTP routes of members and invitations. Members are shared by both environments, so these are platform routes.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, patch, post, type Principal, type Route } from '../../http/route.ts'
import { changes, instant, list, name, nullable, oneOf, shownOnce, strict, named } from '../../http/schema.ts'
import { entityId } from '../entity-id.ts'
import { inviteMember, resendInvitation, revokeInvitation } from './invitations.ts'
import { type Invitation, invitationStates, joinLink, roles, stateOfInvitation } from './member.ts'
import { changeMember, deactivateMember, reactivateMember } from './members.ts'
import * as store from './store.ts'
import { emailField, memberReply, memberView, validEmail } from './wire.ts'

const memberId = entityId('member')
const invitationId = entityId('invitation')

const invitationReply = named(
  'Invitation',
  Type.Object({
    id: Type.String({ examples: ['invitation_6fJ2mQ9vXc1aTzR8wK3b'] }),
    email: Type.String({ examples: ['anna@shop.uz'] }),
    role: oneOf(roles),
    state: oneOf(invitationStates),
    invited_by: nullable(Type.String({ examples: ['member_1bC4dE7fG0hJ3kL6mN9p'] })),
    created_at: instant,
    expires_at: instant,
  }),
)
const once = (description: string, example: string) =>
  shownOnce(Type.String({ description, examples: [example] }))
const linkReply = {
  token: once('The secret of the link.', 'inv_…'),
  link: once('The page that accepts the invitation.', 'https://shop.example/dashboard/join#inv_…'),
}

const invitationView = (it: Invitation, now: Date) => ({
  id: it.id,
  email: it.email,
  role: it.role,
  state: stateOfInvitation(it, now),
  invited_by: it.invitedBy,
  created_at: it.createdAt.toISOString(),
  expires_at: it.expiresAt.toISOString(),
})

/** The route ensures that the caller is a member. */
const actorOf = (principal: Principal | null): string =>
  principal?.actor.kind === 'member' ? principal.actor.memberId : ''

const byOwners = { scope: 'admin:write', needs: 'owner', platform: true } as const

const readRoutes = [
  get('/v1/admin/members', {
    summary: 'List members',
    scope: 'admin:read',
    platform: true,
    query: listQuery(store.memberSorts, {
      role: Type.Optional(oneOf(roles)),
      state: Type.Optional(oneOf(['active', 'deactivated'])),
    }),
    reply: Type.Object({ members: list(memberReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'created_at')
      const slice = await store.listMembers(read, { role: query.role, state: query.state }, listing)
      return { data: { members: slice.rows.map(memberView), pagination: paginationView(listing, slice) } }
    },
  }),
  get('/v1/admin/members/{member_id}', {
    summary: 'Get a member',
    scope: 'admin:read',
    platform: true,
    params: { member_id: memberId },
    reply: Type.Object({ member: memberReply }),
    run: async ({ read, params }) => {
      const member = await store.findMember(read, params.member_id)
      if (!member) throw refuse('not_found')
      return { data: { member: memberView(member) }, version: member.version }
    },
  }),
  get('/v1/admin/members/invitations', {
    summary: 'List invitations',
    scope: 'admin:read',
    platform: true,
    query: listQuery(store.invitationSorts, {}, '-created_at'),
    reply: Type.Object({ invitations: list(invitationReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, '-created_at')
      const slice = await store.listInvitations(read, listing)
      const invitations = slice.rows.map((it) => invitationView(it, read.now))
      return { data: { invitations, pagination: paginationView(listing, slice) } }
    },
  }),
]

const changeRoutes = [
  patch('/v1/admin/members/{member_id}', {
    summary: 'Change the name or the role of a member',
    description: 'For owners. The last owner cannot be demoted. Open sessions follow within a second.',
    ...byOwners,
    params: { member_id: memberId },
    body: changes({ name: name(200, 'Anna'), role: oneOf(roles) }),
    reply: Type.Object({ member: memberReply }),
    versioned: true,
    refusals: ['conflict'],
    run: async ({ tx, params, body, ifMatch, principal }) => {
      const input = { changes: body, ifMatch, actorId: actorOf(principal) }
      const member = await changeMember(tx, params.member_id, input)
      return { data: { member: memberView(member) }, version: member.version }
    },
  }),
  post('/v1/admin/members/{member_id}/deactivate', {
    summary: 'Deactivate a member',
    description:
      'For owners. Ends the member’s sessions within a second. The last owner cannot be deactivated.',
    ...byOwners,
    params: { member_id: memberId },
    reply: Type.Object({ member: memberReply }),
    refusals: ['conflict'],
    run: async ({ tx, params, principal }) => ({
      data: { member: memberView(await deactivateMember(tx, params.member_id, actorOf(principal))) },
    }),
  }),
  post('/v1/admin/members/{member_id}/reactivate', {
    summary: 'Reactivate a member',
    description: 'For owners. Role and password stay as before.',
    ...byOwners,
    params: { member_id: memberId },
    reply: Type.Object({ member: memberReply }),
    run: async ({ tx, params, principal }) => ({
      data: { member: memberView(await reactivateMember(tx, params.member_id, actorOf(principal))) },
    }),
  }),
]

const invitationRoutes = [
  post('/v1/admin/members/invitations', {
    summary: 'Invite a member',
    description: 'For owners. Returns a link that works once, for seven days.',
    ...byOwners,
    body: strict({ email: emailField, role: oneOf(roles) }),
    reply: Type.Object({ invitation: invitationReply, ...linkReply }),
    creates: true,
    secrets: ['token', 'link'],
    refusals: ['conflict'],
    run: async ({ tx, body, principal, origin }) => {
      const input = { email: validEmail(body.email), role: body.role, actorId: actorOf(principal) }
      const { invitation, token } = await inviteMember(tx, input)
      return {
        data: { invitation: invitationView(invitation, tx.now), token, link: joinLink(origin, token) },
      }
    },
  }),
  post('/v1/admin/members/invitations/{invitation_id}/resend', {
    summary: 'Resend an invitation',
    description: 'For owners. Creates a new link that works for seven days; the old one stops working.',
    ...byOwners,
    params: { invitation_id: invitationId },
    reply: Type.Object({ invitation: invitationReply, ...linkReply }),
    secrets: ['token', 'link'],
    refusals: ['invalid_transition'],
    run: async ({ tx, params, principal, origin }) => {
      const { invitation, token } = await resendInvitation(tx, params.invitation_id, actorOf(principal))
      return {
        data: { invitation: invitationView(invitation, tx.now), token, link: joinLink(origin, token) },
      }
    },
  }),
  post('/v1/admin/members/invitations/{invitation_id}/revoke', {
    summary: 'Revoke an invitation',
    description: 'For owners. Idempotent.',
    ...byOwners,
    params: { invitation_id: invitationId },
    reply: Type.Object({ invitation: invitationReply }),
    refusals: ['invalid_transition'],
    run: async ({ tx, params, principal }) => {
      const invitation = await revokeInvitation(tx, params.invitation_id, actorOf(principal))
      return { data: { invitation: invitationView(invitation, tx.now) } }
    },
  }),
]

export const memberRoutes: Route[] = [...readRoutes, ...changeRoutes, ...invitationRoutes]
