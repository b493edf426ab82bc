// Cookies of ours. On HTTPS the name itself forbids a neighbour domain to set them (RFC 6265bis, `__Host-`).

import type { Caller } from '../http/admission.ts'
import { absoluteLifetimeMs, sessionCookie } from './session.ts'

const isSecure = (origin: string): boolean => origin.startsWith('https:')

const nameAt = (origin: string, name: string): string => (isSecure(origin) ? `__Host-${name}` : name)

/** The value of one of our cookies, as a caller of this origin sends it. */
export function cookieOf(
  { headers, origin }: Pick<Caller, 'headers' | 'origin'>,
  name: string,
): string | undefined {
  const start = `${nameAt(origin, name)}=`
  const found = headers.cookie?.split(';').find((it) => it.trimStart().startsWith(start))
  return found?.trim().slice(start.length)
}

/** A `Set-Cookie` that only we can read back, that no other site sends for us, and that no script sees. */
export function setCookie(
  origin: string,
  name: string,
  { value, seconds }: { value: string; seconds: number },
): string {
  const secure = isSecure(origin) ? '; Secure' : ''
  return `${nameAt(origin, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Gives a browser the session of a client; on its own the cookie lives as long as any session can. */
export const sessionSetCookie = (origin: string, secret: string): string =>
  setCookie(origin, sessionCookie, { value: secret, seconds: absoluteLifetimeMs / 1000 })

export const sessionUnsetCookie = (origin: string): string =>
  setCookie(origin, sessionCookie, { value: '', seconds: 0 })
