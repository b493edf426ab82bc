// The second step of a member's sign-in: a code of an authenticator application, or a recovery code.

import type { Database, Tx } from '../../../base/database.ts'
import { publish } from '../../../base/outbox.ts'
import { conflict } from '../../../base/conflict.ts'
import { refuse } from '../../../base/refusal.ts'
import type { Vault } from '../../../base/vault.ts'
import { type Attempt, countAttempts, refundAttempts } from '../../attempts-store.ts'
import { findMember, lockMember } from '../store.ts'
import {
  deleteTwoStep,
  findTwoStep,
  insertTwoStep,
  replaceRecoveryCodes,
  saveStep,
  type TwoStep,
  useRecoveryCode,
} from './store.ts'
import {
  acceptedStep,
  codeForm,
  newRecoveryCodes,
  newSecret,
  recoveryHash,
  secretTextOf,
  secretUri,
} from './totp.ts'

const issuer = 'Bozor'
const ownerOf = (memberId: string): string => `member two-step ${memberId}`
const secretOf = (vault: Vault, it: TwoStep): Buffer =>
  Buffer.from(vault.open(it.secret, ownerOf(it.memberId)), 'base64')

const attemptsOf = (memberId: string): Attempt[] => [{ budget: 'twoStep', who: memberId }]

/** Counts an attempt to enter a code, before it is compared; a correct code gives the attempts back. */
export const countCode = (db: Database, memberId: string): Promise<void> =>
  countAttempts(db, attemptsOf(memberId))

/** Creates a secret. It protects nothing until a code of it is confirmed. */
export async function beginTwoStep(
  tx: Tx,
  vault: Vault,
  memberId: string,
): Promise<{ secret: string; uri: string }> {
  const member = await findMember(tx, memberId)
  if (!member) throw refuse('not_found')
  const secret = newSecret()
  const sealed = vault.seal(secret.toString('base64'), ownerOf(memberId))
  if (!(await insertTwoStep(tx, memberId, sealed))) throw conflict('two_step_is_on', {})
  return { secret: secretTextOf(secret), uri: secretUri(secret, { email: member.email, issuer }) }
}

/** Turns the second step on with a first code. Returns the recovery codes, which are shown once. */
export async function confirmTwoStep(tx: Tx, vault: Vault, given: GivenCode): Promise<string[]> {
  await lockMember(tx, given.memberId)
  const pending = await findTwoStep(tx, given.memberId)
  if (!pending || pending.confirmedAt) throw conflict(pending ? 'two_step_is_on' : 'two_step_not_begun', {})
  const step = acceptedStep(secretOf(vault, pending), given.code, { now: tx.now, lastStep: pending.lastStep })
  if (step === undefined) throw wrongCode()
  await saveStep(tx, given.memberId, step)
  publish(tx, { type: 'MemberTwoStepEnabled', memberId: given.memberId })
  refundAttempts(tx, attemptsOf(given.memberId))
  return replaceCodes(tx, given.memberId)
}

async function replaceCodes(tx: Tx, memberId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(tx, memberId, codes.map(recoveryHash))
  return codes
}

export interface GivenCode {
  memberId: string
  /** Six digits, or a recovery code. */
  code: string
}

const wrongCode = () => refuse('validation_failed', { fields: [{ path: 'code', rule: 'wrong' }] })

/** Replaces the recovery codes; the old ones stop working. */
export async function renewRecoveryCodes(tx: Tx, vault: Vault, given: GivenCode): Promise<string[]> {
  if (!(await useCode(tx, vault, given))) throw wrongCode()
  return replaceCodes(tx, given.memberId)
}

/** Turns the member's own second step off. */
export async function disableTwoStep(tx: Tx, vault: Vault, given: GivenCode): Promise<void> {
  if (!(await useCode(tx, vault, given))) throw wrongCode()
  await removeTwoStep(tx, given.memberId)
}

/** Removes the second step of a member who lost the telephone and the recovery codes. */
export async function removeTwoStep(tx: Tx, memberId: string): Promise<void> {
  if (!(await deleteTwoStep(tx, memberId))) throw refuse('not_found')
  publish(tx, { type: 'MemberTwoStepDisabled', memberId })
}

/** Demands a code from a member who has a second step. The caller has locked the member. */
export async function requireSecondStep(
  tx: Tx,
  vault: Vault,
  given: { memberId: string; code: string | undefined },
): Promise<void> {
  const found = await findTwoStep(tx, given.memberId)
  if (!found?.confirmedAt) return
  if (given.code === undefined) throw refuse('two_step_required', { reason: 'missing' })
  if (!(await useCode(tx, vault, { memberId: given.memberId, code: given.code })))
    throw refuse('two_step_required', { reason: 'wrong' })
}

/** Whether the code is valid now. A code works once: the row lock orders concurrent attempts. */
async function useCode(tx: Tx, vault: Vault, { memberId, code }: GivenCode): Promise<boolean> {
  await lockMember(tx, memberId)
  const found = await findTwoStep(tx, memberId)
  if (!found?.confirmedAt) throw conflict('two_step_is_off', {})
  const isRight = codeForm.test(code)
    ? await useTotp(tx, vault, { found, code })
    : await useRecoveryCode(tx, memberId, recoveryHash(code))
  if (isRight) refundAttempts(tx, attemptsOf(memberId))
  return isRight
}

async function useTotp(
  tx: Tx,
  vault: Vault,
  { found, code }: { found: TwoStep; code: string },
): Promise<boolean> {
  const step = acceptedStep(secretOf(vault, found), code, { now: tx.now, lastStep: found.lastStep })
  if (step === undefined) return false
  await saveStep(tx, found.memberId, step)
  return true
}
