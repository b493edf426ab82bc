// Registering an application: its type, what it may do, and then its credentials, which are shown once.

import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useAction } from '../app/data.ts'
import { fieldErrors } from '../app/field-errors.ts'
import type { Scope } from '../app/scope.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField, TextArea, TextField } from '../ui/field.tsx'
import { Credentials, type Issued } from './credentials.tsx'
import { applicationTexts, scopeTexts } from './texts.ts'

/** What a developer builds, and the type of application for it. The server of a mini-app calls with a key. */
const typeOf = { server: 'server', web: 'web', mobile: 'mobile', miniApp: 'server' } as const
const kinds = ['server', 'web', 'mobile', 'miniApp'] as const
type Kind = (typeof kinds)[number]

const usualScopes: Scope[] = ['catalog:read', 'cart:read', 'cart:write', 'orders:read', 'orders:write']

export function RegisterDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(applicationTexts)
  const navigate = useNavigate()
  const [issued, setIssued] = useState<Issued | null>(null)
  const close = () => {
    onClose()
    if (issued) void navigate({ to: `/applications/${issued.clientId}` })
  }
  return (
    <Dialog title={issued ? t.copyNow : t.register} isOpen onClose={close}>
      {issued ? <Credentials issued={issued} onClose={close} /> : <RegisterForm onIssued={setIssued} />}
    </Dialog>
  )
}

function RegisterForm({ onIssued }: { onIssued(issued: Issued): void }) {
  const t = useTexts(applicationTexts)
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('server')
  const type = typeOf[kind]
  const [scopes, setScopes] = useState<readonly Scope[]>(usualScopes)
  const [redirects, setRedirects] = useState('')
  const register = useAction(
    (bozor) =>
      bozor.applications.create({
        name: name.trim(),
        type,
        scopes: [...scopes],
        ...(type !== 'server' && { redirect_urls: redirects.split(/\s+/).filter(Boolean) }),
      }),
    {
      refreshes: ['applications', 'home'],
      isQuiet: true,
      onDone: ({ application, api_key, client_secret }) =>
        onIssued({ clientId: application.client_id, apiKey: api_key, clientSecret: client_secret }),
    },
  )
  const errors = fieldErrors(register.error)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    register.mutate(undefined)
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4 p-4">
      <TextField
        label={t.name}
        name="name"
        value={name}
        error={errors['name']}
        onChange={(event) => setName(event.target.value)}
      />
      <KindChoice kind={kind} onChange={setKind} />
      {type !== 'server' && (
        <TextArea
          label={t.redirects}
          rows={2}
          value={redirects}
          error={errors['redirect_urls']}
          onChange={(event) => setRedirects(event.target.value)}
        />
      )}
      <ScopeChoice scopes={scopes} onChange={setScopes} />
      {register.error && Object.keys(errors).length === 0 && (
        <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
          {register.error.message}
        </p>
      )}
      <Button type="submit" look="primary" className="self-end" isBusy={register.isPending}>
        {t.register}
      </Button>
    </form>
  )
}

function KindChoice({ kind, onChange }: { kind: Kind; onChange(kind: Kind): void }) {
  const t = useTexts(applicationTexts)
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1 font-medium">{t.type}</legend>
      {kinds.map((it) => (
        <label
          key={it}
          className="border-strong has-checked:border-accent has-checked:bg-accent-soft cursor-pointer rounded-md border p-2.5"
        >
          <input
            type="radio"
            name="type"
            value={it}
            checked={it === kind}
            onChange={() => onChange(it)}
            className="sr-only"
          />
          <span className="block font-medium">{t[it]}</span>
          <span className="text-soft block text-xs">{t[`${it}Hint`]}</span>
        </label>
      ))}
    </fieldset>
  )
}

function ScopeChoice({
  scopes,
  onChange,
}: {
  scopes: readonly Scope[]
  onChange(scopes: readonly Scope[]): void
}) {
  const t = useTexts(applicationTexts)
  const names = useTexts(scopeTexts)
  // Members cannot grant a scope that their own role lacks.
  const { scopes: own } = useSession()
  return (
    <fieldset className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
      <legend className="mb-2 font-medium">{t.scopes}</legend>
      {[...own].map((it) => (
        <CheckField
          key={it}
          label={<code className="font-mono text-xs">{it}</code>}
          hint={names[it]}
          checked={scopes.includes(it)}
          onChange={() =>
            onChange(scopes.includes(it) ? scopes.filter((other) => other !== it) : [...scopes, it])
          }
        />
      ))}
    </fieldset>
  )
}
