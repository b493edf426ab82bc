// Pages on which a buyer asks for a link and sets a new password.

import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../base/database.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { lostPasswordPage, newPasswordPage, resetMessagePage } from '../pages/lost-password.ts'
import { languageOf, ownForm, problemsOf } from '../pages/submitted-form.ts'
import { texts } from '../pages/texts.ts'
import { clientTokenForm, lostPasswordPath, resetPath } from '../reset-tokens.ts'
import { checkReset, countResetRequest, requestPasswordReset, resetPassword } from './change-password.ts'
import { returnPathOf } from './return-path.ts'
import { type ClientDeps, countedNetwork } from './sign-in.ts'

export const resetPages = (deps: ClientDeps): Page[] => [
  {
    path: lostPasswordPath,
    run: ({ request }) => lostPasswordPage(lostFrame(request, request.query as Record<string, string>)),
  },
  { method: 'POST', path: lostPasswordPath, run: ownForm((call) => submitRequest(deps, call)) },
  { path: resetPath, run: ({ request }) => newPasswordPage(newFrame(request)) },
  { method: 'POST', path: resetPath, run: ownForm((call) => submitPassword(deps, call)) },
]

type Given = Record<string, string | undefined>

/** Accounts of the test environment have pages too: the link on the sign-in page names it. */
const environmentIn = (given: Given): Environment => (given['environment'] === 'test' ? 'test' : 'live')

/** The page to return to is that of an authorization, or the sign-in page. */
const signInPathOf = (given: Given): string => returnPathOf({ return_to: given['return_to'] }) ?? '/sign-in'

function lostFrame(request: FastifyRequest, given: Given) {
  const hidden = { environment: environmentIn(given), return_to: signInPathOf(given) }
  return {
    language: languageOf(request, given),
    environment: hidden.environment,
    here: `${lostPasswordPath}?${new URLSearchParams(hidden).toString()}`,
    action: lostPasswordPath,
    hidden,
    asksFor: 'login' as const,
    signInPath: hidden.return_to,
  }
}

const newFrame = (request: FastifyRequest, form: { lang?: string } = {}) => ({
  language: languageOf(request, form),
  here: resetPath,
  action: resetPath,
})

async function submitRequest(deps: ClientDeps, { request, form }: PageRequest): Promise<PageReply> {
  const frame = lostFrame(request, form)
  const { language, environment } = frame
  const text = texts[language]
  const login = (form['login'] ?? '').trim()
  if (login === '') return lostPasswordPage({ ...frame, status: 422, problems: { login: text.needLogin } })
  try {
    const { db } = deps.shops[environment]
    await countResetRequest(db, login, countedNetwork(request.state.principal, request.ip))
    await db.transaction((tx) => requestPasswordReset(tx, { login, language }))
    return resetMessagePage({ ...frame, here: null, title: text.lostPassword, text: text.linkSent })
  } catch (error) {
    return lostPasswordPage({ ...frame, values: { login }, ...problemsOf(error, language) })
  }
}

async function submitPassword(deps: ClientDeps, { request, form }: PageRequest): Promise<PageReply> {
  const frame = newFrame(request, form)
  const { language } = frame
  const text = texts[language]
  const token = (form['token'] ?? '').trim()
  const environment = clientTokenForm.exec(token)?.[1] === 'test' ? 'test' : 'live'
  try {
    const { db } = deps.shops[environment]
    const given = { token, password: form['password'] ?? '' }
    const network = countedNetwork(request.state.principal, request.ip)
    const checked = await checkReset({ db, passwords: deps.passwords }, given, network)
    await db.transaction((tx) => resetPassword(tx, checked))
    return resetMessagePage({
      ...frame,
      environment,
      here: null,
      title: text.passwordSaved,
      text: text.passwordSavedLead,
      signInPath: '/sign-in',
    })
  } catch (error) {
    const { problems, ...failed } = problemsOf(error, language)
    return newPasswordPage({
      ...frame,
      environment,
      values: { token },
      ...failed,
      problems: { ...problems, ...(problems?.['token'] && { token: text.badLink }) },
    })
  }
}
