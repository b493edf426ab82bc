// A browser sends our cookie with whatever another site makes it send. So a write must show that it comes from us:
// by its Origin, or by a token that only who read the reply to the sign-in can know.

import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../base/random.ts'
import type { Caller } from '../http/admission.ts'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The token of a session. It is computed from the cookie, which no script can read, and kept nowhere. */
export const csrfTokenOf = (cookie: string): string => sha256(`csrf ${cookie}`).toString('base64url')

export const isCsrfToken = (given: string, cookie: string): boolean =>
  timingSafeEqual(sha256(given), sha256(csrfTokenOf(cookie)))

/** Whether a call that carries our cookie was made by a page of ours, or by one that was told the token. */
export function isOurOwn({ headers, method, origin }: Caller, cookie: string): boolean {
  if (harmless.has(method) || headers.origin === origin) return true
  const given = headers['x-csrf-token']
  return typeof given === 'string' && isCsrfToken(given, cookie)
}
