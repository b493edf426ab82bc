import { html } from '../../http/docs-html.ts'
import type { PageReply } from '../../http/server.ts'
import { hiddenFields } from './form.ts'
import { type Frame, page } from './layout.ts'
import { filled, words } from './words.ts'

/** Where somebody comes to who is signed in already and was not on his way to anywhere. */
export function signedInPage(it: Frame & { clientName: string; signOutAction: string }): PageReply {
  const said = words[it.language]
  const content = html`<p class="lead">${filled(said.signedInAs, { name: it.clientName })}</p>
    <form method="post" action="${it.signOutAction}">
      ${hiddenFields({ lang: it.language })}
      <button class="quiet" type="submit">${said.signOut}</button>
    </form>`
  return page(it, said.signedIn, content)
}
