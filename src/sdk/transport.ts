// One request: headers, deadline, retries and the reading of replies. It depends on no operation.

import { BozorConnectionError, BozorError, isErrorReply } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Returns a bearer credential; it is called before every request and again with `renew` after a 401. */
export type TokenSource = (options: { renew: boolean }) => string | Promise<string>

export interface BozorOptions {
  /** Origin of the server, for example `https://shop.example`. */
  baseUrl: string
  /** An API key (`ak_…`). */
  apiKey?: string
  /** A source of access tokens, for example `clientCredentials(…)`. */
  token?: TokenSource
  /** Which environment a member's session acts in. Keys and tokens belong to one. */
  environment?: 'live' | 'test'
  language?: 'ru' | 'uz' | 'en'
  currency?: string
  timezone?: string
  /** `include` sends the cookie of a session. Outside browsers the client keeps it itself. */
  credentials?: 'include' | 'same-origin' | 'omit'
  /** What `onCsrfToken` kept of an earlier page: writes by a session from another origin need it. */
  csrfToken?: string | null
  /** Receives the CSRF token of every session that a call opens, to keep it over page loads. */
  onCsrfToken?: (token: string) => void
  /** Deadline of one attempt; 30 seconds by default. */
  timeoutMs?: number
  /** Further attempts after the first; 2 by default. */
  maxRetries?: number
  fetch?: typeof fetch
}

export interface RequestOptions {
  signal?: AbortSignal
  timeoutMs?: number
  /** Makes the write repeatable across processes. Without it the SDK creates one per call. */
  idempotencyKey?: string
  /** Only when the resource still has this `ETag`. */
  ifMatch?: string
  /** Checks the write without doing it. */
  dryRun?: boolean
  language?: 'ru' | 'uz' | 'en'
  headers?: Record<string, string>
  /** Receives the headers of a successful reply, for example `X-Recommendation-Id` or `ETag`. */
  onHeaders?: (headers: Headers) => void
}

export interface Call {
  method: Method
  path: string
  query?: Record<string, unknown>
  body?: unknown
  options: RequestOptions
  /** The write takes an Idempotency-Key, which makes it safe to retry. */
  hasKey: boolean
  /** The request changes nothing. */
  isSafe: boolean
  /** JSON by default. */
  contentType?: string
}

type Read<T> = (response: Response) => T | Promise<T>

interface Success<T> {
  response: Response
  value: T
}

interface Failure {
  error: Error
  /** Seconds; 0 when the server named none. */
  retryAfter: number
  isSent: boolean
}

const defaultTimeoutMs = 30_000
const defaultRetries = 2
const firstPauseMs = 250
const maxPauseMs = 8_000
const maxRetryAfterSeconds = 30
const retriedStatuses = [408, 429, 502, 503, 504]

export class Transport {
  readonly #options: BozorOptions
  #csrfToken: string | undefined
  /** Of a session outside browsers. A browser keeps cookies itself and shows none. */
  readonly #cookies = new Map<string, string>()

  constructor(options: BozorOptions) {
    this.#options = options
    this.#csrfToken = options.csrfToken ?? undefined
  }

  /** Sends the request and returns the parsed body. */
  async json(call: Call): Promise<unknown> {
    const { response, value: body } = await this.#retried(call, readBody)
    call.options.onHeaders?.(response.headers)
    this.#keepCsrfToken(body)
    return body
  }

