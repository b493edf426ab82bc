// Where a link of a message leads that says: no more. To look at the page changes nothing, since programs look at links
// too; a POST unsubscribes at once, from the page or from the mail program itself (RFC 8058), and nobody need sign in.

import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../base/db.ts'
import type { Shop } from '../../base/shop.ts'
import type { Vault } from '../../base/vault.ts'
import type { Annex, AnnexReply } from '../../http/annex.ts'
import { html } from '../../http/docs-html.ts'
import { type Language, languages } from '../../http/language.ts'
import type { PageReply } from '../../http/server.ts'
import { type Frame, page } from '../../identity/index.ts'
import { setConsent } from '../consents/set-consent.ts'
import { farewellOf } from '../notifications/tokens.ts'
import { findConsent } from '../store/consents.ts'
import type { Channel } from '../templates/template.ts'
import { words } from './words.ts'

export const unsubscribePage = (shops: Record<Environment, Shop>, vault: Vault): Annex => ({
  path: '/u/{token}',
  methods: ['GET', 'POST'],
  run: async (request, body) => {
    const { token = '' } = request.params as { token?: string }
    const farewell = farewellOf(vault, token)
    const language = languageOf(request, body)
    const db = farewell && shops[farewell.environment].db
    const consent = farewell && (await findConsent(db!.read(), farewell.consentId))
    if (!farewell || !consent) return asReply(deadLink(language))
    const frame = { language, environment: farewell.environment, here: `/u/${token}` }
    if (request.method !== 'POST') return asReply(question(frame, consent.channel))
    const source = isOneClick(body) ? 'one_click' : 'unsubscribe_page'
    await db!.transaction((tx) => setConsent(tx, { ...consent, isGranted: false, source }))
    return asReply(done(frame, consent.channel))
  },
  refused: ({ status, message, language }) =>
    asReply(
      page({ language, here: null, status }, words[language].title, html`<p class="lead">${message}</p>`),
    ),
})

/** The body that mail programs send, as a form of either kind. */
const isOneClick = (body: Buffer): boolean =>
  /List-Unsubscribe(=|"\r?\n\r?\n)One-Click/i.test(body.toString('latin1'))

type Framed = Frame & { here: string }

function question(frame: Framed, channel: Channel): PageReply {
  const said = words[frame.language]
  const content = html`<p class="lead">${said.ask[channel]}</p>
    <p class="hint">${said.still}</p>
    <form method="post" action="${frame.here}">
      <input type="hidden" name="lang" value="${frame.language}" />
      <button type="submit">${said.button}</button>
    </form>`
  return page(frame, said.title, content)
}

function done(frame: Framed, channel: Channel): PageReply {
  const said = words[frame.language]
  const content = html`<p class="lead">${said.doneText[channel]}</p>
    <p class="hint">${said.still}</p>`
  return page(frame, said.done, content)
}

export const deadLink = (language: Language): PageReply =>
  page(
    { language, here: null, status: 404 },
    words[language].dead,
    html`<p class="lead">${words[language].deadText}</p>`,
  )

/** The language that was chosen on the page, else the browser's. */
export function languageOf(request: FastifyRequest, body?: Buffer): Language {
  const chosen = new URLSearchParams(body?.toString('latin1')).get('lang')
  const asked = (request.query as { lang?: unknown }).lang
  return (
    languages.find((it) => it === chosen) ??
    languages.find((it) => it === asked) ??
    request.asked.wishes.language
  )
}

const asReply = ({ status = 200, type, body, headers = {} }: PageReply): AnnexReply => ({
  status,
  headers: { ...headers, 'content-type': type },
  body,
})
