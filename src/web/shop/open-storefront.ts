// The pages of the storefront with what they share: texts, assets and the category tree.

import type { Page, PageReply, PageRequest } from '../../http/server.ts'
import { BozorConnectionError, BozorError, BozorTokenError } from '../../sdk/index.ts'
import { type Asset, type Assets, loadAssets } from './assets.ts'
import { colourSheet } from './colour-sheet.ts'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { acceptedEncoding } from '../../http/compression.ts'
import { cookieNames, cookiesOf } from './cookies.ts'
import { keepDraft } from './draft.ts'
import { loadFrame, sharedFrame } from './frame.ts'
import { openKept } from './kept.ts'
import {
  fullOffer,
  isShopLanguage,
  type LanguageOffer,
  offeredLanguages,
  preferredLanguage,
  type ShopLanguage,
  shopLanguages,
} from './language.ts'
import { outagePage, outageText } from './pages/outage.ts'
import { failedPage, notFoundPage } from './pages/problem.ts'
import { leaveNote } from './notes.ts'
import { routes } from './routes.ts'
import type { Reply, StorefrontOptions } from './storefront.ts'
import { textsOf } from './texts/index.ts'
import { isScript, openVisit, type Shared, signOut, type Visit } from './visit.ts'

const languageSeconds = 365 * 86_400

export function openStorefront(options: StorefrontOptions): Page[] {
  const assets = loadAssets()
  const texts = Object.fromEntries(shopLanguages.map((it) => [it, textsOf(it)])) as Record<
    ShopLanguage,
    Shared['texts']
  >
  const keep = openKept()
  const outage = outageReplies(texts, assets)
  const visitOf = async (asked: PageRequest, language: ShopLanguage): Promise<Visit | undefined> => {
    const credentials = await options.credentials()
    const shared = { options, language, texts: texts[language], assets, loadFrame, keep }
    return credentials && openVisit(asked, { ...shared, credentials })
  }
  const answer = async (
    asked: PageRequest,
    run: (visit: Visit) => Promise<Reply>,
    language: ShopLanguage,
  ): Promise<PageReply> => {
    const visit = await visitOf(asked, language)
    if (!visit) return sent({ kind: 'redirect', to: '/' }, [])
    const elsewhere = await inOfferedLanguage(asked, visit)
    if (elsewhere) return sent({ kind: 'redirect', to: elsewhere }, [])
    if (visit.cookie('language') !== language) visit.setCookie('language', language, languageSeconds)
    const reply = await run(visit)
      .catch((error: unknown) => problem(visit, error))
      // The frame around a page also needs the platform.
      .catch((error: unknown) => {
        if (isOfPlatform(error)) return outage(asked, error instanceof BozorError ? error.status : 503)
        throw error
      })
    return compressed(asked, reply, sent(reply, visit.cookies))
  }
  /** An address without a language leads to the same page in the visitor's language. */
  const start = async (asked: PageRequest): Promise<PageReply> => {
    const path = asked.request.url.replace(/^\/shop/, '')
    const visit = await visitOf(asked, languageOf(asked))
    const language = visit ? languageOf(asked, await offerOf(visit)) : languageOf(asked)
    return sent({ kind: 'redirect', to: `/shop/${language}${path}` }, [])
  }
  /** Everything below `/shop` that is no page. */
  const otherwise = (asked: PageRequest): Promise<PageReply> => {
    const [, first] = /^\/shop\/([^/?]*)/.exec(asked.request.url) ?? []
    if (isShopLanguage(first)) return answer(asked, notFoundPage, first)
    return first === 'assets' ? answer(asked, notFoundPage, languageOf(asked)) : start(asked)
  }
  const pages: Page[] = [
    { method: 'GET', path: '/shop', run: start },
    { method: 'GET', path: '/shop/*', run: otherwise },
    ...[assets.script, assets.style].map(assetPage),
    colourSheet,
    ...routes.map(({ method, path, run, isShared }): Page => ({
      method,
      path: isShared ? `/shop${path}` : `/shop/{language}${path}`,
      run: (asked) => {
        const { language = '' } = asked.params
        if (method === 'POST' && isForeign(asked)) return answer(asked, notFoundPage, languageOf(asked))
        if (!isShared && !isShopLanguage(language))
          return method === 'GET' ? start(asked) : answer(asked, notFoundPage, languageOf(asked))
        return answer(asked, run, isShopLanguage(language) ? language : languageOf(asked))
      },
    })),
  ]
  return pages.map((it) => ({
    ...it,
    errorPage: ({ status }, asked) => sent(outage(asked, status), []),
  }))
}