  /** Any reply that opens a session has the token. A repeated reply has null in its place. */
  #keepCsrfToken(body: unknown): void {
    const token = (body as { data?: { csrf_token?: unknown } | null } | null)?.data?.csrf_token
    if (typeof token !== 'string') return
    this.#csrfToken = token
    this.#options.onCsrfToken?.(token)
  }

  #keepCookies(headers: Headers): void {
    if (this.#options.credentials !== 'include') return
    for (const line of headers.getSetCookie?.() ?? []) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
      if (value) this.#cookies.set(name!, value)
      else if (name) this.#cookies.delete(name)
    }
  }

  /** Sends the request with retries and returns a successful response whose body is not read yet. */
  async send(call: Call): Promise<Response> {
    return (await this.#retried(call, () => undefined)).response
  }

  async #retried<T>(call: Call, read: Read<T>): Promise<Success<T>> {
    const maxRetries = this.#options.maxRetries ?? defaultRetries
    const key = call.hasKey ? (call.options.idempotencyKey ?? randomUuid()) : undefined
    let isRenewed = false
    let renew = false
    for (let attempt = 0; ; attempt++) {
      const outcome: Success<T> | Failure = await this.#attempt(call, { key, renew, read })
      if ('response' in outcome) return outcome
      const { error, retryAfter }: Failure = outcome
      renew = !isRenewed && error instanceof BozorError && error.status === 401 && !!this.#options.token
      if (renew) isRenewed = true
      else if (attempt >= maxRetries || !mayRetry(call, outcome) || retryAfter > maxRetryAfterSeconds)
        throw error
      else await pause(Math.max(retryAfter * 1000, backoffMs(attempt)), call.options.signal)
    }
  }

  async #attempt<T>(
    call: Call,
    { key, renew, read }: { key: string | undefined; renew: boolean; read: Read<T> },
  ): Promise<Success<T> | Failure> {
    const url = this.#url(call)
    const timeout = AbortSignal.timeout(call.options.timeoutMs ?? this.#options.timeoutMs ?? defaultTimeoutMs)
    const signal = call.options.signal ? AbortSignal.any([call.options.signal, timeout]) : timeout
    let headers: Record<string, string>
    try {
      call.options.signal?.throwIfAborted()
      headers = await this.#headers(call, key, renew)
    } catch (error) {
      // The token source failed, and nothing was sent.
      return { error: error as Error, retryAfter: 0, isSent: false }
    }
    const isText = typeof call.body === 'string' || call.body instanceof Uint8Array
    const send = this.#options.fetch ?? fetch
    try {
      const response = await send(url, {
        method: call.method,
        headers,
        signal,
        ...(call.body !== undefined && {
          body: isText ? (call.body as string) : JSON.stringify(call.body),
        }),
        ...(this.#options.credentials && { credentials: this.#options.credentials }),
      })
      this.#keepCookies(response.headers)
      if (!response.ok) return await failureOf(response)
      // The connection may also be lost while the body arrives.
      return { response, value: await read(response) }
    } catch (cause) {
      call.options.signal?.throwIfAborted()
      const reason = timeout.aborted ? 'the deadline passed' : 'the connection failed'
      return {
        // Without the query, which may hold ids of buyers.
        error: new BozorConnectionError(`${call.method} ${url.split('?')[0]}: ${reason}`, { cause }),
        retryAfter: 0,
        isSent: true,
      }
    }
  }

  #url({ path, query = {} }: Call): string {
    const url = new URL(this.#options.baseUrl.replace(/\/$/, '') + path)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null)
        url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value))
    return url.href
  }

  async #headers(call: Call, key: string | undefined, renew: boolean): Promise<Record<string, string>> {
    const { apiKey, token, environment, currency, timezone } = this.#options
    const language = call.options.language ?? this.#options.language
    const credential = token ? await token({ renew }) : apiKey
    const isWrite = call.method !== 'GET'
    return {
      Accept: 'application/json, */*;q=0.5',
      ...(credential && { Authorization: `Bearer ${credential}` }),
      ...(environment && { 'X-Environment': environment }),
      ...(language && { 'Accept-Language': language }),
      ...(currency && { 'X-Currency': currency }),
      ...(timezone && { 'X-Timezone': timezone }),
      ...(call.body !== undefined && { 'Content-Type': call.contentType ?? 'application/json' }),
      ...(key && { 'Idempotency-Key': key }),
      ...(call.options.ifMatch && { 'If-Match': call.options.ifMatch }),
      ...(call.options.dryRun && { Prefer: 'dry-run' }),
      ...(this.#cookies.size > 0 && {
        Cookie: Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; '),
      }),
      ...(isWrite && this.#csrfToken && { 'X-CSRF-Token': this.#csrfToken }),
      ...call.options.headers,
    }
  }
}

/** A read may always be repeated; a write only with an Idempotency-Key, or when the server refused to begin. */
function mayRetry(call: Call, { error, isSent }: Failure): boolean {
  const isSafe = call.isSafe || call.hasKey || !isSent
  if (error instanceof BozorConnectionError)
    return isSafe && (error.status === undefined || retriedStatuses.includes(error.status))
  if (!(error instanceof BozorError)) return false
  if (error.code === 'idempotency_in_progress') return true
  return retriedStatuses.includes(error.status) && (isSafe || error.status === 429)
}

export const backoffMs = (attempt: number): number =>
  Math.min(maxPauseMs, firstPauseMs * 2 ** attempt) * jitter()

/** Between a half and one, so that clients which failed together do not retry together. */
const jitter = (): number => 0.5 + crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 33

/** Pages over plain HTTP have no `crypto.randomUUID`. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 15) | 64
  bytes[8] = (bytes[8]! & 63) | 128
  const hex = Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })

async function failureOf(response: Response): Promise<Failure> {
  const retryAfter = retryAfterOf(response.headers)
  const body = await readBody(response)
  const { status } = response
  if (!isErrorReply(body))
    return {
      error: new BozorConnectionError(
        `unexpected reply with status ${status} from ${response.url.split('?')[0]}`,
        {
          status,
        },
      ),
      retryAfter,
      isSent: true,
    }
  const requestId = response.headers.get('X-Request-ID')
  return {
    error: new BozorError(body, {
      status,
      ...(requestId && { requestId }),
      ...(retryAfter && { retryAfter }),
    }),
    retryAfter,
    isSent: true,
  }
}

/** Seconds. Proxies may send a date. */
function retryAfterOf(headers: Headers): number {
  const text = headers.get('Retry-After') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return seconds > 0 ? seconds : 0
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  // NDJSON is text: its first line alone may be valid JSON.
  if (!/^application\/([\w.-]+\+)?json\b/.test(response.headers.get('Content-Type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
