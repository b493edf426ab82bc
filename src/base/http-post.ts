// Sends one HTTP POST: no redirects, a total deadline, a bounded reply.

import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import {
  type AddressPolicy,
  ForbiddenAddress,
  restrictedLookup,
  connectHostOf,
  mayReach,
  type Resolve,
} from './outbound-address.ts'
import { elapsedMs } from './clock.ts'
import { toStorableText } from './json.ts'

const timeoutMs = 15_000
const maxReplyBytes = 64 * 1024
const keptReplyBytes = 3 * 1024
const maxKeptHeaders = 30

export interface PostResult {
  milliseconds: number
  status: number | null
  reply: { headers: Record<string, string>; body: string } | null
  /** Why there was no reply. */
  error: string | null
  retryAfter: string | undefined
}

export interface HttpSender {
  send(url: string, headers: Record<string, string>, body: string): Promise<PostResult>
  close(): void
}

/**
 * Connections are kept alive between attempts; addresses are checked when they are opened. With a policy, other
 * addresses are refused; null is for addresses that the operator configured.
 */
export function openHttpSender(
  policy: AddressPolicy | null,
  { waitMs = timeoutMs, resolve }: { waitMs?: number; resolve?: Resolve } = {},
): HttpSender {
  const lookupOption = policy === null ? {} : { lookup: restrictedLookup(policy, resolve) }
  const kept = { keepAlive: true, maxFreeSockets: 20, timeout: waitMs, ...lookupOption }
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) }
  return {
    send: async (address, headers, body) => {
      const began = elapsedMs()
      const url = new URL(address)
      const host = connectHostOf(url)
      // An IP address is connected to without a lookup, so it is checked here.
      const outcome =
        policy !== null && isIP(host) && !mayReach(host, policy)
          ? failed(new ForbiddenAddress())
          : await post(url, {
              headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
              body,
              agent: agents[url.protocol as 'http:'],
              deadline: { waitMs, untilMs: began + waitMs },
            })
      return { ...outcome, milliseconds: Math.round(elapsedMs() - began) }
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

type Outcome = Omit<PostResult, 'milliseconds'>

interface Post {
  headers: Record<string, string>
  body: string
  agent: HttpAgent
  /** For the whole exchange, so that a receiver that sends one byte a second does not hold a slot. */
  deadline: { waitMs: number; untilMs: number }
}

function post(url: URL, options: Post): Promise<Outcome> {
  const { headers, body, agent, deadline } = options
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = open(url, { method: 'POST', agent, headers })
  const late = setTimeout(
    () => request.destroy(new Error(`no reply within ${deadline.waitMs / 1000} s`)),
    Math.max(0, deadline.untilMs - elapsedMs()),
  )
  let isAnswered = false
  request.on('error', (error: Error & { code?: string }) => {
    if (isAnswered) return
    // The receiver closed an idle connection while it was reused: repeat on a new one.
    const isStale = request.reusedSocket && error.code === 'ECONNRESET'
    resolve(isStale ? post(url, options) : failed(error))
  })
  request.on('response', (response) => {
    isAnswered = true
    void readReply(response).then((text) => {
      resolve({ ...answered(response), reply: { headers: shownHeaders(response), body: text } })
      if (!response.complete) request.destroy()
    })
  })
  // A protocol upgrade is not a success.
  request.on('upgrade', (response, socket) => {
    socket.destroy()
    resolve({ ...answered(response), reply: { headers: shownHeaders(response), body: '' } })
  })
  request.end(body)
  return promise.finally(() => clearTimeout(late))
}

/** The first bytes of a reply. The status is known already, so an interrupted body is not a failure. */
async function readReply(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size < keptReplyBytes) pieces.push(piece)
      size += piece.length
      if (size >= maxReplyBytes) break
    }
  } catch {
    // The connection was cut by either side.
  }
  return toStorableText(Buffer.concat(pieces).subarray(0, keptReplyBytes).toString('utf8'))
}

const answered = ({ statusCode = 0, headers }: IncomingMessage): Omit<Outcome, 'reply'> => ({
  status: statusCode,
  error: null,
  retryAfter: headers['retry-after'],
})

const shownHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxKeptHeaders)
      .map(([name, value]) => [name, String(value).slice(0, 500)]),
  )

const failed = (error: Error & { code?: string }): Outcome => ({
  status: null,
  reply: null,
  error: (error.code ? `${error.code}: ${error.message}` : error.message).slice(0, 500),
  retryAfter: undefined,
})
