// Handlers of declared routes: check the input, read or write, and wrap the result in the envelope.

import type { FastifyRequest } from 'fastify'
import type { Database, Environment, Tx } from '../base/database.ts'
import { sha256 } from '../base/random.ts'
import { Refusal } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { EventType } from '../events.ts'
import type { Authenticate } from './admission.ts'
import { auditChanges } from './audit-changes.ts'
import { auditEntryOf, isAudited, type RecordAuditEntry } from './audit-entry.ts'
import { successBody, successBytes } from './envelope.ts'
import { idempotencyKeyOf, requireNoVersion } from './headers.ts'
import { type InFlight, runOnce, type Write, type WriteReply } from './idempotency.ts'
import { inputOf } from './input.ts'
import { clientOf } from './reply-client.ts'
import { ReplyCache } from './reply-cache.ts'
import { contextOf, type Handler, type HandlerTools, json } from './request-state.ts'
import {
  type BareQueryRoute,
  jsonOf,
  type QueryRoute,
  type ReadRoute,
  type Reply,
  type Route,
  type WriteRoute,
} from './route.ts'
import { type Downloads, downloadHandler, uploadHandler } from './streams.ts'
import { type Check, checker } from './validation.ts'

export interface HandlerOptions {
  shops: Record<Environment, Shop>
  routes: readonly Route[]
  recordAuditEntry: RecordAuditEntry
  /** Long streams authenticate their caller again from time to time. */
  authenticate: Authenticate
  /** In tests, a reply that does not match its declared schema is an error. */
  checkReplies: boolean
  /** Aborted when the server stops; long handlers watch it. */
  closing: AbortSignal
  /** How long the sender of a streamed body may pause. */
  silenceMs: number
}

/** Returns the function that makes a handler for a route. Each schema is compiled once. */
export function handlerFactory({
  shops,
  routes,
  recordAuditEntry,
  checkReplies,
  authenticate,
  ...limits
}: HandlerOptions): (route: Route) => Handler {
  const compile = checker()
  const inFlight: InFlight = new Map()
  const downloads: Downloads = new Map()
  const reads = recordReads(routes)
  return (route) => {
    const input = inputOf(route, compile)
    const checkReply = checkReplies ? replyCheck(compile(route.declared.reply)) : undefined
    const tools = { shops, input, checkReply }
    switch (route.kind) {
      case 'read':
        return readHandler(route, tools)
      case 'write':
        return writeHandler(route, {
          ...tools,
          inFlight,
          recordAuditEntry,
          reading: isChange(route) ? reads.get(route.path) : undefined,
        })
      case 'query':
        return queryHandler(route, tools)
      case 'bare-query':
        return bareQueryHandler(route, tools)
      case 'upload':
        return uploadHandler(route, { ...tools, recordAuditEntry, ...limits })
      case 'download':
        return downloadHandler(route, { shops, input, authenticate, downloads, ...limits })
    }
  }
}

/** Reads of one record, by path. */
const recordReads = (routes: readonly Route[]): Map<string, ReadRoute> =>
  new Map(routes.flatMap((it) => (it.kind === 'read' && !it.declared.query ? [[it.path, it] as const] : [])))

const isChange = ({ method }: Route): boolean => method !== 'POST'

function readHandler({ declared }: ReadRoute, { shops, input, checkReply }: HandlerTools): Handler {
  const caches = declared.invalidateOn && openCaches(shops, declared.invalidateOn)
  return async (request, reply) => {
    const { db } = shops[request.state.environment]
    const cache = caches?.[request.state.environment]
    const key = cache && cacheKey(request)
    let cached = key === undefined ? undefined : cache!.get(key, db.clock.now().getTime())
    if (!cached) {
      const generation = cache?.generation ?? 0
      const read = declared.mayLag ? db.readLagging() : db.read()
      const result = await declared.run({ ...contextOf(request), ...input(request), read })
      const { version, isVolatile, isProvisional, validUntilMs } = result
      const dataJson = jsonOf(result)
      checkReply?.('data' in result ? result.data : JSON.parse(String(dataJson)))
      cached = {
        dataJson,
        etag: etagOf(version, request, isVolatile || version === undefined ? dataJson : undefined)!,
        fromMs: read.now.getTime(),
        untilMs: validUntilMs ?? Infinity,
      }
      if (key !== undefined && !isProvisional) cache!.set(key, cached, generation)
    }
    reply.header('etag', cached.etag).header('cache-control', 'private, no-cache')
    if (matches(request.headers['if-none-match'], cached.etag)) return reply.status(304).send()
    return reply.type(json).send(successBytes(cached.dataJson, request.state.requestId, db.clock.now()))
  }
}

function bareQueryHandler({ declared }: BareQueryRoute, { shops, input, checkReply }: HandlerTools): Handler {
  return async (request, reply) => {
    const read = shops[request.state.environment].db.read()
    const result = await declared.run({ ...contextOf(request), ...input(request), read })
    const bytes = 'json' in result ? result.json : JSON.stringify(result.data)
    checkReply?.(JSON.parse(String(bytes)))
    return reply
      .headers(result.headers ?? {})
      .header('cache-control', 'private, no-store')
      .type(json)
      .send(bytes)
  }
}

function queryHandler({ declared }: QueryRoute, { shops, input, checkReply }: HandlerTools): Handler {
  return async (request, reply) => {
    const read = shops[request.state.environment].db.read()
    const { data } = await declared.run({ ...contextOf(request), ...input(request), read })
    checkReply?.(data)
    reply.header('cache-control', 'private, no-store').type(json)
    return reply.send(successBody(JSON.stringify(data), request.state.requestId, read.now))
  }
}

