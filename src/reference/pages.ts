// Serves the reference for people at `/docs` and the OpenAPI document for programs, from the same declarations. The pages
// load nothing from elsewhere and are complete without their script.

import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { acceptedEncoding } from '../http/compression.ts'
import { type Language, languages } from '../http/language.ts'
import { type ExtraPaths, type OpenApi, openApi } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import type { Page, PageReply, PageRequest } from '../http/server.ts'
import { sentWebhooks } from './event-schemas.ts'
import { star } from './layout.ts'
import { openSite, type Site } from './open-site.ts'
import { recordedExamples } from './recorded-examples.ts'
import { script } from './script.ts'
import { startPage } from './start-page.ts'
import { style } from './style.ts'
import { about, tags } from './tags.ts'

/** Placeholder of the origin in generated texts: the same server is reached under different ones. */
const anyOrigin = 'https://origin.invalid'

interface DocumentOptions {
  version: string
  origin: string
  /** Paths outside the route tables, such as OAuth. The page describes them in its guide. */
  extraPaths?: (origin: string) => ExtraPaths
}

export const referenceDocument = (routes: Route[], options: DocumentOptions): OpenApi =>
  openApi(routes, {
    ...options,
    about,
    tags,
    examples: recordedExamples(options.origin),
    sent: sentWebhooks(),
  })

/** The pages of the reference, their Markdown, and the files they load. */
export function referencePages(
  routes: Route[],
  { version, extraPaths, hasShop = false }: Omit<DocumentOptions, 'origin'> & { hasShop?: boolean },
): Page[] {
  const options = { version, origin: anyOrigin }
  const document = () => referenceDocument(routes, { ...options, ...(extraPaths && { extraPaths }) })
  const files = openStaticFiles()
  let opened: Site | undefined
  const site = () => (opened ??= openSite(document()))
  const file = (path: string, type: string, make: () => string): Page => ({
    path,
    run: ({ request }) => conditionalReply(request, files.get(path, make, request), { type, headers }),
  })
  const named = (folder: string): Page => ({
    path: `${folder}/{name}`,
    run: ({ params, request }) => {
      const address = `${folder}/${params['name']}`
      const language = languageOf(request)
      if (!site().has(address)) return missingPage(site(), address, request)
      const made = files.get(`${address} ${language}`, () => site().text(address, language), request)
      return conditionalReply(request, made, { type: address.endsWith('.md') ? markdown : htmlType, headers })
    },
  })
  return [
    startPage(version, { hasShop }),
    file('/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(document())),
    file('/llms.txt', markdown, () => site().text('/llms.txt', 'en')),
    file('/docs', htmlType, () => site().text('/docs', 'en')),
    file('/docs/style.css', 'text/css; charset=utf-8', () => style),
    file('/docs/script.js', 'text/javascript; charset=utf-8', () => script),
    file('/docs/icon.svg', 'image/svg+xml', () => star('#0d8f86')),
    file('/docs/search.json', 'application/json; charset=utf-8', () => JSON.stringify(site().entries)),
    named('/docs'),
    named('/docs/guides'),
  ]
}

/** A reader in a browser gets a page that leads on; a program gets the error. */
function missingPage(site: Site, address: string, { headers: { accept = '' } }: PageRequest['request']) {
  if (address.endsWith('.md') || !accept.includes('text/html'))
    throw refuse('not_found', { resource: 'page', id: address.slice(0, 100) })
  return { status: 404, type: htmlType, headers, body: site.missing(address.slice(0, 100)) }
}

const htmlType = 'text/html; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'

const languageOf = ({ query }: PageRequest['request']): Language => {
  const { lang } = query as { lang?: unknown }
  return languages.find((it) => it === lang) ?? 'en'
}

interface StaticFile {
  bytes: Buffer
  etag: string
  encoding: 'br' | 'gzip' | undefined
}

/** Callers choose the origin by their Host header, so files are kept for few origins only. */
const maxOrigins = 4

/** Texts are made once per origin and encoding. All replies share one buffer, also those that clients read slowly. */
function openStaticFiles() {
  const texts = new Map<string, string>()
  const files = new Map<string, StaticFile>()
  const origins = new Set<string>()
  const fileOf = (text: string, encoding: StaticFile['encoding']): StaticFile => {
    const plain = Buffer.from(text)
    const digest = sha256(plain).toString('base64url').slice(0, 22)
    return {
      bytes: encoding ? compressed(plain, encoding) : plain,
      etag: `"${encoding ? `${digest}-${encoding}` : digest}"`,
      encoding,
    }
  }
  return {
    get(name: string, make: () => string, request: PageRequest['request']): StaticFile {
      const text = texts.get(name) ?? make()
      texts.set(name, text)
      const origin = plainOrigin(request.state.origin)
      const addressed = () => text.replaceAll(anyOrigin, origin)
      if (origins.size < maxOrigins) origins.add(origin)
      if (!origins.has(origin)) return fileOf(addressed(), undefined)
      const encoding = acceptedEncoding(request.headers['accept-encoding'])
      const key = `${name} ${origin} ${encoding}`
      const file = files.get(key) ?? fileOf(addressed(), encoding)
      files.set(key, file)
      return file
    },
  }
}

const compressed = (bytes: Buffer, encoding: 'br' | 'gzip'): Buffer =>
  encoding === 'gzip'
    ? gzipSync(bytes)
    : brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

/** The caller controls the Host header, and readers paste commands from the page: only a plain origin is used. */
const plainOrigin = (origin: string): string =>
  /^https?:\/\/[A-Za-z0-9.:[\]-]+$/.test(origin) ? origin : 'http://localhost'

const headers = {
  'content-language': 'en',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
}

/** 304 if the reader has these bytes already. */
function conditionalReply(
  request: PageRequest['request'],
  { bytes, etag, encoding }: StaticFile,
  reply: Pick<PageReply, 'type' | 'headers'>,
): PageReply {
  const headers = {
    ...reply.headers,
    etag,
    vary: 'Accept-Encoding, Host',
    'cache-control': 'private, no-cache',
    ...(encoding && { 'content-encoding': encoding }),
  }
  const isCurrent = request.headers['if-none-match']
    ?.split(',')
    .some((it) => it.trim().replace(/^W\//, '') === etag)
  return isCurrent ? { ...reply, status: 304, body: '', headers } : { ...reply, body: '', bytes, headers }
}
