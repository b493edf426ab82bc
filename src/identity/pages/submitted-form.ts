// Handling of submitted forms: origin check, language, and error texts beside the fields.

import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../base/refusal.ts'
import { type Language, languages } from '../../http/language.ts'
import type { PageReply, PageRequest } from '../../http/server.ts'
import { messagePage } from './layout.ts'
import { interpolate, texts } from './texts.ts'

/** Rejects forms of other sites even without a cookie: they could sign a visitor in to a foreign account. */
export const ownForm =
  (submit: (call: PageRequest) => Promise<PageReply>) =>
  async (call: PageRequest): Promise<PageReply> => {
    const { headers, state } = call.request
    if (headers.origin === state.origin) return submit(call)
    const language = languageOf(call.request, call.form)
    const text = texts[language]
    return messagePage({ language, here: null, status: 403, title: text.signIn, text: text.stale })
  }

/** The language chosen on the page, else the browser's preference. */
export const languageOf = (request: FastifyRequest, form: { lang?: string } = {}): Language => {
  const chosen = form.lang ?? (request.query as { lang?: unknown }).lang
  return languages.find((it) => it === chosen) ?? request.state.preferences.language
}

export interface Problems {
  status: number
  problem?: string
  problems?: Record<string, string>
}

type PageTexts = (typeof texts)[Language]
type Broken = { path: string; rule: string }

/** A refusal of the API as texts for the form; other errors are rethrown. */
export function problemsOf(error: unknown, language: Language): Problems {
  const text = texts[language]
  if (!(error instanceof Refusal)) throw error
  if (error.code === 'invalid_credentials') return { status: 401, problem: text.wrong }
  if (error.code === 'rate_limit_exceeded') {
    const minutes = Math.ceil(Number(error.details['retry_after']) / 60)
    return { status: 429, problem: interpolate(text.tooOften, { minutes }) }
  }
  if (error.code !== 'validation_failed') throw error
  const problems: Problems['problems'] = {}
  for (const it of error.details['fields'] as Broken[]) problems[it.path] ??= sentence(it, text)
  return { status: 422, problems }
}

function sentence({ path, rule }: Broken, text: PageTexts): string {
  if (rule === 'taken') return text.taken
  if (path === 'phone') return rule === 'required' ? text.needContact : text.badPhone
  if (path === 'email') return text.badEmail
  if (path === 'token') return text.badInvitation
  if (path === 'name') return rule === 'max_length' ? text.longName : text.needName
  return { min_length: text.shortPassword, max_length: text.longPassword }[rule] ?? text.easyPassword
}
