// One request of a visitor: language, texts, the SDK client that acts for the visitor, and cookies to set.

import type { PageRequest } from '../../http/server.ts'
import {
  type Bozor,
  type Category,
  createBozor,
  type Operations,
  refreshedTokens,
  type Tokens,
} from '../../sdk/index.ts'
import type { Assets } from './assets.ts'
import { cookieNames, cookiesOf, setCookie, type CookieName } from './cookies.ts'
import type { Keep } from './kept.ts'
import { type Format, formatOf } from './format.ts'
import { apiLanguage, nameToCyrillic, type ShopLanguage, textToCyrillic, toCyrillic } from './language.ts'
import type { Credentials, StorefrontOptions } from './storefront.ts'
import type { Texts } from './texts/index.ts'

/** What the sealed cookie of a signed-in client holds. */
export interface SignedIn {
  tokens: Tokens
  name: string
}

export type ShopProfile = Operations['shop.get']['reply']['shop']

/** What every page shows around its content. */
export interface Frame {
  categories: Category[]
  cartCount: number
  /** Name, logo and colour that the shop has chosen. */
  shop: ShopProfile
}

export interface Visit {
  language: ShopLanguage
  texts: Texts
  format: Format
  origin: string
  /** The path and query of this page, to return to. */
  here: string
  /** The path below `/shop/{language}`. */
  path: string
  params: Record<string, string>
  query: URLSearchParams
  form: Record<string, string>
  /** Whether a form was sent. */
  isAction: boolean
  /** The page that the form is on. */
  referer: string | undefined
  /** Whether the page's script sent the form and expects a short answer. */
  isScript: boolean
  visitorId: string
  /** Whether this is the first request of a guest. */
  isNew: boolean
  /** The name of the signed-in client. */
  clientName: string | undefined
  /** The SDK with the credential of the client, or of the storefront for guests. */
  bozor: Bozor
  /** Names the guest in cart calls; a client is named by the token. */
  buyer: { SessionId?: string }
  /** The same for order calls. */
  orderBuyer: { session_id?: string }
  credentials: Credentials
  options: StorefrontOptions
  assets: Assets
  fetch: typeof fetch
  cookie(name: CookieName): string | undefined
  setCookie(name: CookieName, value: string, seconds: number): void
  /** The session of the platform's own pages, as a `Cookie` header. */
  platformCookie: string | undefined
  /** A `Set-Cookie` of the platform that the visitor shall get. */
  passCookie(line: string): void
  cookies: string[]
  /** The address of a page in the visitor's language. */
  at(path: string): string
  /** A text of the catalogue in the visitor's script. */
  say(text: string): string
  /** The name of a product in the visitor's script: brands and models stay. */
  nameOf(name: string): string
  /** A text about the product with this name. */
  describe(text: string, name: string): string
  /** The address of a picture without our own origin. */
  picture(url: string): string
  frame(): Promise<Frame>
  /** A value that all visitors share; `load` must use `store`. */
  keep: Keep
  /** The SDK with the storefront's own key, also for signed-in clients. */
  store: Bozor
}

const yearSeconds = 365 * 86_400
const clientSeconds = 14 * 86_400
const visitorForm = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface Shared {
  options: StorefrontOptions
  credentials: Credentials
  language: ShopLanguage
  texts: Texts
  assets: Assets
  loadFrame(visit: Visit): Promise<Frame>
  keep: Keep
}

/** The script of the page sends the request, and not the browser. */
export const isScript = ({ request }: PageRequest): boolean =>
  String(request.headers['accept'] ?? '').includes('application/json')

