// A buyer and his browser, without the browser: what it would send, and what it would keep.

import { equal } from 'node:assert/strict'
import { type CallOptions, callAt, type Reply } from './shop.ts'

export const password = 'four plums in a basket'

export interface SignedIn {
  client: { id: string }
  session: { id: string }
  csrfToken: string
  /** As the browser sends it back. */
  cookie: string
  /** A call with the cookie and no other credential, as from a page of ours unless said otherwise. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
}

/** Fails unless the reply opened a session, and returns the browser that has it. */
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
