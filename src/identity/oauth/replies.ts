// Error replies of OAuth: RFC 6749 5.2 bodies for programs, pages for people.

import type { RawReply, LocalizedRefusal } from '../../http/raw-route.ts'
import type { Language } from '../../http/language.ts'
import { type RefusalCode, refusals } from '../../http/refusals.ts'
import type { PageReply } from '../../http/server.ts'
import { messagePage } from '../pages/layout.ts'

const errorNames: Partial<Record<RefusalCode, string>> = {
  rate_limit_exceeded: 'rate_limit_exceeded',
  service_unavailable: 'temporarily_unavailable',
  storage_unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
}

const json = {
  'content-type': 'application/json; charset=utf-8',
  'content-language': 'en',
  'cache-control': 'no-store',
  pragma: 'no-cache',
}

export const jsonReply = (status: number, body: object): RawReply => ({
  status,
  headers: json,
  body: JSON.stringify(body),
})

export const invalidRequest = (description: string): RawReply =>
  jsonReply(400, { error: 'invalid_request', error_description: description })

/** RFC 6749 5.2: no, unsupported or insufficient authentication of the application. */
export const invalidClient = (description: string): RawReply =>
  jsonReply(401, { error: 'invalid_client', error_description: description })

/** A refusal before the protocol began, as an RFC 6749 error; descriptions must be ASCII. */
export const refusalJson = ({ status, code }: LocalizedRefusal): RawReply =>
  jsonReply(status, { error: errorNames[code] ?? 'invalid_request', error_description: refusals[code].en })

const titles: Record<Language, string> = {
  en: 'This request cannot be processed',
  ru: 'Этот запрос выполнить нельзя',
  uz: 'Bu so‘rovni bajarib bo‘lmaydi',
}

/** For people; the OAuth error code is appended for the developers of the application. */
const explanations: Record<Language, Record<'application' | 'stale', string>> = {
  en: {
    application: 'The application sent you here with a request that we cannot trust. Tell its makers.',
    stale: 'This page is out of date. Go back to the application and begin again.',
  },
  ru: {
    application: 'Приложение направило вас сюда с запросом, которому нельзя доверять. Сообщите его авторам.',
    stale: 'Эта страница устарела. Вернитесь в приложение и начните сначала.',
  },
  uz: {
    application: 'Ilova sizni ishonib bo‘lmaydigan so‘rov bilan yubordi. Buni uning mualliflariga ayting.',
    stale: 'Bu sahifa eskirgan. Ilovaga qayting va boshidan boshlang.',
  },
}

export const stalePage = (language: Language): RawReply =>
  pageReply(
    messagePage({
      language,
      here: null,
      status: 400,
      title: titles[language],
      text: explanations[language].stale,
    }),
  )

/** The page for a request that must not be redirected back. */
export function errorPage(
  language: Language,
  { status, error, description }: { status: number; error: string; description: string },
): RawReply {
  const text = `${explanations[language].application} (${error}: ${description})`
  return pageReply(messagePage({ language, here: null, status, title: titles[language], text }))
}

export const refusalPage = ({ status, message, language }: LocalizedRefusal): RawReply =>
  pageReply(messagePage({ language, here: null, status, title: titles[language], text: message }))

export const pageReply = ({ status = 200, type, body, headers }: PageReply): RawReply => ({
  status,
  headers: { ...headers, 'content-type': type },
  body,
})
