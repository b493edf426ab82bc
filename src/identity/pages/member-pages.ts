// Where somebody who was invited becomes a member, in his browser.

import { Refusal } from '../../base/refusal.ts'
import type { Language } from '../../http/language.ts'
import { name, strict, text } from '../../http/schema.ts'
import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { checker } from '../../http/validation.ts'
import { acceptInvitation, checkInvitation } from '../accept-invitation.ts'
import type { PasswordDesk } from '../check-member-password.ts'
import { tokenPattern } from '../invitation.ts'
import { joinPage, joinPath } from './join-page.ts'
import { messagePage } from './message-page.ts'
import { languageOf, ownForm } from './own-form.ts'
import { type Problems, problemsOf } from './problems.ts'
import { filled, words } from './words.ts'

const check = checker()(
  strict({
    token: text({ max: 60, pattern: tokenPattern }),
    name: name(200, 'Anna'),
    password: text({ max: 1_000 }),
  }),
)

export const memberPages = (desk: PasswordDesk): Page[] => [
  { path: joinPath, run: ({ request }) => joinPage({ language: languageOf(request) }) },
  { method: 'POST', path: joinPath, run: ownForm((call) => takeJoin(desk, call)) },
]

async function takeJoin(desk: PasswordDesk, { request, form }: PageRequest): Promise<PageReply> {
  const language = languageOf(request, form)
  const said = words[language]
  const given = {
    token: (form['token'] ?? '').trim(),
    name: (form['name'] ?? '').trim(),
    password: form['password'] ?? '',
  }
  try {
    check(given)
    const passwordHash = await checkInvitation(desk, given)
    const { email } = await desk.db.transaction((tx) => acceptInvitation(tx, { ...given, passwordHash }))
    const text = filled(said.joinedAs, { email })
    return messagePage({ language, here: null, status: 201, title: said.joined, text })
  } catch (error) {
    return joinPage({ language, values: given, ...problemsOfJoining(error, language) })
  }
}

/** A link that does not work is one thing, whatever the reason. */
function problemsOfJoining(error: unknown, language: Language): Problems {
  if (error instanceof Refusal && error.code === 'not_found')
    return { status: 404, problems: { token: words[language].badInvitation } }
  return problemsOf(error, language)
}
