// Applications, clients and browsers for OAuth tests.

import { equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Environment } from '../../src/base/database.ts'
import { jitter, secretText } from '../../src/base/random.ts'
import type { Scope } from '../../src/http/scopes.ts'
import { type ApplicationType, registerApplication } from '../../src/identity/index.ts'
import { callAt, type Reply, type TestPlatform } from './shop.ts'

export interface TestApplication {
  id: string
  secret: string
  apiKey: string
  redirect: string
}

export const password = 'seven blue melons'

/** By default in the test environment. */
export async function newApplication(
  { app }: Pick<TestPlatform, 'app'>,
  given: {
    type?: ApplicationType
    scopes?: Scope[]
    redirect?: string
    redirectUrls?: string[]
    environment?: Environment
    rateLimit?: string
  } = {},
): Promise<TestApplication> {
  const redirect = given.redirect ?? 'https://shop.example/signed-in?from=bozor'
  const record = {
    name: 'Market <on> wheels',
    type: given.type ?? 'web',
    scopes: given.scopes ?? [
      'catalog:read',
      'cart:read',
      'cart:write',
      'admin:read',
      'profile:read',
      'profile:write',
    ],
    redirectUrls: given.redirectUrls ?? [redirect],
    rateLimit: given.rateLimit ?? null,
  }
  const made = await app.shops[given.environment ?? 'test'].db.transaction((tx) =>
    registerApplication(tx, record, null),
  )
  return {
    id: made.application.applicationId,
    secret: made.clientSecret ?? '',
    apiKey: made.apiKey,
    redirect,
  }
}

/** Registers a client in the test environment. */
export async function newBuyer(url: string, key: string): Promise<{ phone: string; id: number }> {
  const phone = `+99890${String(Math.floor(jitter() * 1e7)).padStart(7, '0')}`
  const body = { name: 'Aziza', phone, password }
  const reply = await callAt(url, 'POST', '/v1/auth/register', { key, body })
  equal(reply.status, 201, reply.text)
  return { phone, id: Number(reply.body.data.client.id) }
}

/** Posts a form to an OAuth endpoint. */
export async function sendForm(
  url: string,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Reply> {
  return callAt(url, 'POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export const credentialsOf = ({ id, secret }: TestApplication) => ({
  client_id: id,
  ...(secret && { client_secret: secret }),
})

export const exchangeCode = (
  url: string,
  application: TestApplication,
  code: string,
  more: Record<string, string> = {},
): Promise<Reply> =>
  sendForm(url, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: application.redirect,
    ...credentialsOf(application),
    ...more,
  })

export const refresh = (
  url: string,
  application: TestApplication,
  token: string,
  more: Record<string, string> = {},
): Promise<Reply> =>
  sendForm(url, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    ...credentialsOf(application),
    ...more,
  })

export const clientCredentialsToken = (
  url: string,
  application: TestApplication,
  scope?: string,
): Promise<Reply> =>
  sendForm(url, '/oauth/token', {
    grant_type: 'client_credentials',
    ...credentialsOf(application),
    ...(scope !== undefined && { scope }),
  })

export function pkce(): { verifier: string; challenge: Record<string, string> } {
  const verifier = secretText(64)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge: { code_challenge, code_challenge_method: 'S256' } }
}

export interface Shown {
  status: number
  headers: Headers
  text: string
  /** The absolute URL of the redirect. */
  location: string
}

const maxRedirects = 20

/** Stores cookies with their paths and follows redirects within the platform. */
export class Browser {
  readonly url: string
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>()

  constructor(url: string) {
    this.url = url
  }

  /** The same cookies at another server of the platform. */
  at(url: string): Browser {
    const other = new Browser(url)
    for (const [key, cookie] of this.#cookies) other.#cookies.set(key, cookie)
    return other
  }

  get cookies(): string[] {
    return [...this.#cookies.values()].map((it) => it.value)
  }

  async ask(
    address: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Shown> {
    const target = new URL(address, this.url)
    const cookie = [...this.#cookies.values()]
      .filter((it) => `${target.pathname}/`.startsWith(it.path.replace(/\/?$/, '/')))
      .map((it) => `${it.name}=${it.value}`)
      .join('; ')
    const reply = await fetch(target, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(form && { origin: new URL(this.url).origin }),
        ...headers,
      },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const line of reply.headers.getSetCookie()) this.#keep(line)
    const location = reply.headers.get('location')
    return {
      status: reply.status,
      headers: reply.headers,
      text: await reply.text(),
      location: location === null ? '' : new URL(location, target).href,
    }
  }

  /** Follows redirects until a page is shown or a redirect leaves the platform. */
  async follow(address: string, form?: Record<string, string>): Promise<Shown> {
    let shown = await this.ask(address, form)
    for (let count = 0; shown.location.startsWith(`${this.url}/`); count++) {
      if (count === maxRedirects)
        throw new Error(`more than ${maxRedirects} redirects, last to ${shown.location}`)
      shown = await this.ask(shown.location)
    }
    return shown
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((it) => it.trim())
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    const path = attributes.find((it) => /^path=/i.test(it))?.slice(5) ?? '/'
    const isOver = value === '' || attributes.some((it) => /^(expires=Thu, 01 Jan 1970|max-age=0$)/i.test(it))
    if (isOver) this.#cookies.delete(`${name} ${path}`)
    else this.#cookies.set(`${name} ${path}`, { name, value, path })
  }
}

/** The authorization URL of an application. */
export function authorizeAddress(application: TestApplication, more: Record<string, string> = {}): string {
  const query = {
    response_type: 'code',
    client_id: application.id,
    redirect_uri: application.redirect,
    ...more,
  }
  return `/oauth/authorize?${new URLSearchParams(query)}`
}

export const actionOf = ({ text }: Shown): string => /<form method="post" action="([^"]+)"/.exec(text)![1]!
export const csrfOf = ({ text }: Shown): string => /name="csrf_token" value="([^"]+)"/.exec(text)![1]!

/** The parameters that the application receives. */
export const returned = ({ location }: Shown): URLSearchParams => new URL(location).searchParams

/** Signs in if the sign-in page is shown. */
export async function signedInThrough(browser: Browser, address: string, phone: string): Promise<Shown> {
  const page = await browser.follow(address)
  return page.text.includes('name="password"')
    ? browser.follow(actionOf(page), { login: phone, password })
    : page
}

/** Consents if the consent page is shown. */
export const allowed = (browser: Browser, page: Shown): Promise<Shown> | Shown =>
  page.text.includes('name="decision"')
    ? browser.follow(actionOf(page), { csrf_token: csrfOf(page), decision: 'allow' })
    : page

/** Runs the whole authorization flow and returns the code. */
export async function codeFor(
  browser: Browser,
  application: TestApplication,
  { phone, ...more }: { phone: string } & Record<string, string>,
): Promise<string> {
  const shown = await allowed(
    browser,
    await signedInThrough(browser, authorizeAddress(application, more), phone),
  )
  equal(shown.status, 303, shown.text)
  return returned(shown).get('code') ?? ''
}