const openCaches = (shops: Record<Environment, Shop>, invalidateOn: readonly EventType[]) => {
  const open = (shop: Shop) => {
    const cache = new ReplyCache(invalidateOn)
    shop.relay.subscribe((event) => cache.handle(event))
    return cache
  }
  return { live: open(shops.live), test: open(shops.test) }
}

const cacheKey = ({ url, state: { preferences, origin } }: FastifyRequest): string =>
  `${origin}${url} ${preferences.language} ${preferences.currency.code}${preferences.currency.tiyin} ${preferences.region} ${preferences.timezone}`

function writeHandler(
  route: WriteRoute,
  {
    shops,
    input,
    checkReply,
    inFlight,
    recordAuditEntry,
    reading,
  }: HandlerTools & {
    inFlight: InFlight
    recordAuditEntry: RecordAuditEntry
    /** The read of what is written. */
    reading: ReadRoute | undefined
  },
): Handler {
  const { declared } = route
  return async (request, reply) => {
    const { db } = shops[request.state.environment]
    if (!declared.versioned) requireNoVersion(request.state.preferences)
    const key = idempotencyKeyOf(request.headers)
    const call = { ...contextOf(request), ...input(request) }
    const write: Write = {
      ...(declared.prepare && { prepare: () => declared.prepare!(call) }),
      async run(tx, prepared) {
        tx.traceparent = request.state.traceparent
        const isRecorded = isAudited({ principal: request.state.principal, route: route.path })
        const before = isRecorded && reading ? await dataBefore(reading, { ...call, read: tx }) : undefined
        const result = await declared.run({ ...call, prepared, tx })
        checkReply?.(result.data)
        const clientId = clientOf({ ...call, principal: request.state.principal, data: result.data })
        const done = { ...writeReplyOf(route, result, request, tx.now), clientId }
        const isDeleted = route.method === 'DELETE'
        const changes = auditChanges(route.path, before, result.data, { isDeleted })
        recordAuditEntry(tx, auditEntryOf(route, request, done.status, changes))
        return done
      },
    }
    const done = await perform(db, inFlight, { request, key, write })
    if (done.replayed) reply.header('idempotent-replayed', 'true')
    if (request.state.preferences.dryRun) reply.header('preference-applied', 'dry-run')
    else if (done.cookie !== undefined) reply.header('set-cookie', done.cookie)
    return reply.status(done.status).headers(done.headers).type(json).send(done.body)
  }
}

/** The record before the write; undefined when there is none, which the write itself reports. */
async function dataBefore(
  { declared }: ReadRoute,
  call: Parameters<ReadRoute['declared']['run']>[0],
): Promise<unknown> {
  try {
    return JSON.parse(String(jsonOf(await declared.run(call))))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

async function perform(
  db: Database,
  inFlight: InFlight,
  { request, key, write }: { request: FastifyRequest; key: string | undefined; write: Write },
): Promise<WriteReply & { replayed: boolean }> {
  const { principal, preferences } = request.state
  if (!preferences.dryRun && key !== undefined && principal)
    return runOnce(db, inFlight, {
      claim: { principal: principal.id, key, fingerprint: fingerprintOf(request) },
      write,
    })
  const prepared = await write.prepare?.()
  const work = (tx: Tx) => write.run(tx, prepared)
  const done = await (preferences.dryRun ? db.dryRun(work) : db.transaction(work))
  return { ...done, replayed: false }
}

/** Two requests are the same if method, URL and body bytes are the same. */
const fingerprintOf = ({ method, url, rawBody }: FastifyRequest): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${method} ${url}\n`), rawBody ?? Buffer.alloc(0)]))

function writeReplyOf(
  { declared: { secrets, creates } }: WriteRoute,
  result: Reply<unknown>,
  request: FastifyRequest,
  now: Date,
): Omit<WriteReply, 'clientId'> {
  const { requestId } = request.state
  const dataJson = JSON.stringify(result.data)
  const etag = etagOf(result.version, request, result.isVolatile ? Buffer.from(dataJson) : undefined)
  const withoutSecrets = secrets && {
    ...(result.data as object),
    ...Object.fromEntries(secrets.map((it) => [it, null])),
  }
  return {
    status: (result.created ?? creates === true) ? 201 : 200,
    // A replay has the language of its bytes, whatever its caller now prefers.
    headers: { 'content-language': request.state.preferences.language, ...(etag && { etag }) },
    body: successBody(dataJson, requestId, now),
    cookie: result.cookie,
    bodyWithoutSecrets: withoutSecrets && successBody(JSON.stringify(withoutSecrets), requestId, now),
  }
}

/** The version with the language, because bytes differ by language; without a version, a digest of the bytes. */
function etagOf(version: number | undefined, { state }: FastifyRequest, bytes?: Buffer): string | undefined {
  const digest = bytes && sha256(bytes).toString('base64url').slice(0, 22)
  const parts = version === undefined ? [digest] : [version, state.preferences.language, digest]
  const given = parts.filter((it) => it !== undefined)
  return given.length > 0 ? `"${given.join('-')}"` : undefined
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((it) => it.trim().replace(/^W\//, '') === etag))

function replyCheck(check: Check): (data: unknown) => void {
  return (data) => {
    try {
      check(JSON.parse(JSON.stringify(data)))
    } catch (error) {
      throw new Error(`the reply does not match its schema: ${JSON.stringify((error as Refusal).details)}`)
    }
  }
}