const outageReplies =
  (texts: Record<ShopLanguage, Shared['texts']>, assets: Assets) =>
  (asked: PageRequest, status: number): Reply => {
    const { request, params } = asked
    const language = isShopLanguage(params['language']) ? params['language'] : languageOf(asked)
    const shown = { language, texts: texts[language], assets, status }
    if (isScript(asked)) return { kind: 'json', status, value: { problem: outageText(shown.texts, status) } }
    const here = request.method === 'POST' ? undefined : request.url
    return { kind: 'html', status, content: outagePage({ ...shown, here }) }
  }

/** The language chosen last, else the browser's. */
const languageOf = ({ request }: PageRequest, offer = fullOffer): ShopLanguage => {
  const kept = cookiesOf(request.headers['cookie']).get(cookieNames.language)
  return isShopLanguage(kept) && offeredLanguages(offer).includes(kept)
    ? kept
    : preferredLanguage(String(request.headers['accept-language'] ?? ''), offer)
}

/** The languages of the shop; all of them while the platform cannot answer. */
const offerOf = (visit: Visit): Promise<LanguageOffer> =>
  sharedFrame(visit).then(
    ({ shop }) => shop,
    () => fullOffer,
  )

/** The same page in a language that the shop offers; undefined when it offers this one, or for a form. */
async function inOfferedLanguage(asked: PageRequest, visit: Visit): Promise<string | undefined> {
  if (visit.isAction || visit.isScript || !isShopLanguage(asked.params['language'])) return undefined
  const offer = await offerOf(visit)
  if (offeredLanguages(offer).includes(visit.language)) return undefined
  return visit.here.replace(/^\/shop\/[\w-]+/, `/shop/${languageOf(asked, offer)}`)
}

/** Forms of other sites are refused; cookies are not sent with them either. */
const isForeign = ({ request }: PageRequest): boolean =>
  (request.headers['origin'] ?? request.state.origin) !== request.state.origin

async function problem(visit: Visit, error: unknown): Promise<Reply> {
  const isSignedOut =
    visit.clientName !== undefined &&
    ((error instanceof BozorError && error.status === 401) ||
      (error instanceof BozorTokenError && error.code === 'invalid_grant'))
  if (isSignedOut) {
    // The tokens ended: sign in again and come back to this page.
    signOut(visit)
    keepDraft(visit, 'fields-and-lines')
    leaveNote(visit, 'signInAgain')
    // The address of an action is no page: the visitor returns to the page that has the form.
    const page = visit.isAction ? (visit.referer ?? visit.at('')) : visit.here
    const to = `${visit.at('/sign-in')}?${new URLSearchParams({ back: page })}`
    return visit.isScript
      ? { kind: 'json', status: 401, value: { to } }
      : { kind: 'redirect', status: 303, to }
  }
  if (visit.isScript && error instanceof BozorError)
    return { kind: 'json', status: error.status, value: { problem: visit.say(error.message) } }
  if (error instanceof BozorError && (error.status === 404 || error.code === 'validation_failed'))
    return notFoundPage(visit)
  // The page of an outage opens again by itself; a form is not sent again.
  const isOutage = error instanceof BozorError && error.status === 503 && !visit.isAction
  if (isOfPlatform(error) && !isOutage) return failedPage(visit, error)
  throw error
}

const isOfPlatform = (error: unknown): boolean =>
  error instanceof BozorError || error instanceof BozorConnectionError || error instanceof BozorTokenError

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'cache-control': 'private, no-cache',
}

function sent(reply: Reply, cookie: string[]): PageReply {
  const type = 'text/html; charset=utf-8'
  const shared = { type, headers: pageHeaders, ...(cookie.length > 0 && { cookie }) }
  if (reply.kind === 'redirect')
    return {
      ...shared,
      status: reply.status ?? 302,
      headers: { ...pageHeaders, location: reply.to },
      body: '',
    }
  const status = 'status' in reply && reply.status !== undefined ? { status: reply.status } : {}
  if (reply.kind === 'json')
    return {
      ...shared,
      ...status,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(reply.value),
    }
  if (reply.kind === 'text') return { ...shared, type: reply.type, body: reply.body }
  return { ...shared, ...status, body: reply.content.text }
}

const assetPage = ({ path, type, bytes, gzipped }: Asset): Page => ({
  method: 'GET',
  path,
  run: async ({ request }) => {
    const isGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    return {
      type,
      body: '',
      bytes: isGzip ? gzipped : bytes,
      headers: {
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        ...(isGzip && { 'content-encoding': 'gzip' }),
      },
    }
  },
})

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * A public page is sent compressed; a page of one visitor is not, because its length would reveal something about its
 * content.
 */
async function compressed({ request }: PageRequest, reply: Reply, page: PageReply): Promise<PageReply> {
  if (reply.kind !== 'html' || !reply.isPublic) return page
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  if (!encoding) return page
  const bytes = encoding === 'br' ? await brotli(page.body, quick) : await gzipped(page.body)
  const headers = { ...page.headers, 'content-encoding': encoding, vary: 'Accept-Encoding, Cookie' }
  return { ...page, bytes, headers }
}
