// A request as oidc-provider is given it, and its reply caught before it reaches the wire. So the provider is a function:
// what surrounds every call of the house surrounds it too, and nothing of the caller's that it need not know gets in.

import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Provider } from 'oidc-provider'
import type { AnnexReply } from '../../http/annex.ts'

export interface Passed {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Scheme and host under which the caller knows us. */
  origin: string
  arrivedAt: Date
  /** Who is signed in to the shop in the caller's browser. */
  buyerId: number | null
}

type PassedMessage = IncomingMessage & { passed: Passed }

/** Those that say something to OAuth. Accept is not among them: only pages are for people, and they are ours. */
const passedHeaders = ['authorization', 'content-type', 'cookie', 'user-agent'] as const
const returnedHeaders = ['content-type', 'location', 'set-cookie', 'www-authenticate'] as const

/** Thrown where the provider asks for something and the answer to the whole is known already. */
export class Answered extends Error {
  readonly reply: AnnexReply

  constructor(reply: AnnexReply) {
    super('answered')
    this.reply = reply
  }
}

/** The provider as a function. A failure that is none of the protocol's is thrown. */
export function answererOf(provider: Provider): (passed: Passed) => Promise<AnnexReply> {
  provider.silent = true
  provider.on('server_error', (context, error) => void failures.set(context.req, error))
  const failures = new WeakMap<IncomingMessage, unknown>()
  const handle = provider.callback()
  return async (passed) => {
    const message = messageOf(passed)
    const { response, sent } = caughtResponse(message)
    await handle(message, response)
    const body = await sent
    const failure = failures.get(message)
    if (failure instanceof Answered) return failure.reply
    if (failure !== undefined) throw failure
    return replyOf(response, body)
  }
}

function caughtResponse(message: IncomingMessage): { response: ServerResponse; sent: Promise<string> } {
  const response = new ServerResponse(message)
  const sent = new Promise<string>((done) => {
    response.end = ((body?: string | Buffer) => {
      done(body?.toString() ?? '')
      return response
    }) as typeof response.end
  })
  return { response, sent }
}

function replyOf(response: ServerResponse, body: string): AnnexReply {
  const headers: AnnexReply['headers'] = {
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

function messageOf(passed: Passed): PassedMessage {
  const { protocol, host } = new URL(passed.origin)
  const headers: IncomingHttpHeaders = {
    host,
    // The provider believes these, and we alone write them.
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
    accept: 'application/json',
    'content-length': String(passed.body.length),
  }
  for (const name of passedHeaders)
    if (passed.headers[name] !== undefined) headers[name] = passed.headers[name]
  const stream = Readable.from(passed.body.length > 0 ? [passed.body] : [])
  return Object.assign(stream, {
    method: passed.method,
    url: passed.url,
    headers,
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket: {},
    passed,
  }) as unknown as PassedMessage
}

export const passedOf = (message: IncomingMessage): Passed => (message as PassedMessage).passed

/** When a request came in, by the shop's clock. */
export const arrivalOf = (message: IncomingMessage): Date => passedOf(message).arrivedAt
