// The interface of a provider, which sends messages of one channel. It makes one attempt; retries are not its concern.

import type { Environment } from '../../base/database.ts'
import { toStorableText } from '../../base/json.ts'
import type { Rendered } from '../templates/render.ts'
import type { Category } from './notification.ts'

export interface Message {
  /** The notification's id: the same at every attempt, so that receivers can detect duplicates. */
  id: string
  environment: Environment
  category: Category
  /** One e-mail address or phone number, or the device tokens of a client. */
  to: readonly string[]
  name: string | null
  content: Rendered
  /** Marketing only. */
  unsubscribeUrl: string | null
  /** The name that mails are sent under; null: the configured one. */
  shopName: string | null
}

/** `failed` is temporary, `refused` is permanent. */
export type Verdict = 'sent' | 'failed' | 'refused'

export interface ProviderReply {
  verdict: Verdict
  /** The provider itself fails, not just this message. */
  isProviderFailing: boolean
  /** The SMTP or HTTP status; null when there was no reply. */
  status: number | null
  reply: string | null
  error: string | null
  providerId: string | null
  /** From the Retry-After header. */
  retryAfterMs?: number | undefined
  /** Device tokens that no longer exist. */
  goneDevices?: readonly string[]
}

export interface Provider {
  send(message: Message): Promise<ProviderReply>
  close(): void
}

const maxReplyLength = 500

/** Short enough to store, without characters that PostgreSQL cannot store. */
export const truncated = (text: string): string => toStorableText(text.slice(0, maxReplyLength))
