// Calls oidc-provider as a function: builds the request it sees and captures its reply. The usual admission, logging
// and headers apply around it, and it sees only the headers that OAuth needs.

import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Provider } from 'oidc-provider'
import type { Environment } from '../../base/database.ts'
import type { Shop } from '../../base/shop.ts'
import type { RawReply } from '../../http/raw-route.ts'

/** The authorization server of one environment. */
export interface AuthorizationServer {
  shop: Shop
  provider(): Promise<Provider>
  call(request: ProviderRequest): Promise<RawReply>
}

export const cookieNames = (environment: Environment) => ({
  interaction: `bozor_${environment}_interaction`,
  resume: `bozor_${environment}_resume`,
})

export interface ProviderRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Scheme and host as the caller sees them. */
  origin: string
  receivedAt: Date
  /** The client who is signed in to the shop in this browser. */
  buyerId: number | null
}

type ProviderMessage = IncomingMessage & { providerRequest: ProviderRequest }

/** Headers that OAuth needs. `Accept` is left out: the provider never renders pages. */
const forwardedHeaders = ['authorization', 'content-type', 'cookie', 'user-agent'] as const
const returnedHeaders = ['content-type', 'location', 'set-cookie', 'www-authenticate'] as const

/** Thrown inside an adapter call when the reply to the whole request is already known. */
export class EarlyReply extends Error {
  readonly reply: RawReply

  constructor(reply: RawReply) {
    super('the reply is already known')
    this.reply = reply
  }
}

/** Returns a function that calls the provider. Errors outside the protocol are thrown. */
export function providerCaller(provider: Provider): (request: ProviderRequest) => Promise<RawReply> {
  provider.silent = true
  provider.on('server_error', (context, error) => void failures.set(context.req, error))
  const failures = new WeakMap<IncomingMessage, unknown>()
  const handle = provider.callback()
  return async (request) => {
    const message = messageOf(request)
    const { response, sent } = capturedResponse(message)
    await handle(message, response)
    const body = await sent
    const failure = failures.get(message)
    if (failure instanceof EarlyReply) return failure.reply
    if (failure !== undefined) throw failure
    return replyOf(response, body)
  }
}

function capturedResponse(message: IncomingMessage): { response: ServerResponse; sent: Promise<string> } {
  const response = new ServerResponse(message)
  const sent = new Promise<string>((done) => {
    response.end = ((body?: string | Buffer) => {
      done(body?.toString() ?? '')
      return response
    }) as typeof response.end
  })
  return { response, sent }
}

function replyOf(response: ServerResponse, body: string): RawReply {
  const headers: RawReply['headers'] = {
    'content-language': 'en',
    'cache-control': 'no-store',
    pragma: 'no-cache',
  }
  for (const name of returnedHeaders) {
    const value = response.getHeader(name)
    if (value !== undefined) headers[name] = Array.isArray(value) ? value : String(value)
  }
  const isRedirect = headers['location'] !== undefined
  if (isRedirect) delete headers['content-type']
  return { status: response.statusCode, headers, body: isRedirect ? '' : body }
}

function messageOf(providerRequest: ProviderRequest): ProviderMessage {
  const { protocol, host } = new URL(providerRequest.origin)
  const headers: IncomingHttpHeaders = {
    host,
    // The provider trusts these headers; only this function sets them.
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
    accept: 'application/json',
    'content-length': String(providerRequest.body.length),
  }
  for (const name of forwardedHeaders)
    if (providerRequest.headers[name] !== undefined) headers[name] = providerRequest.headers[name]
  const stream = Readable.from(providerRequest.body.length > 0 ? [providerRequest.body] : [])
  return Object.assign(stream, {
    method: providerRequest.method,
    url: providerRequest.url,
    headers,
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket: {},
    providerRequest,
  }) as unknown as ProviderMessage
}

export const providerRequestOf = (message: IncomingMessage): ProviderRequest =>
  (message as ProviderMessage).providerRequest

/** When the request arrived, by the shop's clock. */
export const receivedAtOf = (message: IncomingMessage): Date => providerRequestOf(message).receivedAt
