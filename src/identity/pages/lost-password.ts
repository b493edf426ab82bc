// Pages for lost passwords, shared by buyers and members: one asks for a link, the other sets the new password.

import { html } from '../../http/html.ts'
import type { PageReply } from '../../http/server.ts'
import { alert, type Field, fieldsHtml, hiddenFields } from './form.ts'
import { type Frame, page, withLanguage } from './layout.ts'
import { texts } from './texts.ts'

export interface ResetForm extends Frame {
  /** Receives the POST. */
  action: string
  hidden?: Record<string, string>
  values?: Record<string, string | undefined>
  problem?: string
  problems?: Record<string, string | undefined>
}

/** Asks for a phone number or an e-mail address (`login`), or for an e-mail address alone (`email`). */
export function lostPasswordPage(
  it: ResetForm & { asksFor: 'login' | 'email'; signInPath: string },
): PageReply {
  const text = texts[it.language]
  const fields: Field[] = [
    it.asksFor === 'email'
      ? { name: 'email', label: text.email, type: 'email', autocomplete: 'username' }
      : { name: 'login', label: text.login, type: 'text', autocomplete: 'username' },
  ]
  const content = html`<p class="lead">
      ${it.asksFor === 'email' ? text.lostPasswordLeadMember : text.lostPasswordLead}
    </p>
    ${alert(it.problem)}
    <form method="post" action="${it.action}" novalidate>
      ${hiddenFields({ ...it.hidden, lang: it.language })} ${fieldsHtml(fields, it)}
      <button type="submit">${text.sendLink}</button>
    </form>
    <p class="other"><a href="${withLanguage(it.signInPath, it.language)}">${text.backToSignIn}</a></p>`
  return page(it, text.lostPassword, content)
}

/**
 * The token is in the URL fragment, which is not sent to the server. The script copies it into the form and the
 * language links, and removes it from the address bar.
 */
const script = `
const field = document.getElementById('token')
field.value ||= location.hash.slice(1)
for (const link of document.querySelectorAll('nav a')) link.hash = field.value
history.replaceState(null, '', location.pathname + location.search)
`

export function newPasswordPage(it: Omit<ResetForm, 'script'>): PageReply {
  const text = texts[it.language]
  const fields: Field[] = [
    {
      name: 'password',
      label: text.newPassword,
      type: 'password',
      autocomplete: 'new-password',
      hint: text.passwordHint,
    },
    { name: 'token', label: text.resetCode, type: 'text', autocomplete: 'off', hint: text.resetCodeHint },
  ]
  const content = html`<p class="lead">${text.newPasswordLead}</p>
    ${alert(it.problem)}
    <form method="post" action="${it.action}" novalidate>
      ${hiddenFields({ lang: it.language })} ${fieldsHtml(fields, it)}
      <button type="submit">${text.savePassword}</button>
    </form>`
  return page({ ...it, script }, text.newPassword, content)
}

/** A sentence and the way to the sign-in page. */
export function resetMessagePage(it: Frame & { title: string; text: string; signInPath: string }): PageReply {
  const content = html`<p class="lead">${it.text}</p>
    <p class="other">
      <a href="${withLanguage(it.signInPath, it.language)}">${texts[it.language].backToSignIn}</a>
    </p>`
  return page(it, it.title, content)
}
