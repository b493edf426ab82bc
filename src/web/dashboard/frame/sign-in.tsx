// The way in. After it, the page that was asked for opens.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { BozorError } from '../../../sdk/index.ts'
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
  lost: ['Lost your password?', 'Забыли пароль?', 'Parolni unutdingizmi?'],
  code: ['Code', 'Код', 'Kod'],
  codeHint: [
    'Six digits of your authenticator application, or a recovery code',
    'Шесть цифр из приложения-аутентификатора или резервный код',
    'Autentifikator ilovasidagi olti raqam yoki zaxira kod',
  ],
} as const

const isTwoStep = (error: Error | null): error is BozorError =>
  error instanceof BozorError && error.code === 'two_step_required'

const isOnlyAsking = ({ details }: BozorError): boolean =>
  (details as { reason?: string }).reason === 'missing'

export function SignIn() {
  const t = useTexts(table)
  const { language, environment } = usePreferences()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const signIn = useMutation({
    mutationFn: () =>
      clientFor(language).memberSessions.create({
        email: email.trim(),
        password,
        environment,
        ...(needsCode && code.trim() && { code: code.trim() }),
      }),
    onError: (error) => {
      if (isTwoStep(error)) setNeedsCode(true)
    },
    onSuccess: ({ member, scopes, session }) =>
      queries.setQueryData(meKey, { member, scopes, environment, session_id: session.id }),
  })
  // The first refusal only asks for a code.
  const error = isTwoStep(signIn.error) && isOnlyAsking(signIn.error) ? null : signIn.error
  const errors = fieldErrors(error)
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
          {needsCode && (
            <TextField
              label={t.code}
              hint={t.codeHint}
              name="code"
              autoComplete="one-time-code"
              autoFocus
              value={code}
              error={errors['code']}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
          {error && Object.keys(errors).length === 0 && (
            <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
              {error.message}
            </p>
          )}
          <Button type="submit" look="primary" isBusy={signIn.isPending} className="h-9">
            {t.enter}
          </Button>
        </form>
        <p className="mt-4 text-xs">
          <a href="/dashboard/lost-password" className="text-accent underline">
            {t.lost}
          </a>
        </p>
        <div className="mt-4 -ml-2 flex">
          <LanguageMenu />
          <ThemeMenu />
        </div>
      </div>
    </main>
  )
}
