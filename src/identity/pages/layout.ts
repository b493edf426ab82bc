// The layout of the sign-in pages: no external resources, no framing, no script except the page's own.

import type { Environment } from '../../base/database.ts'
import { sha256 } from '../../base/random.ts'
import { Html, html, verbatim } from '../../http/html.ts'
import { type Language, languages } from '../../http/language.ts'
import type { PageReply } from '../../http/server.ts'
import { style } from './style.ts'
import { texts } from './texts.ts'

export interface Frame {
  language: Language
  environment?: Environment
  /** The path of the page for GET, used by the language links. Null when there is no such page. */
  here: string | null
  status?: number
  /** The origin or scheme to which the form finally redirects; the Content-Security-Policy must allow it. */
  leadsTo?: string | undefined
  /** An inline script, as progressive enhancement. */
  script?: string
}

export function page(frame: Frame, title: string, content: Html): PageReply {
  const { language, environment = 'live', here } = frame
  const text = texts[language]
  const body = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Bozor</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <header>
          <span class="brand">${mark}Bozor</span>
          ${here !== null && languageLinks(language, here)}
        </header>
        <main>
          ${environment === 'test' && html`<p class="test">${text.testShop}</p>`}
          <h1>${title}</h1>
          ${content}
        </main>
        ${frame.script !== undefined && new Html(`<script>${frame.script}</script>`)}
      </body>
    </html>`
  return {
    status: frame.status ?? 200,
    type: 'text/html; charset=utf-8',
    body: body.text,
    headers: pageHeaders(frame),
  }
}

/** Adds the language to the query of a path. */
export function withLanguage(path: string, language: Language): string {
  const url = new URL(path, 'http://here.invalid')
  url.searchParams.set('lang', language)
  return `${url.pathname}${url.search}`
}

const names: Record<Language, string> = { ru: 'Русский', uz: 'O‘zbekcha', en: 'English' }

const languageLinks = (language: Language, here: string): Html =>
  html`<nav aria-label="${texts[language].language}">
    ${languages.map(
      (it) =>
        html`<a
          href="${withLanguage(here, it)}"
          lang="${it}"
          hreflang="${it}"
          title="${names[it]}"
          aria-label="${it}: ${names[it]}"
          ${it === language && new Html('aria-current="true"')}
          >${it}</a
        >`,
    )}
  </nav>`

const mark = verbatim`<svg width="28" height="28" viewBox="0 0 28 28" fill="none" aria-hidden="true"><path d="M4 11.5 6.2 5h15.6L24 11.5" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/><path d="M4 11.5a3.33 3.33 0 0 0 6.67 0 3.33 3.33 0 0 0 6.66 0 3.33 3.33 0 0 0 6.67 0M6 15v8h16v-8" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Valid redirect targets for the Content-Security-Policy: an origin or a custom scheme. */
const target = /^(https?:\/\/[A-Za-z0-9.:[\]-]+|[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:)$/

function pageHeaders({ language, leadsTo, script }: Frame): Record<string, string> {
  const elsewhere = leadsTo !== undefined && target.test(leadsTo) ? ` ${leadsTo}` : ''
  return {
    'content-language': language,
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${hashOf(style)}`,
      ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
      "img-src 'self' data:",
      "base-uri 'none'",
      `form-action 'self'${elsewhere}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
  }
}

const hashOf = (text: string) => `'sha256-${sha256(text).toString('base64')}'`

/** A page with a title and a text. */
export const messagePage = (it: Frame & { title: string; text: string }): PageReply =>
  page(it, it.title, html`<p class="lead">${it.text}</p>`)
