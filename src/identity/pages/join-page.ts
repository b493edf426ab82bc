import { html } from '../../http/docs-html.ts'
import type { PageReply } from '../../http/server.ts'
import { alert, type Field, filledIn, hiddenFields } from './form.ts'
import { type Frame, page } from './layout.ts'
import { words } from './words.ts'

export type JoinField = 'token' | 'name' | 'password'

export interface JoinPage extends Omit<Frame, 'here' | 'script'> {
  values?: Partial<Record<JoinField, string>>
  problem?: string
  problems?: Partial<Record<JoinField, string>>
}

export const joinPath = '/dashboard/join'

/** The link keeps its secret behind `#`, where no server sees it: the page takes it from there, and keeps it in other languages. */
const script = `
const field = document.getElementById('token')
field.value ||= location.hash.slice(1)
for (const link of document.querySelectorAll('nav a')) link.hash = field.value
`

/** The page on which somebody who was invited becomes a member. */
export function joinPage(it: JoinPage): PageReply {
  const said = words[it.language]
  const fields: Field[] = [
    { name: 'name', label: said.name, type: 'text', autocomplete: 'name' },
    {
      name: 'password',
      label: said.password,
      type: 'password',
      autocomplete: 'new-password',
      hint: said.passwordHint,
    },
    { name: 'token', label: said.invitation, type: 'text', autocomplete: 'off', hint: said.invitationHint },
  ]
  const content = html`<p class="lead">${said.joinLead}</p>
    ${alert(it.problem)}
    <form method="post" action="${joinPath}" novalidate>
      ${hiddenFields({ lang: it.language })} ${filledIn(fields, it)}
      <button type="submit">${said.join}</button>
    </form>`
  return page({ ...it, here: joinPath, script }, said.joinTitle, content)
}
