// The page for a request that failed before anything could be read: the database is down, or the visitor sends too many
// requests. It needs neither the platform nor the visitor's session.

import { html, type Html } from '../../../http/html.ts'
import type { Assets } from '../assets.ts'
import { iconSprite, mark } from '../icons.ts'
import { languageTags, type ShopLanguage } from '../language.ts'
import type { Texts } from '../texts/index.ts'

/** A page that was asked for opens by itself when the shop is back; a form is sent by the visitor alone. */
const refreshSeconds = 10

export interface Outage {
  language: ShopLanguage
  texts: Texts
  assets: Assets
  status: number
  /** The address to try again; undefined when the request was a form. */
  here: string | undefined
}

export const outageText = (texts: Texts, status: number): string =>
  status === 429 ? texts.tooMany : texts.failedHint

export const outagePage = ({ language, texts, assets, status, here }: Outage): Html =>
  html`<!doctype html>
    <html lang="${languageTags[language]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${here !== undefined && html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
        <title>${texts.failed} — ${texts.shopName}</title>
        <link rel="stylesheet" href="${assets.style.path}" />
      </head>
      <body>
        ${iconSprite}
        <header class="top">
          <div class="wrap top-row">
            <a class="logo" href="/shop/${language}">${mark}<span>${texts.shopName}</span></a>
          </div>
        </header>
        <main id="main" tabindex="-1">
          <div class="wrap">
            <section class="empty">
              <h1>${texts.failed}</h1>
              <p>${outageText(texts, status)}</p>
              <a class="button brand" href="${here ?? `/shop/${language}`}">${texts.tryAgain}</a>
            </section>
          </div>
        </main>
      </body>
    </html>`
