// The way in. After it, the page that was asked for opens.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../app/data.ts'
import { clientFor, meKey, usePreferences, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { LanguageMenu, Mark, ThemeMenu } from './menus.tsx'

const table = {
  title: ['Sign in to Bozor', 'Вход в Bozor', 'Bozorga kirish'],
  lead: [
    'The dashboard of your shop.',
    'Панель управления вашим магазином.',
    'Do‘koningizni boshqarish paneli.',
  ],
  email: ['E-mail', 'Эл. почта', 'E-pochta'],
  password: ['Password', 'Пароль', 'Parol'],
  enter: ['Sign in', 'Войти', 'Kirish'],
  lost: [
    'Lost your password? An owner sets a new one with: bozor member reset-password',
    'Потеряли пароль? Владелец задаст новый командой: bozor member reset-password',
    'Parolni yo‘qotdingizmi? Egasi yangisini beradi: bozor member reset-password',
  ],
} as const

export function SignIn() {
  const t = useTexts(table)
  const { language, environment } = usePreferences()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () =>
      clientFor(language).memberSessions.create({ email: email.trim(), password, environment }),
    onSuccess: ({ member, scopes, session }) =>
      queries.setQueryData(meKey, { member, scopes, environment, session_id: session.id }),
  })
  const errors = fieldErrors(signIn.error)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-88">
        <div className="mb-6 flex items-center gap-3">
          <Mark size={36} />
          <div>
            <h1 className="text-lg leading-tight font-semibold tracking-tight">{t.title}</h1>
            <p className="text-soft">{t.lead}</p>
          </div>
        </div>
        <form
          onSubmit={onSubmit}
          noValidate
          className="border-line bg-surface shadow-raised flex flex-col gap-4 rounded-xl border p-5"
        >
          <TextField
            label={t.email}
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            error={errors['email']}
            onChange={(event) => setEmail(event.target.value)}
          />
          <TextField
            label={t.password}
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            error={errors['password']}
            onChange={(event) => setPassword(event.target.value)}
          />
          {signIn.error && Object.keys(errors).length === 0 && (
            <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
              {signIn.error.message}
            </p>
          )}
          <Button type="submit" look="primary" isBusy={signIn.isPending} className="h-9">
            {t.enter}
          </Button>
        </form>
        <p className="text-soft mt-4 text-xs">{t.lost}</p>
        <div className="mt-4 -ml-2 flex">
          <LanguageMenu />
          <ThemeMenu />
        </div>
      </div>
    </main>
  )
}
