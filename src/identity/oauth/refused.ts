// How OAuth says no: a body of RFC 6749 5.2 to programs, a page to people.

import type { AnnexReply, Refused } from '../../http/annex.ts'
import type { Language } from '../../http/language.ts'
import { type RefusalCode, refusals } from '../../http/refusals.ts'
import type { PageReply } from '../../http/server.ts'
import { messagePage } from '../pages/message-page.ts'

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

export const jsonReply = (status: number, body: object): AnnexReply => ({
  status,
  headers: json,
  body: JSON.stringify(body),
})

export const invalidRequest = (description: string): AnnexReply =>
  jsonReply(400, { error: 'invalid_request', error_description: description })

/** What stopped a call before the protocol began, in the protocol's words: its descriptions are ASCII. */
export const refusedJson = ({ status, code }: Refused): AnnexReply =>
  jsonReply(status, { error: errorNames[code] ?? 'invalid_request', error_description: refusals[code].en })

const titles: Record<Language, string> = {
  en: 'This request cannot be followed',
  ru: 'Этот запрос выполнить нельзя',
  uz: 'Bu so‘rovni bajarib bo‘lmaydi',
}

/** Why, for people; the code and its words behind it are for the application's makers. */
const reasons: Record<Language, Record<'application' | 'stale', string>> = {
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

export const stalePage = (language: Language): AnnexReply =>
  shown(
    messagePage({
      language,
      here: null,
      status: 400,
      title: titles[language],
      text: reasons[language].stale,
    }),
  )

/** The page for a request that may not be led back anywhere. */
export function faultPage(
  language: Language,
  { status, error, description }: { status: number; error: string; description: string },
): AnnexReply {
  const text = `${reasons[language].application} (${error}: ${description})`
  return shown(messagePage({ language, here: null, status, title: titles[language], text }))
}

export const refusedPage = ({ status, message, language }: Refused): AnnexReply =>
  shown(messagePage({ language, here: null, status, title: titles[language], text: message }))

export const shown = ({ status = 200, type, body, headers }: PageReply): AnnexReply => ({
  status,
  headers: { ...headers, 'content-type': type },
  body,
})
