// Rules for all members, which owners set.

import { Type } from 'typebox'
import type { Reader, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { get, patch, type Principal, type Route } from '../../http/route.ts'
import { flag, strict } from '../../http/schema.ts'
import type { Scope } from '../../http/scopes.ts'
import { type Member, scopesOfRole, twoStepForOwners } from './member.ts'
import { loadMemberRules, lockOwners, saveMemberRules } from './store.ts'
import { findTwoStep } from './two-step/store.ts'

const hasTwoStep = async (read: Reader, memberId: string): Promise<boolean> =>
  (await findTwoStep(read, memberId))?.confirmedAt != null

/** Whether the member must turn two-step sign-in on before doing anything else. */
export const lacksTwoStep = async (
  read: Reader,
  { id, role }: Pick<Member, 'id' | 'role'>,
): Promise<boolean> =>
  role === 'owner' && (await loadMemberRules(read)).twoStepForOwners && !(await hasTwoStep(read, id))

/** What the member may do now. */
export const scopesOfMember = async (read: Reader, member: Member): Promise<Scope[]> =>
  (await lacksTwoStep(read, member)) ? [] : [...scopesOfRole(member.role)]

/** An owner turns it on with two-step sign-in of their own, so that one owner at least is not shut out. */
async function requireTwoStepOfOwners(tx: Tx, { isOn, by }: { isOn: boolean; by: string }): Promise<void> {
  await lockOwners(tx)
  if (isOn && !(await hasTwoStep(tx, by))) throw conflict('two_step_is_off', {})
  if ((await loadMemberRules(tx)).twoStepForOwners === isOn) return
  await saveMemberRules(tx, { twoStepForOwners: isOn })
  publish(tx, { type: 'MemberRulesChanged', rule: twoStepForOwners, isOn })
}

const actorOf = (principal: Principal | null): string =>
  principal?.actor.kind === 'member' ? principal.actor.memberId : ''

const rulesReply = Type.Object({ rules: Type.Object({ two_step_for_owners: flag }) })
const view = async (read: Reader) => ({
  data: { rules: { two_step_for_owners: (await loadMemberRules(read)).twoStepForOwners } },
})

export const memberRulesRoutes: Route[] = [
  get('/v1/admin/members/rules', {
    summary: 'Get the rules for all members',
    scope: 'admin:read',
    platform: true,
    reply: rulesReply,
    run: ({ read }) => view(read),
  }),
  patch('/v1/admin/members/rules', {
    summary: 'Change the rules for all members',
    description:
      'With `two_step_for_owners` an owner without two-step sign-in can only turn it on. The caller must have it on.',
    scope: 'admin:write',
    needs: 'owner',
    platform: true,
    body: strict({ two_step_for_owners: flag }),
    reply: rulesReply,
    refusals: ['conflict'],
    run: async ({ tx, body, principal }) => {
      await requireTwoStepOfOwners(tx, { isOn: body.two_step_for_owners, by: actorOf(principal) })
      return view(tx)
    },
  }),
]
