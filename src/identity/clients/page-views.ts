import { html } from '../../http/html.ts'
import type { PageReply } from '../../http/server.ts'
import { alert, field, type Field, fieldsHtml, hiddenFields } from '../pages/form.ts'
import { type Frame, withLanguage, page } from '../pages/layout.ts'
import { interpolate, texts } from '../pages/texts.ts'

export interface SignInPage extends Frame {
  /** Receives the POST with `login`, `password` and the hidden fields. */
  action: string
  hidden: Record<string, string>
  /** The application that requested the sign-in. */
  applicationName?: string
  signUpPath?: string
  lostPasswordPath?: string
  login?: string
  /** Errors of the whole form and of single fields. */
  problem?: string
  problems?: { login?: string; password?: string }
}

export function signInPage(it: SignInPage): PageReply {
  const text = texts[it.language]
  const { problems = {} } = it
  const beginsWithPassword = Boolean(it.login) && problems.login === undefined
  const content = html`<p class="lead">
      ${
        it.applicationName === undefined
          ? text.signInLead
          : interpolate(text.signInFor, { application: it.applicationName })
      }
    </p>
    ${alert(it.problem)}
    <form method="post" action="${it.action}" novalidate>
      ${hiddenFields({ ...it.hidden, lang: it.language })}
      ${field({
        name: 'login',
        label: text.login,
        type: 'text',
        autocomplete: 'username',
        value: it.login,
        problem: problems.login,
        autofocus: !beginsWithPassword,
      })}
      ${field({
        name: 'password',
        label: text.password,
        type: 'password',
        autocomplete: 'current-password',
        problem: problems.password,
        autofocus: beginsWithPassword,
      })}
      <button type="submit">${text.enter}</button>
    </form>
    ${
      it.lostPasswordPath !== undefined &&
      html`<p class="other">
        <a href="${withLanguage(it.lostPasswordPath, it.language)}">${text.lostPasswordLink}</a>
      </p>`
    }
    ${
      it.signUpPath !== undefined &&
      html`<p class="other">
        ${text.noAccount} <a href="${withLanguage(it.signUpPath, it.language)}">${text.signUp}</a>
      </p>`
    }`
  return page(it, text.signIn, content)
}

export type SignUpField = 'name' | 'phone' | 'email' | 'password'

export interface SignUpPage extends Frame {
  action: string
  hidden: Record<string, string>
  signInPath: string
  values?: Partial<Record<SignUpField, string>>
  problem?: string
  problems?: Partial<Record<SignUpField, string>>
}

export function signUpPage(it: SignUpPage): PageReply {
  const text = texts[it.language]
  const fields: Field[] = [
    { name: 'name', label: text.name, type: 'text', autocomplete: 'name' },
    { name: 'phone', label: text.phone, type: 'tel', autocomplete: 'tel', hint: '+998 90 123 45 67' },
    { name: 'email', label: text.email, aside: text.optional, type: 'email', autocomplete: 'email' },
    {
      name: 'password',
      label: text.password,
      type: 'password',
      autocomplete: 'new-password',
      hint: text.passwordHint,
    },
  ]
  const content = html`<p class="lead">${text.signUpLead}</p>
    ${alert(it.problem)}
    <form method="post" action="${it.action}" novalidate>
      ${hiddenFields({ ...it.hidden, lang: it.language })} ${fieldsHtml(fields, it)}
      <button type="submit">${text.create}</button>
    </form>
    <p class="other">
      ${text.haveAccount} <a href="${withLanguage(it.signInPath, it.language)}">${text.enter}</a>
    </p>`
  return page(it, text.signUp, content)
}

/** Shown to a signed-in client who has no page to return to. */
export function signedInPage(it: Frame & { clientName: string; signOutAction: string }): PageReply {
  const text = texts[it.language]
  const content = html`<p class="lead">${interpolate(text.signedInAs, { name: it.clientName })}</p>
    <form method="post" action="${it.signOutAction}">
      ${hiddenFields({ lang: it.language })}
      <button class="quiet" type="submit">${text.signOut}</button>
    </form>`
  return page(it, text.signedIn, content)
}