export function openVisit(asked: PageRequest, shared: Shared): Visit {
  const { options, credentials, language } = shared
  const { request } = asked
  const { origin } = request.state
  const jar = cookiesOf(request.headers['cookie'])
  const cookies: string[] = []
  const set = (name: CookieName, value: string, seconds: number) =>
    void cookies.push(setCookie(origin, name, { value, seconds }))
  const kept = jar.get(cookieNames.visitor)
  const visitorId = kept && visitorForm.test(kept) ? kept : crypto.randomUUID()
  if (visitorId !== kept) set('visitor', visitorId, yearSeconds)
  const signedIn = signedInOf(options, jar.get(cookieNames.client))
  const send = options.fetchFor({
    address: request.ip,
    userAgent: String(request.headers['user-agent'] ?? ''),
  })
  const url = new URL(request.url, 'http://shop')
  const at = (path: string) => `/shop/${language}${path}`
  let frame: Promise<Frame> | undefined
  const visit: Visit = {
    ...shared,
    format: formatOf(language, options.timeZone),
    origin,
    here: url.pathname + url.search,
    path: url.pathname.replace(/^\/shop\/[\w-]+/, ''),
    params: asked.params,
    query: url.searchParams,
    form: asked.form,
    isAction: request.method === 'POST',
    referer: pathWithin(origin, request.headers['referer']),
    isScript: isScript(asked),
    visitorId,
    isNew: visitorId !== kept && !signedIn,
    clientName: signedIn?.name,
    bozor: sdkFor({ shared, origin, send, signedIn, save: (it) => set('client', it, clientSeconds) }),
    buyer: signedIn ? {} : { SessionId: visitorId },
    orderBuyer: signedIn ? {} : { session_id: visitorId },
    credentials,
    fetch: send,
    cookie: (name) => jar.get(cookieNames[name]),
    setCookie: set,
    platformCookie: platformCookie(jar),
    passCookie: (line) => void cookies.push(line),
    cookies,
    at,
    say: (text) => (language === 'uz-cyrl' ? toCyrillic(text) : text),
    nameOf: (name) => (language === 'uz-cyrl' ? nameToCyrillic(name) : name),
    describe: (text, name) => (language === 'uz-cyrl' ? textToCyrillic(text, name) : text),
    picture: (address) => withoutHost(address, new URL(origin).host),
    frame: () => (frame ??= shared.loadFrame(visit)),
    keep: (key, load) => shared.keep(`${language} ${origin} ${key}`, load),
    store: storeSdk(shared, origin, send),
  }
  return visit
}

const platformCookie = (jar: Map<string, string>): string | undefined => {
  const name = [...jar.keys()].find((it) => /^(__Host-)?bozor_session$/.test(it))
  return name && `${name}=${jar.get(name)}`
}

const pathWithin = (origin: string, address: string | undefined): string | undefined =>
  address?.startsWith(`${origin}/`) ? address.slice(origin.length) : undefined

/** Our own pictures are named by their path. */
const withoutHost = (address: string, host: string): string => {
  const start = address.indexOf(`://${host}/`)
  return start < 0 ? address : address.slice(start + host.length + 3)
}

const sdkBase = ({ language }: Shared, baseUrl: string, send: typeof fetch) => ({
  baseUrl,
  language: apiLanguage(language),
  fetch: send,
  maxRetries: 1,
})

const storeSdk = (shared: Shared, origin: string, send: typeof fetch): Bozor =>
  createBozor({ ...sdkBase(shared, origin, send), apiKey: shared.credentials.apiKey })

/** The storefront's key for guests, the client's own token after sign-in. */
function sdkFor({
  shared,
  origin,
  send,
  signedIn,
  save,
}: {
  shared: Shared
  origin: string
  send: typeof fetch
  signedIn: SignedIn | undefined
  save: (sealed: string) => void
}): Bozor {
  const { options, credentials } = shared
  if (!signedIn) return storeSdk(shared, origin, send)
  const token = refreshedTokens(
    { baseUrl: origin, ...credentials, fetch: send },
    signedIn.tokens,
    // A refresh token is used once, so the new pair must reach the browser.
    (tokens) => save(sealedClient(options, { tokens, name: signedIn.name })),
  )
  return createBozor({ ...sdkBase(shared, origin, send), token })
}

export const sealedClient = (options: StorefrontOptions, signedIn: SignedIn): string =>
  options.seal(JSON.stringify(signedIn))

function signedInOf(options: StorefrontOptions, sealed: string | undefined): SignedIn | undefined {
  const text = sealed === undefined ? undefined : options.open(sealed)
  return text === undefined ? undefined : (JSON.parse(text) as SignedIn)
}

export const signIn = (visit: Visit, signedIn: SignedIn): void =>
  visit.setCookie('client', sealedClient(visit.options, signedIn), clientSeconds)

/** The page of the sign-in, which leads back to `back`: by default this page. */
export const signInAddress = (visit: Visit, back = visit.here): string =>
  `${visit.at('/sign-in')}?${new URLSearchParams({ back })}`

export const signOut = (visit: Visit): void => visit.setCookie('client', '', 0)
