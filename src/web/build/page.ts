// The HTML around a page that scripts render, and its headers.

import type { PageReply } from '../../http/server.ts'
import type { EntryFiles } from './assets.ts'

/** Scripts, styles and calls of our own origin, nothing inline and nothing from elsewhere. */
export const webPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The elements of `<head>` that load an entry. */
export const entryTags = ({ script, preloads, styles }: EntryFiles): string =>
  [
    ...styles.map((it) => `<link rel="stylesheet" href="${it}">`),
    ...preloads.map((it) => `<link rel="modulepreload" href="${it}">`),
    `<script type="module" src="${script}"></script>`,
  ].join('\n')

export const htmlReply = (body: string, status = 200): PageReply => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
  headers: {
    'cache-control': 'no-cache',
    'content-security-policy': webPolicy,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  },
})
