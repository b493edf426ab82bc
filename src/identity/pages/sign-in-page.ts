import { html } from '../../http/docs-html.ts'
import type { PageReply } from '../../http/server.ts'
import { alert, field, hiddenFields } from './form.ts'
import { type Frame, inTongue, page } from './layout.ts'
import { filled, words } from './words.ts'

export interface SignInPage extends Frame {
  /** Where the form is sent, by POST, as `application/x-www-form-urlencoded`: `login`, `password` and what is hidden. */
  action: string
  hidden: Record<string, string>
  /** The application for which the buyer signs in. */
  applicationName?: string
  /** Leads to the page on which an account is made. */
  signUpPath?: string
  login?: string
  /** What is wrong with the whole, and what with single fields. */
  problem?: string
  problems?: { login?: string; password?: string }
}

/** The page on which a buyer says who he is. */
export function signInPage(it: SignInPage): PageReply {
  const said = words[it.language]
  const { problems = {} } = it
  const beginsWithPassword = Boolean(it.login) && problems.login === undefined
  const content = html`<p class="lead">
      ${
        it.applicationName === undefined
          ? said.signInLead
          : filled(said.signInFor, { application: it.applicationName })
      }
    </p>
    ${alert(it.problem)}
    <form method="post" action="${it.action}" novalidate>
      ${hiddenFields({ ...it.hidden, lang: it.language })}
      ${field({
        name: 'login',
        label: said.login,
        type: 'text',
        autocomplete: 'username',
        value: it.login,
        problem: problems.login,
        autofocus: !beginsWithPassword,
      })}
      ${field({
        name: 'password',
        label: said.password,
        type: 'password',
        autocomplete: 'current-password',
        problem: problems.password,
        autofocus: beginsWithPassword,
      })}
      <button type="submit">${said.enter}</button>
    </form>
    ${
      it.signUpPath !== undefined &&
      html`<p class="other">
        ${said.noAccount} <a href="${inTongue(it.signUpPath, it.language)}">${said.signUp}</a>
      </p>`
    }`
  return page(it, said.signIn, content)
}
