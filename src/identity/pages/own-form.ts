// Forms that our own pages send, and the language in which they were filled in.

import type { FastifyRequest } from 'fastify'
import { type Language, languages } from '../../http/language.ts'
import type { PageReply, PageRequest } from '../../http/server.ts'
import { messagePage } from './message-page.ts'
import { words } from './words.ts'

/** Forms of other sites are not ours to follow, even when they bring no cookie: they would sign a reader in as another. */
export const ownForm =
  (take: (call: PageRequest) => Promise<PageReply>) =>
  async (call: PageRequest): Promise<PageReply> => {
    const { headers, asked } = call.request
    if (headers.origin === asked.origin) return take(call)
    const language = languageOf(call.request, call.form)
    const said = words[language]
    return messagePage({ language, here: null, status: 403, title: said.signIn, text: said.stale })
  }

/** The language that was chosen on the page, else the browser's. */
export const languageOf = (request: FastifyRequest, form: { lang?: string } = {}): Language => {
  const chosen = form.lang ?? (request.query as { lang?: unknown }).lang
  return languages.find((it) => it === chosen) ?? request.asked.wishes.language
}
