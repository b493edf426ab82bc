// Schemas and views shared by the routes of members and their sessions.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { instant, nullable, oneOf, text, named } from '../../http/schema.ts'
import { emailOf } from '../clients/client.ts'
import { type Member, roles } from './member.ts'

export const emailField = text({ max: 254, pattern: '@', examples: ['anna@shop.uz'] })

export const memberReply = named(
  'Member',
  Type.Object({
    id: Type.String({ examples: ['member_6fJ2mQ9vXc1aTzR8wK3b'] }),
    email: Type.String({ examples: ['anna@shop.uz'] }),
    name: Type.String({ examples: ['Anna'] }),
    role: oneOf(roles),
    state: oneOf(['active', 'deactivated']),
    created_at: instant,
    updated_at: instant,
    last_seen_at: nullable(instant),
  }),
)

export const memberView = (it: Member) => ({
  id: it.id,
  email: it.email,
  name: it.name,
  role: it.role,
  state: it.state,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
  last_seen_at: it.lastSeenAt?.toISOString() ?? null,
})

/** Normalizes an e-mail address or refuses it. */
export function validEmail(text: string): string {
  const email = emailOf(text)
  if (email === undefined)
    throw refuse('validation_failed', { fields: [{ path: 'email', rule: 'format', limit: 'anna@shop.uz' }] })
  return email
}
