// What members change about themselves: name, password, two-step sign-in, sessions.

import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { meKey, useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead, Pairs } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Sessions } from './sessions.tsx'
import { accountTexts } from './texts.ts'
import { TwoStep } from './two-step.tsx'

export function Page() {
  const t = useTexts(accountTexts)
  return (
    <>
      <PageHead title={t.title} />
      <div className="grid max-w-4xl gap-4">
        <Profile />
        <Password />
        <TwoStep />
        <Sessions />
      </div>
    </>
  )
}

function Profile() {
  const t = useTexts(accountTexts)
  const { member } = useSession()
  const queries = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card
      title={t.profile}
      action={
        <Button isSmall onClick={() => setIsOpen(true)}>
          {t.rename}
        </Button>
      }
    >
      <Pairs
        rows={[
          [t.name, member.name],
          [t.email, member.email],
        ]}
      />
      {isOpen && (
        <FormDialog
          title={t.rename}
          submit={t.save}
          done={t.saved}
          refreshes={['members']}
          fields={[{ name: 'name', label: t.name, value: member.name }]}
          run={(bozor, values) => bozor.members.updateMe({ name: values['name'] ?? '' })}
          onDone={() => void queries.invalidateQueries({ queryKey: meKey })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Card>
  )
}

function Password() {
  const t = useTexts(accountTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card title={t.password}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">{t.passwordText}</p>
        <Button onClick={() => setIsOpen(true)}>{t.changePassword}</Button>
      </div>
      {isOpen && (
        <FormDialog
          title={t.changePassword}
          submit={t.save}
          done={t.passwordChanged}
          refreshes={['sessions']}
          fields={[
            { name: 'current_password', label: t.current, kind: 'password' },
            { name: 'new_password', label: t.wanted, kind: 'password' },
          ]}
          run={(bozor, values) =>
            bozor.members.changeMyPassword({
              current_password: values['current_password'] ?? '',
              new_password: values['new_password'] ?? '',
            })
          }
          onClose={() => setIsOpen(false)}
        />
      )}
    </Card>
  )
}
