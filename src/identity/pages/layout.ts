// The frame of every page that somebody sees before he is known: no script but the page's own, nothing loaded from
// anywhere, not to be framed.

import type { Environment } from '../../base/db.ts'
import { sha256 } from '../../base/random.ts'
import { Html, html, verbatim } from '../../http/docs-html.ts'
import { type Language, languages } from '../../http/language.ts'
import type { PageReply } from '../../http/server.ts'
import { style } from './style.ts'
import { words } from './words.ts'

export interface Frame {
  language: Language
  environment?: Environment
  /** The path of the page as a GET; the links to other languages lead there. Null where there is no such page. */
  here: string | null
  status?: number
  /** The origin, or a scheme with its colon, where the buyer ends up after the form; browsers ask for leave to follow a redirect there. */
  leadsTo?: string | undefined
  /** What the page does by itself, for those whose browser lets it. */
  script?: string
}

/** A whole page. */
export function page(frame: Frame, title: string, content: Html): PageReply {
  const { language, environment = 'live', here } = frame
  const said = words[language]
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
          ${environment === 'test' && html`<p class="test">${said.testShop}</p>`}
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

/** A path with our choice of language in its query. */
export function inTongue(path: string, language: Language): string {
  const url = new URL(path, 'http://here.invalid')
  url.searchParams.set('lang', language)
  return `${url.pathname}${url.search}`
}

const names: Record<Language, string> = { ru: 'Русский', uz: 'O‘zbekcha', en: 'English' }

const languageLinks = (language: Language, here: string): Html =>
  html`<nav aria-label="${words[language].language}">
    ${languages.map(
      (it) =>
        html`<a
          href="${inTongue(here, it)}"
          lang="${it}"
          hreflang="${it}"
          title="${names[it]}"
          aria-label="${names[it]}"
          ${it === language && new Html('aria-current="true"')}
          >${it}</a
        >`,
    )}
  </nav>`

const mark = verbatim`<svg width="28" height="28" viewBox="0 0 28 28" fill="none" aria-hidden="true"><path d="M4 11.5 6.2 5h15.6L24 11.5" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/><path d="M4 11.5a3.33 3.33 0 0 0 6.67 0 3.33 3.33 0 0 0 6.66 0 3.33 3.33 0 0 0 6.67 0M6 15v8h16v-8" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** What a page may name as the place that its form leads to: an origin, or the scheme of a mobile application. */
const target = /^(https?:\/\/[A-Za-z0-9.:[\]-]+|[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:)$/

/** Browsers follow a form's redirect only to where the page allows. */
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
