import { html } from '../../http/docs-html.ts'
import type { PageReply } from '../../http/server.ts'
import { alert, type Field, filledIn, hiddenFields } from './form.ts'
import { type Frame, inTongue, page } from './layout.ts'
import { words } from './words.ts'

export type SignUpField = 'name' | 'phone' | 'email' | 'password'

export interface SignUpPage extends Frame {
  action: string
  hidden: Record<string, string>
  signInPath: string
  values?: Partial<Record<SignUpField, string>>
  problem?: string
  problems?: Partial<Record<SignUpField, string>>
}

/** The page on which a buyer makes an account. */
export function signUpPage(it: SignUpPage): PageReply {
  const said = words[it.language]
  const fields: Field[] = [
    { name: 'name', label: said.name, type: 'text', autocomplete: 'name' },
    { name: 'phone', label: said.phone, type: 'tel', autocomplete: 'tel', hint: '+998 90 123 45 67' },
    { name: 'email', label: said.email, aside: said.optional, type: 'email', autocomplete: 'email' },
    {
      name: 'password',
      label: said.password,
      type: 'password',
      autocomplete: 'new-password',
      hint: said.passwordHint,
    },
  ]
  const content = html`<p class="lead">${said.signUpLead}</p>
    ${alert(it.problem)}
    <form method="post" action="${it.action}" novalidate>
      ${hiddenFields({ ...it.hidden, lang: it.language })} ${filledIn(fields, it)}
      <button type="submit">${said.create}</button>
    </form>
    <p class="other">
      ${said.haveAccount} <a href="${inTongue(it.signInPath, it.language)}">${said.enter}</a>
    </p>`
  return page(it, said.signUp, content)
}
