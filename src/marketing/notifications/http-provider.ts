// SMS and push messages over HTTP: one POST per message, in a format that any gateway can adapt (docs/notifications.md).

import type { Clock } from '../../base/clock.ts'
import { openHttpSender, type PostResult } from '../../base/http-post.ts'
import { retryAfterMs } from '../../base/retry.ts'
import { signatureHeaders } from '../../base/signature.ts'
import { type Message, type Provider, type ProviderReply, truncated, type Verdict } from './provider.ts'

export interface HttpProviderOptions {
  url: string
  token: string | undefined
  secret: string | undefined
  bodyOf: (message: Message) => object
  /** The system clock, not the shop's: receivers compare timestamps with their own. */
  clock: Clock
}

export function openHttpProvider({ url, token, secret, bodyOf, clock }: HttpProviderOptions): Provider {
  const sender = openHttpSender(null)
  return {
    send: async (message) => {
      const body = JSON.stringify(bodyOf(message))
      const at = clock.now()
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        accept: 'application/json',
        'idempotency-key': message.id,
        ...(secret !== undefined && signatureHeaders({ id: message.id, body, at }, [secret])),
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

/** The message itself is wrong; all other errors may be fixed on either side. */
const permanentStatuses = [400, 410, 413, 422]

const verdictOf = (status: number | null): Verdict => {
  if (status === null) return 'failed'
  if (status >= 200 && status < 300) return 'sent'
  return permanentStatuses.includes(status) ? 'refused' : 'failed'
}

function replyOf({ status, reply, error, retryAfter }: PostResult, now: Date): ProviderReply {
  const parsed = parseReply(reply?.body ?? '')
  return {
    verdict: verdictOf(status),
    isProviderFailing: verdictOf(status) === 'failed',
    status,
    reply: reply === null ? null : truncated(reply.body),
    error,
    providerId: parsed.id,
    retryAfterMs: status === null ? undefined : retryAfterMs(status, retryAfter, now),
    goneDevices: parsed.gone,
  }
}

/** Optional content of a reply: the provider's message id, and device tokens that no longer exist. */
function parseReply(body: string): { id: string | null; gone: string[] } {
  try {
    const { id, gone } = JSON.parse(body) as { id?: unknown; gone?: unknown }
    return {
      id: typeof id === 'string' || typeof id === 'number' ? truncated(String(id)) : null,
      gone: Array.isArray(gone) ? gone.filter((it) => typeof it === 'string') : [],
    }
  } catch {
    return { id: null, gone: [] }
  }
}
