import { html } from '../../http/docs-html.ts'
import type { PageReply } from '../../http/server.ts'
import type { Scope } from '../../http/scopes.ts'
import { hiddenFields } from './form.ts'
import { type Frame, page } from './layout.ts'
import { filled, rights, words } from './words.ts'

export interface ConsentPage extends Frame {
  applicationName: string
  scopes: readonly Scope[]
  /** The client who is asked, as he calls himself. */
  clientName: string
  /** Where the form is sent, by POST: `decision` is `allow` or `deny`, beside what is hidden. */
  action: string
  csrfToken: string
  hidden?: Record<string, string>
}

/** The page on which a buyer lets an application act for him, or not. */
export function consentPage(it: ConsentPage): PageReply {
  const said = words[it.language]
  const application = it.applicationName
  const content = html`<p class="who">${filled(said.consentAs, { name: it.clientName })}</p>
    <p class="lead" id="may">${filled(said.consentLead, { application })}</p>
    <ul class="may" aria-labelledby="may">
      ${it.scopes.map((scope) => html`<li>${rights[scope]?.[it.language] ?? scope}</li>`)}
    </ul>
    <form method="post" action="${it.action}">
      ${hiddenFields({ ...it.hidden, csrf_token: it.csrfToken, lang: it.language })}
      <div class="pair">
        <button class="quiet" type="submit" name="decision" value="deny">${said.deny}</button>
        <button type="submit" name="decision" value="allow">${said.allow}</button>
      </div>
    </form>`
  return page(it, filled(said.consent, { application }), content)
}
