// Who carries messages of one channel. A provider sends once and says how that went; when to try again is not its matter.

import type { Environment } from '../../base/db.ts'
import { keepable } from '../../base/json.ts'
import type { Rendered } from '../templates/render.ts'
import type { Category } from './notification.ts'

/** A message on its way, with all that its carrier needs. */
export interface Message {
  /** The notification's id: the same at every try, so that whoever gets it twice can tell. */
  id: string
  environment: Environment
  category: Category
  /** An e-mail or a number, or the devices of a client. */
  to: readonly string[]
  name: string | null
  content: Rendered
  /** Where one says that one wants no more of this; of marketing alone. */
  unsubscribeUrl: string | null
}

/** Sent; failed, which may pass; or refused, which will not. */
export type Verdict = 'sent' | 'failed' | 'refused'

export interface Reply {
  verdict: Verdict
  /** Whether the provider itself is unwell, and not just unwilling to take this message now. */
  isUnwell: boolean
  /** Of SMTP or HTTP; null when there was none. */
  status: number | null
  reply: string | null
  error: string | null
  providerId: string | null
  /** How long the provider wants to be left alone. */
  wishedMs?: number | undefined
  /** Devices that are no more. */
  gone?: readonly string[]
}

export interface Provider {
  send(message: Message): Promise<Reply>
  close(): void
}

const keptReply = 500

/** What was said, short enough to keep and without what a database cannot. */
export const shortened = (text: string): string => keepable(text.slice(0, keptReply))
