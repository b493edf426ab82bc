// The reference that people read at `/docs`, and the OpenAPI document that programs read, from the same tables.
// The page loads nothing from anywhere, and says all of it without its script.

import { sha256 } from '../base/random.ts'
import { type Reading, usualCodes } from './docs-operation.ts'
import { docsBody } from './docs-layout.ts'
import { script } from './docs-script.ts'
import { style } from './docs-style.ts'
import { type Language, languages } from './language.ts'
import { type Beside, type OpenApi, openApi } from './openapi.ts'
import type { Route } from './route.ts'
import type { Page, PageReply, PageRequest } from './server.ts'

/** Stands for the address in texts that are made once; readers know us by different ones. */
const anyOrigin = 'https://origin.invalid'

/** The page shows the calls of our own protocol; its guide tells of the others, which the document holds too. */
export function docsPages(routes: Route[], version: string, beside?: (origin: string) => Beside): Page[] {
  const made = new Map<string, string>()
  const once = (name: string, make: () => string): string => {
    const text = made.get(name) ?? make()
    made.set(name, text)
    return text
  }
  const options = { version, origin: anyOrigin }
  const addressed = (text: string, { asked }: PageRequest['request']) =>
    text.replaceAll(anyOrigin, plainOrigin(asked.origin))
  return [
    {
      path: '/openapi.json',
      run: ({ request }) => {
        const body = addressed(
          once('document', () => JSON.stringify(openApi(routes, { ...options, ...(beside && { beside }) }))),
          request,
        )
        return unlessHeld(request, { type: 'application/json; charset=utf-8', body })
      },
    },
    {
      path: '/docs',
      run: ({ request }) => {
        const { lang } = request.query as { lang?: unknown }
        const language = languages.find((it) => it === lang) ?? 'en'
        const body = addressed(
          once(language, () => docsHtml(openApi(routes, options), language)),
          request,
        )
        return unlessHeld(request, { type: 'text/html; charset=utf-8', body, headers: pageHeaders })
      },
    },
  ]
}

/** The whole page, with the refusals' sentences in a language. */
export function docsHtml(document: OpenApi, language: Language): string {
  const origin = document.servers[0]!.url
  const reading: Reading = { document, origin, language, usualCodes: usualCodes(document), told: new Set() }
  return docsBody(reading).text
}

/** The caller wrote the Host header: what is no plain address does not get into lines that people paste. */
const plainOrigin = (origin: string): string =>
  /^https?:\/\/[A-Za-z0-9.:[\]-]+$/.test(origin) ? origin : 'http://localhost'

const hashOf = (text: string): string => `'sha256-${sha256(text).toString('base64')}'`

const pageHeaders = {
  'content-language': 'en',
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
}

/** 304 for a reader who holds these bytes already. */
function unlessHeld(request: PageRequest['request'], reply: PageReply): PageReply {
  const etag = `"${sha256(reply.body).toString('base64url').slice(0, 22)}"`
  const headers = { ...reply.headers, etag, 'cache-control': 'private, no-cache' }
  const held = request.headers['if-none-match']
    ?.split(',')
    .some((it) => it.trim().replace(/^W\//, '') === etag)
  return held ? { ...reply, status: 304, body: '', headers } : { ...reply, headers }
}
