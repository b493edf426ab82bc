// The page behind the unsubscribe link of a message. A GET changes nothing, because mail scanners follow links; a POST
// unsubscribes at once, from the page or from the mail program itself (RFC 8058). No sign-in is needed.

import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../base/database.ts'
import type { Shop } from '../../base/shop.ts'
import type { Vault } from '../../base/vault.ts'
import type { RawRoute, RawReply } from '../../http/raw-route.ts'
import { html } from '../../http/html.ts'
import { type Language, languages } from '../../http/language.ts'
import type { PageReply } from '../../http/server.ts'
import { type Frame, page } from '../../identity/index.ts'
import { setConsent } from './set-consent.ts'
import { readUnsubscribeToken } from '../notifications/link-tokens.ts'
import { findConsent } from './store.ts'
import type { Channel } from '../templates/template.ts'

export const unsubscribePage = (shops: Record<Environment, Shop>, vault: Vault): RawRoute => ({
  path: '/u/{token}',
  methods: ['GET', 'POST'],
  run: async (request, body) => {
    const { token = '' } = request.params as { token?: string }
    const link = readUnsubscribeToken(vault, token)
    const language = languageOf(request, body)
    const db = link && shops[link.environment].db
    const consent = link && (await findConsent(db!.read(), link.consentId))
    if (!link || !consent) return asReply(invalidLinkPage(language))
    const frame = { language, environment: link.environment, here: `/u/${token}` }
    if (request.method !== 'POST') return asReply(askPage(frame, consent.channel))
    const source = isOneClick(body) ? 'one_click' : 'unsubscribe_page'
    await db!.transaction((tx) => setConsent(tx, { ...consent, isGranted: false, source }))
    return asReply(donePage(frame, consent.channel))
  },
  errorReply: ({ status, message, language }) =>
    asReply(
      page({ language, here: null, status }, texts[language].title, html`<p class="lead">${message}</p>`),
    ),
})

/** The body that mail programs send, URL-encoded or multipart. */
const isOneClick = (body: Buffer): boolean =>
  /List-Unsubscribe(=|"\r?\n\r?\n)One-Click/i.test(body.toString('latin1'))

type UnsubscribeFrame = Frame & { here: string }

function askPage(frame: UnsubscribeFrame, channel: Channel): PageReply {
  const words = texts[frame.language]
  const content = html`<p class="lead">${words.ask[channel]}</p>
    <p class="hint">${words.still}</p>
    <form method="post" action="${frame.here}">
      <input type="hidden" name="lang" value="${frame.language}" />
      <button type="submit">${words.button}</button>
    </form>`
  return page(frame, words.title, content)
}

function donePage(frame: UnsubscribeFrame, channel: Channel): PageReply {
  const words = texts[frame.language]
  const content = html`<p class="lead">${words.doneText[channel]}</p>
    <p class="hint">${words.still}</p>`
  return page(frame, words.done, content)
}

export const invalidLinkPage = (language: Language): PageReply =>
  page(
    { language, here: null, status: 404 },
    texts[language].dead,
    html`<p class="lead">${texts[language].deadText}</p>`,
  )

/** The language chosen on the page, or else the browser's. */
export function languageOf(request: FastifyRequest, body?: Buffer): Language {
  const chosen = new URLSearchParams(body?.toString('latin1')).get('lang')
  const asked = (request.query as { lang?: unknown }).lang
  return (
    languages.find((it) => it === chosen) ??
    languages.find((it) => it === asked) ??
    request.state.preferences.language
  )
}

const asReply = ({ status = 200, type, body, headers = {} }: PageReply): RawReply => ({
  status,
  headers: { ...headers, 'content-type': type },
  body,
})

/** Texts of the pages that buyers open from messages. */
export const texts: Record<
  Language,
  {
    title: string
    ask: Record<Channel, string>
    still: string
    button: string
    done: string
    doneText: Record<Channel, string>
    dead: string
    deadText: string
  }
> = {
  ru: {
    title: 'Отписка от рассылки',
    ask: {
      email: 'Больше не присылать вам письма с новостями и предложениями?',
      sms: 'Больше не присылать вам SMS с новостями и предложениями?',
      push: 'Больше не присылать вам уведомления с новостями и предложениями?',
    },
    still: 'Сообщения о ваших заказах будут приходить по-прежнему.',
    button: 'Отписаться',
    done: 'Вы отписаны',
    doneText: {
      email: 'Мы больше не будем присылать вам письма с новостями и предложениями.',
      sms: 'Мы больше не будем присылать вам SMS с новостями и предложениями.',
      push: 'Мы больше не будем присылать вам уведомления с новостями и предложениями.',
    },
    dead: 'Ссылка не действует',
    deadText: 'Ссылка неполная или больше не действует.',
  },
  uz: {
    title: 'Obunani bekor qilish',
    ask: {
      email: 'Sizga yangiliklar va takliflar bilan xat yubormaylikmi?',
      sms: 'Sizga yangiliklar va takliflar bilan SMS yubormaylikmi?',
      push: 'Sizga yangiliklar va takliflar bilan bildirishnoma yubormaylikmi?',
    },
    still: 'Buyurtmalaringiz haqidagi xabarlar avvalgidek keladi.',
    button: 'Obunani bekor qilish',
    done: 'Obuna bekor qilindi',
    doneText: {
      email: 'Endi sizga yangiliklar va takliflar bilan xat yubormaymiz.',
      sms: 'Endi sizga yangiliklar va takliflar bilan SMS yubormaymiz.',
      push: 'Endi sizga yangiliklar va takliflar bilan bildirishnoma yubormaymiz.',
    },
    dead: 'Havola ishlamaydi',
    deadText: 'Bu havola to‘liq emas yoki endi ishlamaydi.',
  },
  en: {
    title: 'Unsubscribe',
    ask: {
      email: 'Stop e-mails with news and offers?',
      sms: 'Stop text messages with news and offers?',
      push: 'Stop notifications with news and offers?',
    },
    still: 'You will still get messages about your orders.',
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
    doneText: {
      email: 'We will no longer send you e-mails with news and offers.',
      sms: 'We will no longer send you text messages with news and offers.',
      push: 'We will no longer send you notifications with news and offers.',
    },
    dead: 'The link does not work',
    deadText: 'This link is incomplete or has expired.',
  },
}
