// The sign-in page. After it, the requested page opens.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { BozorError } from '../../../sdk/index.ts'
import { fieldErrors } from '../app/field-errors.ts'
import { clientFor, forgetData, loadMe, meKey, usePreferences, useTexts } from '../app/session.tsx'
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

interface Entered {
  email: string
  password: string
  code: string
}

/** Signs in; a member with two-step sign-in is asked for a code after the first attempt. */
function useSignIn(entered: Entered) {
  const { language, environment } = usePreferences()
  const queries = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const signIn = useMutation({
    mutationFn: () =>
      clientFor(language).memberSessions.create({
        email: entered.email.trim(),
        password: entered.password,
        environment,
        ...(needsCode && entered.code.trim() && { code: entered.code.trim() }),
      }),
    onError: (error) => {
      if (isTwoStep(error)) setNeedsCode(true)
    },
    onSuccess: async () => {
      forgetData(queries)
      queries.setQueryData(meKey, await loadMe(language))
    },
  })
  // The first refusal only asks for a code.
  const error = isTwoStep(signIn.error) && isOnlyAsking(signIn.error) ? null : signIn.error
  return { needsCode, error, isBusy: signIn.isPending, submit: () => signIn.mutate() }
}

export function SignIn() {
  const t = useTexts(table)
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
        <SignInForm />
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

function SignInForm() {
  const t = useTexts(table)
  const [entered, setEntered] = useState<Entered>({ email: '', password: '', code: '' })
  const { needsCode, error, isBusy, submit } = useSignIn(entered)
  const errors = fieldErrors(error)
  const field = (name: keyof Entered) => ({
    label: t[name],
    name,
    value: entered[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => {
      const { value } = event.target
      setEntered((all) => ({ ...all, [name]: value }))
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <form
      onSubmit={onSubmit}
      noValidate
      className="border-line bg-surface shadow-raised flex flex-col gap-4 rounded-xl border p-5"
    >
      <TextField {...field('email')} type="email" autoComplete="username" />
      <TextField {...field('password')} type="password" autoComplete="current-password" />
      {needsCode && <TextField {...field('code')} hint={t.codeHint} autoComplete="one-time-code" autoFocus />}
      {error && Object.keys(errors).length === 0 && (
        <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
          {error.message}
        </p>
      )}
      <Button type="submit" look="primary" isBusy={isBusy} className="h-9">
        {t.enter}
      </Button>
    </form>
  )
}
