// Pages for what went wrong: each says what the visitor can do.

import { BozorError } from '../../../sdk/index.ts'
import { html } from '../../../http/html.ts'
import { icon } from '../icons.ts'
import { page } from '../layout.ts'
import type { Reply } from '../storefront.ts'
import type { Visit } from '../visit.ts'

export function notFoundPage(visit: Visit): Promise<Reply> {
  const { texts } = visit
  const content = html`<div class="wrap">
    <section class="empty">
      ${icon('search')}
      <h1>${texts.notFound}</h1>
      <p>${texts.notFoundHint}</p>
      <a class="button brand" href="${visit.at('')}">${texts.toCatalog}</a>
    </section>
  </div>`
  return page(visit, { title: texts.notFound, isPrivate: true, status: 404, content })
}

export function failedPage(visit: Visit, error: unknown): Promise<Reply> {
  const { texts } = visit
  const known = error instanceof BozorError ? error : undefined
  // The address of an action is no page: the visitor returns to the page that has the form.
  const again = visit.isAction ? (visit.referer ?? visit.at('/cart')) : visit.here
  const content = html`<div class="wrap">
    <section class="empty">
      <h1>${texts.failed}</h1>
      <p>${known ? visit.say(known.message) : texts.failedHint}</p>
      <a class="button brand" href="${again}">${texts.tryAgain}</a>
    </section>
  </div>`
  return page(visit, { title: texts.failed, isPrivate: true, status: known?.status ?? 503, content })
}
