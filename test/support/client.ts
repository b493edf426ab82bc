// The session of a client as a browser holds it: the cookie and the CSRF token.

import { equal } from 'node:assert/strict'
import { type CallOptions, callAt, type Reply } from './shop.ts'

export const password = 'four plums in a basket'

export interface SignedIn {
  client: { id: string }
  session: { id: string }
  csrfToken: string
  /** The value of the Cookie header. */
  cookie: string
  /** Sends the cookie as the only credential, by default with the headers of a same-origin page. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
}

/** Fails unless the reply opened a session. */
export function browserWith(url: string, reply: Reply): SignedIn {
  const cookie = reply.headers.get('set-cookie')?.split(';')[0]
  equal(typeof cookie, 'string', reply.text)
  const { client, session, csrf_token } = reply.body.data
  return {
    client,
    session,
    csrfToken: csrf_token,
    cookie: cookie!,
    call: (method, path, options = {}) =>
      callAt(url, method, path, {
        ...options,
        headers: { cookie: cookie!, ...(method !== 'GET' && { origin: url }), ...options.headers },
      }),
  }
}
