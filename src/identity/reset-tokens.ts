// Tokens of password resets that the platform mails itself. They are derived from the id of the request with the secret
// key: the sender can build the link again at every attempt, and the database holds nothing but a hash (ADR 0043).

import { hourMs } from '../base/clock.ts'
import type { Environment } from '../base/database.ts'
import type { Vault } from '../base/vault.ts'

const tokenLength = 40
export const clientTokenForm = /^pr_(live|test)_[0-9A-Za-z]{40}$/
export const memberTokenPattern = '^mpr_[0-9A-Za-z]{40}$'

/** For one hour, once (ADR 0009). */
export const resetLifetimeMs = hourMs

const derived = (vault: Vault, purpose: string, resetId: string): string =>
  vault.sign(Buffer.from(resetId), purpose).toString('hex').slice(0, tokenLength)

export const clientResetToken = (vault: Vault, environment: Environment, resetId: string): string =>
  `pr_${environment}_${derived(vault, `password-reset-${environment}`, resetId)}`

/** Members belong to both environments, so their tokens name none. */
export const memberResetToken = (vault: Vault, resetId: string): string =>
  `mpr_${derived(vault, 'member-password-reset', resetId)}`

/** Pages that ask for a link. */
export const lostPasswordPath = '/lost-password'
export const memberLostPasswordPath = '/dashboard/lost-password'

/** Pages that set a new password. The fragment is not sent to servers, so no log contains the token. */
export const resetPath = '/reset-password'
export const memberResetPath = '/dashboard/reset-password'
