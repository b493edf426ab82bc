// Collects calls in memory and saves them in batches, never within a request. A busy server keeps a sample.

import { type Clock, elapsedMs } from '../../base/clock.ts'
import { parseJsonBytes } from '../../base/json.ts'
import { timedUuid } from '../../base/random.ts'
import type { ApiCall } from '../../http/api-call.ts'
import { maskReply, maskRequest, maskUrl } from './mask.ts'
import type { LoggedCall } from './store.ts'

/** Calls of one kind that are kept in a burst, and per second in the long run. */
const burst = 200
const perSecond = 10
/** Longer bodies are not kept. */
const maxBodyBytes = 8 * 1_024
const maxPathLength = 1_000
const maxUserAgentLength = 200

/** Served and failed calls have budgets of their own: a flood of one kind does not hide the other. */
type Kind = 'served' | 'failed'

interface Budget {
  tokens: number
  refilledMs: number
  skipped: number
}

export class CallLog {
  readonly #clock: Clock
  readonly #elapsed: () => number
  readonly #budgets: Record<Kind, Budget>
  #calls: { call: ApiCall; at: Date; skipped: number }[] = []

  constructor(clock: Clock, elapsed: () => number = elapsedMs) {
    this.#clock = clock
    this.#elapsed = elapsed
    const full = () => ({ tokens: burst, refilledMs: elapsed(), skipped: 0 })
    this.#budgets = { served: full(), failed: full() }
  }

  /** Keeps the call, unless too many of its kind came before. Calls of members are in the audit log. */
  note(call: ApiCall): void {
    if (call.principal?.actor.kind === 'member') return
    const kind = call.status < 400 ? 'served' : 'failed'
    const budget = this.#budgets[kind]
    if (!this.#take(budget)) return void budget.skipped++
    const bodies =
      kind === 'failed'
        ? { requestBody: copyOf(call.requestBody), replyBody: copyOf(call.replyBody) }
        : { requestBody: undefined, replyBody: undefined }
    this.#calls.push({ call: { ...call, ...bodies }, at: this.#clock.now(), skipped: budget.skipped })
    budget.skipped = 0
  }

  /** Saves the calls since the last save. Calls that cannot be saved are lost: the log must not fill the memory. */
  async flush(write: (calls: LoggedCall[]) => Promise<void>): Promise<void> {
    if (this.#calls.length === 0) return
    const calls = this.#calls
    this.#calls = []
    await write(calls.map(({ call, at, skipped }) => ({ ...loggedCallOf(call, at), skipped })))
  }

  #take(budget: Budget): boolean {
    const now = this.#elapsed()
    budget.tokens = Math.min(burst, budget.tokens + ((now - budget.refilledMs) / 1_000) * perSecond)
    budget.refilledMs = now
    if (budget.tokens < 1) return false
    budget.tokens--
    return true
  }
}

/** A copy, because the bytes may be a part of a larger buffer that would stay in memory. */
function copyOf(body: string | Buffer | undefined): Buffer | undefined {
  if (body === undefined || body.length === 0) return undefined
  const length = Buffer.byteLength(body)
  return length > maxBodyBytes ? tooLong(length) : Buffer.from(body as string)
}

const tooLong = (length: number): Buffer =>
  Buffer.from(JSON.stringify(`(${length} bytes; bodies above ${maxBodyBytes} bytes are not kept)`))

function loggedCallOf(call: ApiCall, at: Date): Omit<LoggedCall, 'skipped'> {
  return {
    id: timedUuid(at),
    at,
    requestId: call.requestId,
    method: call.method,
    path: maskUrl(call.url).slice(0, maxPathLength),
    route: call.route ?? null,
    status: call.status,
    errorCode: errorCodeIn(call.replyBody),
    ms: Math.round(call.ms * 10) / 10,
    credential: call.principal?.id ?? unknownCredential(call.authorization),
    applicationId: call.principal?.application?.id ?? null,
    userAgent: call.userAgent?.slice(0, maxUserAgentLength) ?? null,
    requestBody: maskedBody(call.requestBody, (it) => maskRequest(it, call.url)),
    replyBody: maskedBody(call.replyBody, (it) => maskReply(it, call.url)),
  }
}

/** The kind of a credential that was refused, such as `ak_test_…`: the rest may be a secret with a typing error. */
const unknownCredential = (authorization: string | undefined): string | null =>
  authorization === undefined ? null : `${credentialMark(authorization) ?? ''}…`

const credentialMark = (authorization: string): string | undefined =>
  /^bearer +((?:ak|at)_(?:live|test)_)/i.exec(authorization)?.[1]

/** Where a refused test credential is logged: its owner looks for it there. */
export const isTestCall = ({ principal, authorization }: ApiCall): boolean =>
  principal
    ? principal.environment === 'test'
    : credentialMark(authorization ?? '')?.endsWith('_test_') === true

/** Text that is not JSON may hold secrets in places that no rule finds, so it is not kept. */
function maskedBody(body: string | Buffer | undefined, masked: (value: unknown) => unknown): string | null {
  if (body === undefined) return null
  const json = jsonOf(body)
  return json === undefined ? `(${body.length} bytes that are not JSON)` : JSON.stringify(masked(json))
}

function jsonOf(body: string | Buffer): unknown {
  try {
    return parseJsonBytes(Buffer.from(body as string))
  } catch {
    return undefined
  }
}

function errorCodeIn(body: string | Buffer | undefined): string | null {
  const { error } = ((body && jsonOf(body)) ?? {}) as { error?: { code?: unknown } | string }
  const code = typeof error === 'string' ? error : error?.code
  return typeof code === 'string' ? code.slice(0, 100) : null
}
