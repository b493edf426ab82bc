// HTTP routes of the second step of a member's sign-in.

import { Type } from 'typebox'
import { refuse } from '../../../base/refusal.ts'
import type { Vault } from '../../../base/vault.ts'
import { del, get, post, type Principal, type Route } from '../../../http/route.ts'
import { flag, integer, shownOnce, strict, text } from '../../../http/schema.ts'
import { refundAttempts } from '../../attempts-store.ts'
import { checkOwnPassword, type PasswordDeps } from '../sign-in.ts'
import { countRecoveryCodes, findTwoStep } from './store.ts'
import {
  beginTwoStep,
  confirmTwoStep,
  countCode,
  disableTwoStep,
  removeTwoStep,
  renewRecoveryCodes,
} from './two-step.ts'

export const codeField = text({
  max: 40,
  description: 'Six digits of the authenticator application, or a recovery code.',
  examples: ['123456'],
})
const bySelf = { scope: null, needs: 'member', platform: true } as const
const recoveryCodes = Type.Object({
  recovery_codes: shownOnce(
    Type.Array(Type.String({ examples: ['k3f9x-2mw7p'] }), {
      description: 'Each replaces a code once.',
      maxItems: 10,
    }),
  ),
})

function ownMemberId(principal: Principal | null): string {
  if (principal?.actor.kind !== 'member') throw refuse('unauthorized', { reason: 'missing' })
  return principal.actor.memberId
}

export const twoStepRoutes = ({ db, passwords, vault }: PasswordDeps & { vault: Vault }): Route[] => [
  get('/v1/admin/me/two-step', {
    summary: 'Get the state of your two-step sign-in',
    ...bySelf,
    reply: Type.Object({ enabled: flag, recovery_codes_left: integer(0, 10) }),
    run: async ({ read, principal }) => {
      const memberId = ownMemberId(principal)
      const found = await findTwoStep(read, memberId)
      const left = await countRecoveryCodes(read, memberId)
      return { data: { enabled: found?.confirmedAt != null, recovery_codes_left: left } }
    },
  }),
  post('/v1/admin/me/two-step', {
    summary: 'Begin two-step sign-in',
    description:
      'Creates a secret for an authenticator application (TOTP: SHA-1, 6 digits, 30 seconds). It protects the account once a code is confirmed.',
    ...bySelf,
    body: strict({ password: text({ max: 1_000, examples: ['correct horse battery'] }) }),
    reply: Type.Object({
      secret: shownOnce(Type.String({ examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] })),
      uri: shownOnce(
        Type.String({
          description: 'For a QR code.',
          examples: ['otpauth://totp/Bozor%3Aanna%40shop.uz?secret=…'],
        }),
      ),
    }),
    secrets: ['secret', 'uri'],
    refusals: ['conflict', 'rate_limit_exceeded'],
    prepare: ({ body, principal }) =>
      checkOwnPassword({ db, passwords }, ownMemberId(principal), {
        path: 'password',
        password: body.password,
      }),
    run: async ({ tx, principal, prepared }) => {
      refundAttempts(tx, prepared.attempts)
      return { data: await beginTwoStep(tx, vault, ownMemberId(principal)) }
    },
  }),
  post('/v1/admin/me/two-step/confirm', {
    summary: 'Turn two-step sign-in on',
    description: 'Confirms the secret with a first code.',
    ...bySelf,
    body: strict({ code: codeField }),
    reply: recoveryCodes,
    secrets: ['recovery_codes'],
    refusals: ['conflict', 'rate_limit_exceeded'],
    prepare: ({ principal }) => countCode(db, ownMemberId(principal)),
    run: async ({ tx, body, principal }) => ({
      data: {
        recovery_codes: await confirmTwoStep(tx, vault, {
          memberId: ownMemberId(principal),
          code: body.code,
        }),
      },
    }),
  }),
  post('/v1/admin/me/two-step/recovery-codes', {
    summary: 'Replace your recovery codes',
    description: 'The old ones stop working.',
    ...bySelf,
    body: strict({ code: codeField }),
    reply: recoveryCodes,
    secrets: ['recovery_codes'],
    refusals: ['conflict', 'rate_limit_exceeded'],
    prepare: ({ principal }) => countCode(db, ownMemberId(principal)),
    run: async ({ tx, body, principal }) => ({
      data: {
        recovery_codes: await renewRecoveryCodes(tx, vault, {
          memberId: ownMemberId(principal),
          code: body.code,
        }),
      },
    }),
  }),
  del('/v1/admin/me/two-step', {
    summary: 'Turn two-step sign-in off',
    ...bySelf,
    body: strict({ code: codeField }),
    reply: Type.Object({ enabled: flag }),
    refusals: ['conflict', 'rate_limit_exceeded'],
    prepare: ({ principal }) => countCode(db, ownMemberId(principal)),
    run: async ({ tx, body, principal }) => {
      await disableTwoStep(tx, vault, { memberId: ownMemberId(principal), code: body.code })
      return { data: { enabled: false } }
    },
  }),
  del('/v1/admin/members/{member_id}/two-step', {
    summary: 'Turn two-step sign-in of a member off',
    description: 'For owners, when a member has lost the telephone and the recovery codes.',
    scope: 'admin:write',
    needs: 'owner',
    platform: true,
    params: { member_id: text({ max: 60, examples: ['member_6fJ2mQ9vXc1aTzR8wK3b'] }) },
    reply: Type.Object({ enabled: flag }),
    run: async ({ tx, params }) => {
      await removeTwoStep(tx, params.member_id)
      return { data: { enabled: false } }
    },
  }),
]
