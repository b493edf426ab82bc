// Errors of the SDK. `code` is stable and decides; `message` is for people, in the language of the request.

import { detailsOf, type ErrorDetails } from './error-details.ts'
import type { ErrorCode, Violation } from './schema.ts'

interface Context {
  status: number
  requestId?: string
  retryAfter?: number
}

class ErrorOfApi extends Error {
  override readonly name = 'BozorError'
  readonly code: ErrorCode
  readonly status: number
  readonly type: string
  readonly details: ErrorDetails[ErrorCode]
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined
  /** Seconds after which the server expects a retry to succeed. */
  readonly retryAfter: number | undefined

  constructor(reply: ErrorReply, context: Context) {
    super(reply.error.message)
    this.code = reply.error.code
    this.status = context.status
    this.type = reply.error.type
    this.details = detailsOf(reply.error) as ErrorDetails[ErrorCode]
    this.requestId = reply.meta?.request_id ?? context.requestId
    this.retryAfter = context.retryAfter
  }

  /** Every rule that the request breaks; empty when the error is about something else. */
  get violations(): Violation[] {
    const { violations } = this.details as { violations?: Violation[] }
    return violations ?? []
  }
}

/** An error reply of the API: `code` decides the type of `details`. */
export type BozorError = {
  [Code in ErrorCode]: Omit<ErrorOfApi, 'code' | 'details'> & { code: Code; details: ErrorDetails[Code] }
}[ErrorCode]

export const BozorError = ErrorOfApi as unknown as {
  new (reply: ErrorReply, context: Context): BozorError
  readonly prototype: BozorError
}

/** The request got no usable reply: the network failed, the deadline passed, or a proxy answered. */
export class BozorConnectionError extends Error {
  override readonly name = 'BozorConnectionError'
  readonly status: number | undefined

  constructor(message: string, options: { cause?: unknown; status?: number } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status
  }
}

/** The authorization server refused a token; `code` is that of RFC 6749, such as `invalid_grant`: sign in again. */
export class BozorTokenError extends Error {
  override readonly name = 'BozorTokenError'
  readonly code: string
  readonly status: number | undefined

  constructor(code: string, { description, status }: { description?: unknown; status?: number } = {}) {
    super(typeof description === 'string' ? `${code}: ${description}` : code)
    this.code = code
    this.status = status
  }
}

export interface ErrorReply {
  error: { code: ErrorCode; message: string; type: string; details?: object }
  meta?: { request_id?: string }
}

export const isErrorReply = (body: unknown): body is ErrorReply =>
  typeof body === 'object' &&
  body !== null &&
  typeof (body as { error?: { code?: unknown } }).error?.code === 'string'
