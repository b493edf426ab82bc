// Strict parsing of form bodies: ambiguous input is rejected (RFC 6749 3.2).

import type { IncomingHttpHeaders } from 'node:http'
import type { Environment } from '../../base/database.ts'
import { environmentOfAnyToken, environmentOfApplicationId } from './token.ts'

export type Form = ReadonlyMap<string, string>

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The fields of a form, or the reason why it is rejected. */
export function formOf(headers: IncomingHttpHeaders, body: Buffer): Form | string {
  if (!formType.test(headers['content-type'] ?? '') || headers['content-encoding'])
    return 'send the parameters as application/x-www-form-urlencoded in UTF-8'
  const fields = new Map<string, string>()
  try {
    for (const pair of utf8.decode(body).split('&').filter(Boolean)) {
      const at = pair.indexOf('=')
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      if (fields.has(decoded(name))) return 'a parameter must not be sent twice'
      fields.set(decoded(name), decoded(value))
    }
  } catch {
    return 'the parameters are not well-formed UTF-8'
  }
  if ([...fields].flat().some((it) => it.includes('\0'))) return 'a parameter must not hold a NUL'
  return fields
}

/** Rejects percent-encoded bytes that are not UTF-8. */
const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** The application id in an `Authorization: Basic` header. */
function basicApplicationId(authorization: string | undefined): string | undefined {
  const [, base64] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? []
  try {
    // Both parts are form-encoded before they are joined (RFC 6749 2.3.1).
    return base64 && decoded(Buffer.from(base64, 'base64').toString().split(':')[0]!)
  } catch {
    return undefined
  }
}

/** The environment of the application, else of the token, else live. */
export function environmentOfForm(headers: IncomingHttpHeaders, form: Form): Environment {
  const applicationId = basicApplicationId(headers.authorization) ?? form.get('client_id') ?? ''
  const token = form.get('refresh_token') ?? form.get('code') ?? form.get('token') ?? ''
  return environmentOfApplicationId(applicationId) ?? environmentOfAnyToken(token) ?? 'live'
}

/** How the application authenticates itself; `unsupported` is another scheme than Basic. */
export function authenticationOf(
  { authorization }: IncomingHttpHeaders,
  form: Form,
): 'secret' | 'name' | 'none' | 'unsupported' {
  if (form.get('client_secret')) return 'secret'
  if (authorization !== undefined) return /^basic /i.test(authorization) ? 'secret' : 'unsupported'
  return form.get('client_id') ? 'name' : 'none'
}

/** The same form with a token that does not exist in place of one in a foreign format. */
export function withoutForeignToken(form: Form, body: Buffer): Buffer {
  const token = form.get('token')
  if (!token || environmentOfAnyToken(token)) return body
  return Buffer.from(new URLSearchParams([...new Map([...form, ['token', 'foreign']])]).toString())
}
