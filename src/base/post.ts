// One try: a POST that follows nobody elsewhere, waits for nobody long, and reads of a reply no more than it needs.

import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { ForbiddenAddress, guardedLookup, hostOf, mayReach, type Resolve } from './addresses.ts'
import { elapsedMs } from './clock.ts'
import type { Environment } from './db.ts'
import { keepable } from './json.ts'

const timeoutMs = 15_000
const mostReplyBytes = 64 * 1024
const keptReplyBytes = 3 * 1024
const mostKeptHeaders = 30

export interface Sent {
  milliseconds: number
  status: number | null
  reply: { headers: Record<string, string>; body: string } | null
  /** Why there was no reply. */
  error: string | null
  retryAfter: string | undefined
}

export interface Sender {
  send(url: string, headers: Record<string, string>, body: string): Promise<Sent>
  close(): void
}

/**
 * Lines stay open between tries; whom they lead to was judged when they were opened. Addresses that strangers give are
 * guarded, in the environment that is named; one that the operator has set may lead inside.
 */
export function openSender(
  guarded: Environment | null,
  { waitMs = timeoutMs, resolve }: { waitMs?: number; resolve?: Resolve } = {},
): Sender {
  const guard = guarded === null ? {} : { lookup: guardedLookup(guarded, resolve) }
  const kept = { keepAlive: true, maxFreeSockets: 20, timeout: waitMs, ...guard }
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) }
  return {
    send: async (address, headers, body) => {
      const began = elapsedMs()
      const url = new URL(address)
      const host = hostOf(url)
      // A bare address is connected to without being looked up.
      const outcome =
        guarded !== null && isIP(host) && !mayReach(host, guarded)
          ? failed(new ForbiddenAddress())
          : await post(url, {
              headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
              body,
              agent: agents[url.protocol as 'http:'],
              patience: { waitMs, untilMs: began + waitMs },
            })
      return { ...outcome, milliseconds: Math.round(elapsedMs() - began) }
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

type Outcome = Omit<Sent, 'milliseconds'>

interface Post {
  headers: Record<string, string>
  body: string
  agent: HttpAgent
  /** In all, not between two bytes: whoever sends one byte a second must not hold a place for long. */
  patience: { waitMs: number; untilMs: number }
}

function post(url: URL, letter: Post): Promise<Outcome> {
  const { headers, body, agent, patience } = letter
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = open(url, { method: 'POST', agent, headers })
  const late = setTimeout(
    () => request.destroy(new Error(`no reply within ${patience.waitMs / 1000} s`)),
    Math.max(0, patience.untilMs - elapsedMs()),
  )
  let isAnswered = false
  request.on('error', (error: Error & { code?: string }) => {
    if (isAnswered) return
    // The other side hung up an idle line just as we used it again: that says nothing of the receiver.
    const isStale = request.reusedSocket && error.code === 'ECONNRESET'
    resolve(isStale ? post(url, letter) : failed(error))
  })
  request.on('response', (response) => {
    isAnswered = true
    void readReply(response).then((text) => {
      resolve({ ...answered(response), reply: { headers: shownHeaders(response), body: text } })
      if (!response.complete) request.destroy()
    })
  })
  // One who would rather speak another protocol has not taken the event.
  request.on('upgrade', (response, socket) => {
    socket.destroy()
    resolve({ ...answered(response), reply: { headers: shownHeaders(response), body: '' } })
  })
  request.end(body)
  return promise.finally(() => clearTimeout(late))
}

/** The beginning of a reply. Its status is known by now, so however it ends, this is no failure. */
async function readReply(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size < keptReplyBytes) pieces.push(piece)
      size += piece.length
      if (size >= mostReplyBytes) break
    }
  } catch {
    // Cut off by them or by us.
  }
  return keepable(Buffer.concat(pieces).subarray(0, keptReplyBytes).toString('utf8'))
}

const answered = ({ statusCode = 0, headers }: IncomingMessage): Omit<Outcome, 'reply'> => ({
  status: statusCode,
  error: null,
  retryAfter: headers['retry-after'],
})

const shownHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, mostKeptHeaders)
      .map(([name, value]) => [name, String(value).slice(0, 500)]),
  )

const failed = (error: Error & { code?: string }): Outcome => ({
  status: null,
  reply: null,
  error: (error.code ? `${error.code}: ${error.message}` : error.message).slice(0, 500),
  retryAfter: undefined,
})
