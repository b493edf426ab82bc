// The page on which an invited person becomes a member.

import { Refusal } from '../../base/refusal.ts'
import { html } from '../../http/html.ts'
import type { Language } from '../../http/language.ts'
import { name, strict, text } from '../../http/schema.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { checker } from '../../http/validation.ts'
import { alert, type Field, fieldsHtml, hiddenFields } from '../pages/form.ts'
import { type Frame, messagePage, page } from '../pages/layout.ts'
import { languageOf, ownForm, type Problems, problemsOf } from '../pages/submitted-form.ts'
import { interpolate, texts } from '../pages/texts.ts'
import { acceptInvitation, checkInvitation } from './invitations.ts'
import { tokenPattern } from './member.ts'
import { memberResetPages } from './reset-pages.ts'
import type { PasswordDeps } from './sign-in.ts'

export const joinPath = '/dashboard/join'

const check = checker()(
  strict({
    token: text({ max: 60, pattern: tokenPattern }),
    name: name(200, 'Anna'),
    password: text({ max: 1_000 }),
  }),
)

export const memberPages = (deps: PasswordDeps): Page[] => [
  { path: joinPath, run: ({ request }) => joinPage({ language: languageOf(request) }) },
  { method: 'POST', path: joinPath, run: ownForm((call) => submitJoin(deps, call)) },
  ...memberResetPages(deps),
]

async function submitJoin(deps: PasswordDeps, { request, form }: PageRequest): Promise<PageReply> {
  const language = languageOf(request, form)
  const { joined, joinedAs } = texts[language]
  const given = {
    token: (form['token'] ?? '').trim(),
    name: (form['name'] ?? '').trim(),
    password: form['password'] ?? '',
  }
  try {
    check(given)
    const passwordHash = await checkInvitation(deps, given)
    const { email } = await deps.db.transaction((tx) => acceptInvitation(tx, { ...given, passwordHash }))
    return messagePage({
      language,
      here: null,
      status: 201,
      title: joined,
      text: interpolate(joinedAs, { email }),
    })
  } catch (error) {
    return joinPage({ language, values: given, ...problemsOfJoining(error, language) })
  }
}

/** All reasons why a link does not work get the same text. */
function problemsOfJoining(error: unknown, language: Language): Problems {
  if (error instanceof Refusal && error.code === 'not_found')
    return { status: 404, problems: { token: texts[language].badInvitation } }
  return problemsOf(error, language)
}

export type JoinField = 'token' | 'name' | 'password'

export interface JoinPage extends Omit<Frame, 'here' | 'script'> {
  values?: Partial<Record<JoinField, string>>
  problem?: string
  problems?: Partial<Record<JoinField, string>>
}

/**
 * The token is in the URL fragment, which is not sent to the server. The script copies it into the form and the
 * language links.
 */
const script = `
const field = document.getElementById('token')
field.value ||= location.hash.slice(1)
for (const link of document.querySelectorAll('nav a')) link.hash = field.value
`

export function joinPage(it: JoinPage): PageReply {
  const text = texts[it.language]
  const fields: Field[] = [
    { name: 'name', label: text.name, type: 'text', autocomplete: 'name' },
    {
      name: 'password',
      label: text.password,
      type: 'password',
      autocomplete: 'new-password',
      hint: text.passwordHint,
    },
    { name: 'token', label: text.invitation, type: 'text', autocomplete: 'off', hint: text.invitationHint },
  ]
  const content = html`<p class="lead">${text.joinLead}</p>
    ${alert(it.problem)}
    <form method="post" action="${joinPath}" novalidate>
      ${hiddenFields({ lang: it.language })} ${fieldsHtml(fields, it)}
      <button type="submit">${text.join}</button>
    </form>`
  return page({ ...it, here: joinPath, script }, text.joinTitle, content)
}
