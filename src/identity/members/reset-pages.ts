// Pages on which a member asks for a link and sets a new password.

import type { FastifyRequest } from 'fastify'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { networkOf } from '../../http/admission.ts'
import { lostPasswordPage, newPasswordPage, resetMessagePage } from '../pages/lost-password.ts'
import { languageOf, ownForm, problemsOf } from '../pages/submitted-form.ts'
import { texts } from '../pages/texts.ts'
import { memberLostPasswordPath, memberResetPath } from '../reset-tokens.ts'
import {
  checkMemberReset,
  countMemberResetRequest,
  requestMemberPasswordReset,
  resetMemberPassword,
} from './password-reset.ts'
import type { PasswordDeps } from './sign-in.ts'

const signInPath = '/dashboard'

export const memberResetPages = (deps: PasswordDeps): Page[] => [
  { path: memberLostPasswordPath, run: ({ request }) => lostPasswordPage(lostFrame(request)) },
  { method: 'POST', path: memberLostPasswordPath, run: ownForm((call) => submitRequest(deps, call)) },
  { path: memberResetPath, run: ({ request }) => newPasswordPage(newFrame(request)) },
  { method: 'POST', path: memberResetPath, run: ownForm((call) => submitPassword(deps, call)) },
]

const lostFrame = (request: FastifyRequest, form: { lang?: string } = {}) => ({
  language: languageOf(request, form),
  here: memberLostPasswordPath,
  action: memberLostPasswordPath,
  asksFor: 'email' as const,
  signInPath,
})

const newFrame = (request: FastifyRequest, form: { lang?: string } = {}) => ({
  language: languageOf(request, form),
  here: memberResetPath,
  action: memberResetPath,
})

async function submitRequest(deps: PasswordDeps, { request, form }: PageRequest): Promise<PageReply> {
  const frame = lostFrame(request, form)
  const { language } = frame
  const text = texts[language]
  const email = (form['email'] ?? '').trim()
  if (!email.includes('@'))
    return lostPasswordPage({ ...frame, status: 422, values: { email }, problems: { email: text.badEmail } })
  try {
    await countMemberResetRequest(deps.db, { email, network: networkOf(request.ip) })
    await deps.db.transaction((tx) => requestMemberPasswordReset(tx, { email, language }))
    return resetMessagePage({ ...frame, here: null, title: text.lostPassword, text: text.linkSent })
  } catch (error) {
    return lostPasswordPage({ ...frame, values: { email }, ...problemsOf(error, language) })
  }
}

async function submitPassword(deps: PasswordDeps, { request, form }: PageRequest): Promise<PageReply> {
  const frame = newFrame(request, form)
  const { language } = frame
  const text = texts[language]
  const token = (form['token'] ?? '').trim()
  try {
    const given = { token, password: form['password'] ?? '', network: networkOf(request.ip) }
    const checked = await checkMemberReset(deps, given)
    await deps.db.transaction((tx) => resetMemberPassword(tx, checked))
    const [title, sentence] = [text.passwordSaved, text.passwordSavedLead]
    return resetMessagePage({ ...frame, here: null, title, text: sentence, signInPath })
  } catch (error) {
    const { problems, ...failed } = problemsOf(error, language)
    return newPasswordPage({
      ...frame,
      values: { token },
      ...failed,
      problems: { ...problems, ...(problems?.['token'] && { token: text.badLink }) },
    })
  }
}
