// A link by which somebody becomes a member. It works once, for a week, and only its hash is kept.

import { secretText, sha256 } from '../base/random.ts'
import type { Role } from './member.ts'

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

const lifetimeMs = 7 * 86_400_000
export const tokenPattern = '^inv_[0-9A-Za-z]{40}$'

/** A new link's secret part. */
export function newInvitationToken(now: Date): { token: string; hash: Buffer; expiresAt: Date } {
  const token = `inv_${secretText(40)}`
  return { token, hash: sha256(token), expiresAt: new Date(now.getTime() + lifetimeMs) }
}

/** The page that accepts it. What stands behind `#` is not sent, so no log on the way holds the token. */
export const joinLink = (origin: string, token: string): string => `${origin}/dashboard/join#${token}`

export const invitationStates = ['open', 'accepted', 'revoked', 'expired'] as const

export function stateOfInvitation(it: Invitation, now: Date): (typeof invitationStates)[number] {
  if (it.acceptedAt) return 'accepted'
  if (it.revokedAt) return 'revoked'
  return it.expiresAt <= now ? 'expired' : 'open'
}
