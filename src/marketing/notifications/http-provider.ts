// SMS and push messages over HTTP: one POST a message, in a form that any gateway can be taught (docs/notifications.md).

import type { Clock } from '../../base/clock.ts'
import { openSender, type Sent } from '../../base/post.ts'
import { wishedPauseMs } from '../../base/retry.ts'
import { signedHeaders } from '../../base/sign.ts'
import { type Message, type Provider, type Reply, shortened, type Verdict } from './provider.ts'

export interface HttpProviderOptions {
  url: string
  token: string | undefined
  secret: string | undefined
  bodyOf: (message: Message) => object
  /** The machine's own clock: receivers compare it with theirs. */
  clock: Clock
}

export function openHttpProvider({ url, token, secret, bodyOf, clock }: HttpProviderOptions): Provider {
  const sender = openSender(null)
  return {
    send: async (message) => {
      const body = JSON.stringify(bodyOf(message))
      const at = clock.now()
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        accept: 'application/json',
        'idempotency-key': message.id,
        ...(secret !== undefined && signedHeaders({ id: message.id, body, at }, [secret])),
        'user-agent': 'Bozor-Notifications/1.0',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      }
      return replyOf(await sender.send(url, headers, body), at)
    },
    close: () => sender.close(),
  }
}

export const smsBody = ({ id, to, content, category, environment }: Message) => ({
  id,
  to: to[0],
  text: content.text,
  language: content.language,
  category,
  environment,
})

export const pushBody = ({ id, to, content, category, environment }: Message) => ({
  id,
  to,
  title: content.subject,
  text: content.text,
  language: content.language,
  category,
  environment,
})

/** The message itself is at fault; every other refusal may be mended on either side. */
const aboutTheMessage = [400, 410, 413, 422]

const verdictOf = (status: number | null): Verdict => {
  if (status === null) return 'failed'
  if (status >= 200 && status < 300) return 'sent'
  return aboutTheMessage.includes(status) ? 'refused' : 'failed'
}

function replyOf({ status, reply, error, retryAfter }: Sent, now: Date): Reply {
  const told = toldIn(reply?.body ?? '')
  return {
    verdict: verdictOf(status),
    isUnwell: verdictOf(status) === 'failed',
    status,
    reply: reply === null ? null : shortened(reply.body),
    error,
    providerId: told.id,
    wishedMs: status === null ? undefined : wishedPauseMs(status, retryAfter, now),
    gone: told.gone,
  }
}

/** What a provider may tell of a message: its own id, and devices that are no more. Whoever says nothing may. */
function toldIn(body: string): { id: string | null; gone: string[] } {
  try {
    const { id, gone } = JSON.parse(body) as { id?: unknown; gone?: unknown }
    return {
      id: typeof id === 'string' || typeof id === 'number' ? shortened(String(id)) : null,
      gone: Array.isArray(gone) ? gone.filter((it) => typeof it === 'string') : [],
    }
  } catch {
    return { id: null, gone: [] }
  }
}
