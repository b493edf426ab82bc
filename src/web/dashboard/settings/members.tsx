// Members and their roles, and open invitations.

import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { usePlatformAgo } from '../app/clock.ts'
import { useAction, useData } from '../app/data.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField } from '../ui/field.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Menu } from '../ui/menu.tsx'
import { Failure, SkeletonRows } from '../ui/states.tsx'
import { memberTexts, roles } from './texts.ts'

type Member = Operations['members.list']['item']

export function Page() {
  const t = useTexts(memberTexts)
  const { can } = useSession()
  const [isInviting, setIsInviting] = useState(false)
  const [link, setLink] = useState<string | null>(null)
  return (
    <>
      <PageHead title={t.members} text={t.text}>
        {can('owner') && (
          <Button look="primary" icon="plus" onClick={() => setIsInviting(true)}>
            {t.invite}
          </Button>
        )}
      </PageHead>
      <div className="flex flex-col gap-4">
        <MemberList />
        <Invitations />
        {can('owner') && <SignInRule />}
      </div>
      {isInviting && (
        <FormDialog
          title={t.invite}
          text={t.inviteText}
          submit={t.invite}
          refreshes={['members', 'home']}
          fields={[
            { name: 'email', label: t.email, kind: 'email' },
            {
              name: 'role',
              label: t.role,
              kind: 'select',
              value: 'operator',
              choices: roles.map((it) => [it, t[it]] as const),
            },
          ]}
          run={(bozor, values) =>
            bozor.members.createInvitation({
              email: values['email'] ?? '',
              role: values['role'] as Member['role'],
            })
          }
          onDone={(reply) => setLink(reply.link)}
          onClose={() => setIsInviting(false)}
        />
      )}
      {link && (
        <Dialog title={t.link} isOpen onClose={() => setLink(null)}>
          <div className="flex flex-col gap-4 p-4">
            <p className="text-soft">{t.linkText}</p>
            <CopyText label={t.link} value={link} />
          </div>
        </Dialog>
      )}
    </>
  )
}

function SignInRule() {
  const t = useTexts(memberTexts)
  const rules = useData(['members', 'rules'], async (bozor) => (await bozor.members.getRules()).rules)
  const change = useAction(
    (bozor, isOn: boolean) => bozor.members.updateRules({ two_step_for_owners: isOn }),
    { refreshes: ['members'], done: t.saved },
  )
  return (
    <Card title={t.security}>
      <CheckField
        label={t.rule}
        hint={t.ruleText}
        checked={rules.data?.two_step_for_owners ?? false}
        disabled={!rules.data || change.isPending}
        onChange={(event) => change.mutate(event.target.checked)}
      />
    </Card>
  )
}

function MemberList() {
  const t = useTexts(memberTexts)
  const members = useData(['members', 'list'], (bozor) => bozor.members.list({ per_page: 100 }))
  if (members.error) return <Failure error={members.error} onRetry={() => void members.refetch()} />
  return (
    <Card title={t.members} isFlush>
      {!members.data && <SkeletonRows rows={3} />}
      <ul className="divide-line divide-y">
        {members.data?.items.map((it) => (
          <MemberRow key={it.id} value={it} />
        ))}
      </ul>
    </Card>
  )
}

function MemberRow({ value }: { value: Member }) {
  const t = useTexts(memberTexts)
  const { can, member } = useSession()
  const ago = usePlatformAgo()
  const options = { refreshes: ['members'], done: t.saved }
  const setRole = useAction(
    (bozor, role: Member['role']) => bozor.members.update({ member_id: value.id, role }),
    options,
  )
  const removeTwoStep = useAction((bozor) => bozor.members.removeTwoStep({ member_id: value.id }), options)
  const toggle = useAction(
    async (bozor): Promise<unknown> =>
      value.state === 'active'
        ? bozor.members.deactivate({ member_id: value.id })
        : bozor.members.reactivate({ member_id: value.id }),
    options,
  )
  return (
    <li className="flex min-h-13 items-center gap-4 px-4 py-2">
      <div className="min-w-0 flex-1">
        <div className="truncate font-medium">
          {value.name} {value.id === member.id && <span className="text-soft font-normal">({t.you})</span>}
        </div>
        <div className="text-soft text-xs break-words">
          {value.email}
          {value.last_seen_at && ` · ${t.seen} ${ago(value.last_seen_at)}`}
        </div>
      </div>
      {value.state === 'deactivated' && <Badge text={t.deactivated} />}
      <Badge text={t[value.role]} tone={value.role === 'owner' ? 'accent' : 'neutral'} isPlain />
      {can('owner') && (
        <Menu
          button={<IconButton icon="more" label={`${t.manage}: ${value.name}`} />}
          groups={[
            {
              label: t.role,
              items: roles.map((it) => ({
                label: t[it],
                isChecked: it === value.role,
                onSelect: () => setRole.mutate(it),
              })),
            },
            {
              items: [
                ...(value.id === member.id
                  ? []
                  : [{ label: t.removeTwoStep, onSelect: () => removeTwoStep.mutate(undefined) }]),
                {
                  label: value.state === 'active' ? t.deactivate : t.reactivate,
                  isDanger: value.state === 'active',
                  onSelect: () => toggle.mutate(undefined),
                },
              ],
            },
          ]}
        />
      )}
    </li>
  )
}

function Invitations() {
  const t = useTexts(memberTexts)
  const { can } = useSession()
  const ago = usePlatformAgo()
  const found = useData(['members', 'invitations'], (bozor) =>
    bozor.members.listInvitations({ per_page: 50 }),
  )
  const revoke = useAction((bozor, id: string) => bozor.members.revokeInvitation({ invitation_id: id }), {
    refreshes: ['members'],
    done: t.revoked,
  })
  const open = found.data?.items.filter((it) => it.state === 'open') ?? []
  if (open.length === 0) return null
  return (
    <Card title={t.invitations} isFlush>
      <ul className="divide-line divide-y">
        {open.map((it) => (
          <li key={it.id} className="flex h-12 items-center gap-4 px-4">
            <span className="min-w-0 flex-1 truncate">{it.email}</span>
            <span className="text-soft text-xs max-sm:hidden">
              {t.expires} {ago(it.expires_at)}
            </span>
            <Badge text={t[it.role]} isPlain />
            {can('owner') && (
              <Button isSmall look="danger" onClick={() => revoke.mutate(it.id)}>
                {t.revoke}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
