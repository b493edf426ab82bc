// A member who has signed in. The session opens both environments; its value is marked with the one it begins in, and
// a call may say otherwise (ADR 0011).

import type { Environment } from '../base/db.ts'
import { secretText, sha256 } from '../base/random.ts'

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
/** Those who can change everything are asked for their password more often than buyers. */
export const memberIdleMs = 24 * 3_600_000
export const memberSessionMs = 14 * 86_400_000

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

/** The environment that a session begins in; undefined for a text that is no session of ours. */
export const markOfSession = (value: string): Environment | undefined =>
  valueForm.exec(value)?.[1] as Environment | undefined
