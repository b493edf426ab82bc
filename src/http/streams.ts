// Calls whose body or reply is of any length: it passes through as it comes and is never held whole.

import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { elapsedMs } from '../base/clock.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import { type Admission, callerOf, refuseUnfit } from './admission.ts'
import './asked.ts'
import { deedOf, type RecordDeed } from './deed.ts'
import { successBody } from './envelope.ts'
import { type Handler, json, type Tools } from './handler.ts'
import { statusOf } from './failure.ts'
import { isPlainUtf8 } from './headers.ts'
import { circumstances } from './input.ts'
import type { Answer, Circumstances, Route } from './route.ts'

type RunUpload = (call: Circumstances & Record<string, unknown>) => Promise<Answer<unknown>>
type Piece = string | Uint8Array
type RunDownload = (call: Circumstances & Record<string, unknown>) => AsyncIterable<Piece>

export function uploader(
  route: Route,
  { shops, input, checkReply, recordDeed, closing, silenceMs }: Tools & Limits & { recordDeed: RecordDeed },
): Handler {
  const run = route.declared.run as RunUpload
  return async (request, reply) => {
    const { environment, requestId, wishes } = request.asked
    const { db } = shops[environment]
    if (wishes.dryRun) throw refuse('invalid_header', { header: 'Prefer', reason: 'no dry run here' })
    if (request.body === undefined) throw refuse('invalid_json', { reason: 'empty' })
    const body = patient(request.body as Readable, { closing, silenceMs })
    const call = { ...circumstances(request), ...input(request), db, body, signal: closing }
    const record = (status: number) =>
      db.transaction(async (tx) => recordDeed(tx, deedOf(route, request, status)))
    try {
      const { data } = await run(call).catch(async (error: unknown) => {
        // Part of it may have been done. Where even this cannot be written down, the first trouble is the one to tell.
        await record(statusOf(error)).catch(() => {})
        throw error
      })
      checkReply?.(data)
      await record(200)
      return reply.type(json).send(successBody(JSON.stringify(data), requestId, db.clock.now()))
    } finally {
      // What was not read is not waited for.
      if (!request.raw.complete) reply.header('connection', 'close')
    }
  }
}

/** How long we wait for the next piece of a body. */
interface Limits {
  /** The server is about to stop. */
  closing: AbortSignal
  silenceMs: number
}

/** The body as it comes. Its sender may be slow, but not silent; and when we stop, we do not wait for him. */
async function* patient(body: Readable, limits: Limits): AsyncGenerator<Uint8Array, void> {
  // To destroy it would cut the line before the reply is sent.
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>
  for (;;) {
    const piece = await within(limits, pieces.next())
    if (piece.done) return
    yield piece.value
  }
}

function within<T>({ silenceMs, closing }: Limits, waited: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = () => reject(refuse('service_unavailable', { retry_after: 1 }))
  const silence = setTimeout(() => reject(refuse('request_timeout', {})), silenceMs)
  if (closing.aborted) stop()
  closing.addEventListener('abort', stop)
  waited.then(resolve, reject)
  return promise.finally(() => {
    clearTimeout(silence)
    closing.removeEventListener('abort', stop)
  })
}

/** Lets a scope of the server take the bodies that a path declares, as they come, and no others. */
export function takeStreams(scope: FastifyInstance, route: Route, uploading: WeakSet<Socket>): void {
  const wrongType = () =>
    refuse('unsupported_media_type', { expected: `${route.declared.takes!.join(', ')}; charset=utf-8` })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...route.declared.takes!], (request, body, done) => {
    if (!isPlainUtf8(request.headers)) return done(wrongType())
    const { socket } = request.raw
    uploading.add(socket)
    request.raw.once('close', () => uploading.delete(socket))
    done(null, body)
  })
  scope.addContentTypeParser('*', (_request, _body, done) => done(wrongType()))
}

export function downloader(
  route: Route,
  {
    shops,
    input,
    closing,
    authenticate,
  }: Pick<Tools, 'shops' | 'input'> & Pick<Limits, 'closing'> & Pick<Admission, 'authenticate'>,
): Handler {
  const run = route.declared.run as RunDownload
  const isStream = route.declared.gives === 'text/event-stream'
  return async (request, reply) => {
    const { db } = shops[request.asked.environment]
    const signal = endOf(reply, closing)
    const lastEventId = request.headers['last-event-id']
    const call = { ...circumstances(request), ...input(request), db, signal, lastEventId }
    const pieces = run(call)[Symbol.asyncIterator]()
    // What is refused is refused before anything is sent.
    const first = await pieces.next()
    reply.type(route.declared.gives!).header('cache-control', 'private, no-store')
    // Proxies that gather a reply before they pass it on would make a stream stand still; and its line ends with it, so
    // that a server that stops need not wait for what the follower might ask next.
    if (isStream) reply.headers({ 'x-accel-buffering': 'no', connection: 'close' })
    if (request.method === 'HEAD') {
      await pieces.return?.()
      return reply.send('')
    }
    // A file that ended early would look whole; a stream has no end, so it must not outlive its credential.
    const mayGoOn = isStream ? lastingRight(authenticate, request, route) : () => true
    return reply.send(flowOf(first, pieces, { mayGoOn, holds: isStream ? streamHolds : undefined }))
  }
}

/** Fires when the line is closed or the server stops; keeps nothing of a reply that has ended. */
function endOf(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const end = new AbortController()
  const stop = () => end.abort()
  if (closing.aborted || reply.raw.destroyed) stop()
  closing.addEventListener('abort', stop)
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', stop)
    stop()
  })
  return end.signal
}

/** How many bytes wait for one who follows a stream and does not read; there may be many of them. */
const streamHolds = 16 * 1024

/**
 * A source as a stream that asks for a piece when there is room for it. Whoever stops listening in the middle ends the
 * source too: it may hold a place that others wait for.
 */
function flowOf(
  first: IteratorResult<Piece>,
  rest: AsyncIterator<Piece>,
  { mayGoOn, holds }: { mayGoOn: () => boolean | Promise<boolean>; holds: number | undefined },
): Readable {
  let held: IteratorResult<Piece> | undefined = first
  const next = async (): Promise<Piece | null> => {
    const piece = held ?? (await rest.next())
    held = undefined
    const isAllowed = mayGoOn()
    return piece.done || !(isAllowed === true || (await isAllowed)) ? null : piece.value
  }
  return new Readable({
    highWaterMark: holds,
    read() {
      next().then(
        (piece) => this.push(piece),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      const ended = Promise.resolve(rest.return?.())
      ended.then(
        () => done(error),
        () => done(error),
      )
    },
  })
}

const lookAgainMs = 1_000

/** Whether a call that lasts may still be answered: its credential may have ended, or lost a right, since it began. */
function lastingRight(
  authenticate: Admission['authenticate'],
  request: FastifyRequest,
  route: Route,
): () => boolean | Promise<boolean> {
  let lookedAtMs = elapsedMs()
  const look = async (): Promise<boolean> => {
    lookedAtMs = elapsedMs()
    try {
      const principal = await authenticate(callerOf(request))
      refuseUnfit(route, { principal: principal instanceof Refusal ? null : principal })
      return true
    } catch {
      return false
    }
  }
  return () => elapsedMs() - lookedAtMs < lookAgainMs || look()
}
