// Routes whose body or reply is streamed: it passes through in pieces and is never held in memory as a whole.

import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { elapsedMs } from '../base/clock.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import { type Admission, authenticationInput, requirePermission } from './admission.ts'
import { auditEntryOf, type RecordAuditEntry } from './audit-entry.ts'
import { successBody } from './envelope.ts'
import { statusOf } from './errors.ts'
import { isPlainUtf8, requireNoVersion } from './headers.ts'
import { contextOf, type Handler, type HandlerTools, json } from './request-state.ts'
import type { DownloadRoute, UploadRoute } from './route.ts'

type Piece = string | Uint8Array

export function uploadHandler(
  route: UploadRoute,
  {
    shops,
    input,
    checkReply,
    recordAuditEntry,
    closing,
    silenceMs,
  }: HandlerTools & Limits & { recordAuditEntry: RecordAuditEntry },
): Handler {
  return async (request, reply) => {
    const { environment, requestId, preferences } = request.state
    const { db } = shops[environment]
    if (preferences.dryRun)
      throw refuse('invalid_header', {
        header: 'Prefer',
        reason: 'no dry run here',
        examples: ['return=minimal'],
      })
    requireNoVersion(preferences)
    if (request.body === undefined) throw refuse('invalid_json', { reason: 'empty' })
    const body = timedBody(request.body as Readable, { closing, silenceMs })
    const call = { ...contextOf(request), ...input(request), db, body, signal: closing }
    const record = (status: number) =>
      db.transaction(async (tx) => recordAuditEntry(tx, auditEntryOf(route, request, status)))
    try {
      const { data } = await route.declared.run(call).catch(async (error: unknown) => {
        // Part of the work may be committed, so the attempt is recorded. The first error is the one to report.
        await record(statusOf(error)).catch(() => {})
        throw error
      })
      checkReply?.(data)
      await record(200)
      return reply.type(json).send(successBody(JSON.stringify(data), requestId, db.clock.now()))
    } finally {
      // The rest of an unread body is not awaited.
      if (!request.raw.complete) reply.header('connection', 'close')
    }
  }
}

interface Limits {
  /** Aborted when the server stops. */
  closing: AbortSignal
  /** How long the sender may pause between two pieces. */
  silenceMs: number
}

async function* timedBody(body: Readable, limits: Limits): AsyncGenerator<Uint8Array, void> {
  // Destroying the body would close the connection before the reply is sent.
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>
  for (;;) {
    const piece = await withDeadline(limits, pieces.next())
    if (piece.done) return
    yield piece.value
  }
}

function withDeadline<T>({ silenceMs, closing }: Limits, waited: Promise<T>): Promise<T> {
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

/** Accepts the declared media types as streams, and no others. */
export function registerStreamParser(
  scope: FastifyInstance,
  { declared: { accepts } }: UploadRoute,
  uploading: WeakSet<Socket>,
): void {
  const wrongType = () =>
    refuse('unsupported_media_type', { expected: `${accepts.join(', ')}; charset=utf-8` })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...accepts], (request, body, done) => {
    if (!isPlainUtf8(request.headers)) return done(wrongType())
    const { socket } = request.raw
    uploading.add(socket)
    request.raw.once('close', () => uploading.delete(socket))
    done(null, body)
  })
  scope.addContentTypeParser('*', (_request, _body, done) => done(wrongType()))
}

/** Files that a credential downloads at once, in this process. Endless streams have a limit of their own. */
const downloadsAtOnce = 4
const busySeconds = 10

/** Running downloads of files, by credential. */
export type Downloads = Map<string, number>

/** Counts a download until its reply ends. Refuses one too many. */
function countDownload(downloads: Downloads, { state }: FastifyRequest, { raw }: FastifyReply): void {
  const name = `${state.environment} ${state.principal?.id}`
  const running = downloads.get(name) ?? 0
  if (running >= downloadsAtOnce) throw refuse('service_unavailable', { retry_after: busySeconds })
  if (raw.destroyed) return
  downloads.set(name, running + 1)
  raw.once('close', () => {
    const left = downloads.get(name)! - 1
    if (left > 0) downloads.set(name, left)
    else downloads.delete(name)
  })
}

export function downloadHandler(
  route: DownloadRoute,
  {
    shops,
    input,
    closing,
    authenticate,
    downloads,
  }: Pick<HandlerTools, 'shops' | 'input'> &
    Pick<Limits, 'closing'> &
    Pick<Admission, 'authenticate'> & { downloads: Downloads },
): Handler {
  const isStream = route.declared.produces === 'text/event-stream'
  return async (request, reply) => {
    if (!isStream) countDownload(downloads, request, reply)
    const { db } = shops[request.state.environment]
    const signal = endOf(reply, closing)
    const { 'last-event-id': lastEventId } = request.headers as { 'last-event-id'?: string }
    const call = { ...contextOf(request), ...input(request), db, signal, lastEventId }
    const pieces = route.declared.run(call)[Symbol.asyncIterator]()
    // A refusal must come before the first byte of the reply.
    const first = await pieces.next()
    reply.type(route.declared.produces).header('cache-control', 'private, no-store')
    // A buffering proxy would hold events back. The connection is not reused, so a stopping server need not wait for
    // further requests on it.
    if (isStream) reply.headers({ 'x-accel-buffering': 'no', connection: 'close' })
    if (request.method === 'HEAD') {
      await pieces.return?.()
      return reply.send('')
    }
    // A truncated file would look complete, so only endless streams stop when their credential ends.
    const mayContinue = isStream ? permissionCheck(authenticate, request, route) : () => true
    return reply.send(
      readableOf(first, pieces, { mayContinue, highWaterMark: isStream ? streamBufferBytes : undefined }),
    )
  }
}

/** Aborted when the connection closes or the server stops. The listener is removed, so ended replies are collected. */
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

/** Bytes buffered for a stream client that does not read. Small, because there may be many clients. */
const streamBufferBytes = 16 * 1024

/** A readable stream that pulls from the source. Destroying it ends the source, which may hold a limited resource. */
function readableOf(
  first: IteratorResult<Piece>,
  rest: AsyncIterator<Piece>,
  {
    mayContinue,
    highWaterMark,
  }: { mayContinue: () => boolean | Promise<boolean>; highWaterMark: number | undefined },
): Readable {
  let held: IteratorResult<Piece> | undefined = first
  const next = async (): Promise<Piece | null> => {
    const piece = held ?? (await rest.next())
    held = undefined
    const isAllowed = mayContinue()
    return piece.done || !(isAllowed === true || (await isAllowed)) ? null : piece.value
  }
  return new Readable({
    highWaterMark,
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

const recheckMs = 1_000

/** Checks at most once a second that the credential of a stream is still valid and has the required scopes. */
function permissionCheck(
  authenticate: Admission['authenticate'],
  request: FastifyRequest,
  route: DownloadRoute,
): () => boolean | Promise<boolean> {
  let checkedAtMs = elapsedMs()
  const check = async (): Promise<boolean> => {
    checkedAtMs = elapsedMs()
    try {
      const principal = await authenticate(authenticationInput(request))
      requirePermission(route, { principal: principal instanceof Refusal ? null : principal })
      return true
    } catch {
      return false
    }
  }
  return () => elapsedMs() - checkedAtMs < recheckMs || check()
}
