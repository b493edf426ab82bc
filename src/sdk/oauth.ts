// Access tokens of the three OAuth flows. A token source renews its token before it expires.

import { BozorConnectionError, BozorTokenError } from './errors.ts'
import type { TokenSource } from './transport.ts'

export interface OAuthOptions {
  baseUrl: string
  clientId: string
  /** Not for browsers and mobile applications. */
  clientSecret?: string
  fetch?: typeof fetch
}

export interface Tokens {
  accessToken: string
  refreshToken?: string
  /** Milliseconds since 1970. */
  expiresAt: number
  scope: string
}

const renewBeforeMs = 60_000
const timeoutMs = 30_000

/** Server-to-server: the application acts for itself. */
export function clientCredentials(options: OAuthOptions & { scope?: string }): TokenSource {
  const request = () =>
    requestTokens(options, {
      grant_type: 'client_credentials',
      ...(options.scope && { scope: options.scope }),
    })
  return cachedToken(request)
}

/** Begins the authorization code flow with PKCE: send the buyer to `url` and keep `state` and `verifier`. */
export async function authorizationUrl(
  options: OAuthOptions & { redirectUri: string; scope: string },
): Promise<{ url: string; state: string; verifier: string }> {
  const state = randomText()
  const verifier = randomText()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const url = new URL('/oauth/authorize', options.baseUrl)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: options.redirectUri,
    scope: options.scope,
    state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }).toString()
  return { url: url.href, state, verifier }
}

/** Ends the authorization code flow. `callback` is the URL to which the buyer came back. */
export async function exchangeCode(
  options: OAuthOptions & { redirectUri: string },
  { callback, state, verifier }: { callback: string; state: string; verifier: string },
): Promise<Tokens> {
  const parameters = new URL(callback).searchParams
  const failure = parameters.get('error')
  if (failure) throw new BozorTokenError(failure, { description: parameters.get('error_description') })
  if (parameters.get('state') !== state)
    throw new Error('the state of the callback is not the one that was sent')
  const code = parameters.get('code')
  if (!code) throw new Error('the callback has no code')
  return requestTokens(options, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: options.redirectUri,
    code_verifier: verifier,
  })
}

/** A token source for a buyer's tokens. `save` is called with every new pair, because refresh tokens rotate. */
export function refreshedTokens(
  options: OAuthOptions,
  tokens: Tokens,
  save: (tokens: Tokens) => void | Promise<void>,
): TokenSource {
  const request = async (current: Tokens) => {
    if (!current.refreshToken) throw new Error('the tokens cannot be refreshed: there is no refresh token')
    const next = await requestTokens(options, {
      grant_type: 'refresh_token',
      refresh_token: current.refreshToken,
    })
    await save(next)
    return next
  }
  return cachedToken((current) => request(current ?? tokens), tokens)
}

/** Concurrent callers share one renewal. */
function cachedToken(
  request: (current: Tokens | undefined) => Promise<Tokens>,
  initial?: Tokens,
): TokenSource {
  let current = initial
  let pending: Promise<Tokens> | undefined
  return async ({ renew }) => {
    if (current && !renew && current.expiresAt - Date.now() > renewBeforeMs) return current.accessToken
    pending ??= request(current).finally(() => (pending = undefined))
    current = await pending
    return current.accessToken
  }
}

async function requestTokens(options: OAuthOptions, form: Record<string, string>): Promise<Tokens> {
  const url = new URL('/oauth/token', options.baseUrl)
  const { response, body } = await post(options, url, form).catch((cause: unknown) => {
    throw new BozorConnectionError(`POST ${url.href}: the connection failed`, { cause })
  })
  const { status } = response
  const { error, error_description: description } = body
  if (typeof error === 'string') throw new BozorTokenError(error, { description, status })
  if (!response.ok || typeof body['access_token'] !== 'string')
    throw new BozorConnectionError(`unexpected reply with status ${status} from ${url.href}`, { status })
  return {
    accessToken: body['access_token'],
    ...(typeof body['refresh_token'] === 'string' && { refreshToken: body['refresh_token'] }),
    expiresAt: Date.now() + Number(body['expires_in']) * 1000,
    scope: String(body['scope'] ?? ''),
  }
}

async function post(
  { clientId, clientSecret, fetch: send = fetch }: OAuthOptions,
  url: URL,
  form: Record<string, string>,
): Promise<{ response: Response; body: Record<string, unknown> }> {
  const response = await send(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      ...form,
      client_id: clientId,
      ...(clientSecret && { client_secret: clientSecret }),
    }).toString(),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  const isJson = /^application\/json\b/.test(response.headers.get('Content-Type') ?? '')
  return { response, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} }
}

const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)))

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
