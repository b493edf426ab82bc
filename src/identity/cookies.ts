// Our cookies. On HTTPS the `__Host-` prefix keeps other subdomains from setting them (RFC 6265bis).

import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../base/random.ts'
import type { AuthenticationInput } from '../http/admission.ts'
import { absoluteLifetimeMs, sessionCookie } from './clients/session.ts'

const isSecure = (origin: string): boolean => origin.startsWith('https:')

const nameAt = (origin: string, name: string): string => (isSecure(origin) ? `__Host-${name}` : name)

/** The value of one of our cookies. */
export function cookieOf(
  { headers, origin }: Pick<AuthenticationInput, 'headers' | 'origin'>,
  name: string,
): string | undefined {
  const start = `${nameAt(origin, name)}=`
  const found = headers.cookie?.split(';').find((it) => it.trimStart().startsWith(start))
  return found?.trim().slice(start.length)
}

/** A `Set-Cookie` that scripts cannot read and other sites cannot send with a POST. */
export function setCookie(
  origin: string,
  name: string,
  { value, seconds }: { value: string; seconds: number },
): string {
  const secure = isSecure(origin) ? '; Secure' : ''
  return `${nameAt(origin, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The session cookie of a client. It lives as long as a session can; the server decides earlier expiry. */
export const sessionSetCookie = (origin: string, secret: string): string =>
  setCookie(origin, sessionCookie, { value: secret, seconds: absoluteLifetimeMs / 1000 })

export const sessionUnsetCookie = (origin: string): string =>
  setCookie(origin, sessionCookie, { value: '', seconds: 0 })

// CSRF: a browser sends our cookie also with requests that another site makes. A write must prove that it comes from
// our page, by its Origin or by a token that only the reader of the sign-in reply knows.

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The CSRF token of a session, derived from the cookie and not stored. */
export const csrfTokenOf = (cookie: string): string => sha256(`csrf ${cookie}`).toString('base64url')

export const isCsrfToken = (given: string, cookie: string): boolean =>
  timingSafeEqual(sha256(given), sha256(csrfTokenOf(cookie)))

/** Whether a request with our cookie comes from our page, or from one that knows the CSRF token. */
export function isOurOwn({ headers, method, origin }: AuthenticationInput, cookie: string): boolean {
  if (harmless.has(method) || headers.origin === origin) return true
  const given = headers['x-csrf-token']
  return typeof given === 'string' && isCsrfToken(given, cookie)
}
