// Runs a declared path: checks what came in, reads or writes, and puts the answer into the envelope.

import type { FastifyRequest } from 'fastify'
import type { Database, Environment, Tx } from '../base/db.ts'
import { sha256 } from '../base/random.ts'
import type { Refusal } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { Authenticate } from './admission.ts'
import './asked.ts'
import { deedOf, type RecordDeed } from './deed.ts'
import { successBody, successBytes } from './envelope.ts'
import { type Handler, json, type Tools } from './handler.ts'
import { idempotencyKeyOf } from './headers.ts'
import { type InFlight, once, type Written } from './idempotency.ts'
import { ReplyCache } from './reply-cache.ts'
import { circumstances, inputOf } from './input.ts'
import type { Answer, BareAnswer, Circumstances, Route } from './route.ts'
import { downloader, uploader } from './streams.ts'
import { type Check, checker } from './validation.ts'

type Prepare = (call: Circumstances & Record<string, unknown>) => Promise<unknown>
type Run = (call: Circumstances & Record<string, unknown>) => Promise<Answer<unknown>>

export interface AnswerOptions {
  shops: Record<Environment, Shop>
  recordDeed: RecordDeed
  /** Streams last, and look now and then whether their callers still may follow them. */
  authenticate: Authenticate
  /** In tests, a reply that is not of its declared shape is a bug that shows. */
  checkReplies: boolean
  /** Long calls look at it: the server is about to stop. */
  closing: AbortSignal
  /** How long the sender of a long body may be silent. */
  silenceMs: number
}

/** Makes handlers for declared paths. Checks are compiled once, when the server opens. */
export function answerer({
  shops,
  recordDeed,
  checkReplies,
  authenticate,
  ...limits
}: AnswerOptions): (route: Route) => Handler {
  const compile = checker()
  const inFlight: InFlight = new Map()
  return (route) => {
    const input = inputOf(route, compile)
    const checkReply = checkReplies ? replyCheck(compile(route.declared.reply)) : undefined
    if (route.declared.takes) return uploader(route, { shops, input, checkReply, recordDeed, ...limits })
    if (route.declared.gives) return downloader(route, { shops, input, authenticate, ...limits })
    if (route.declared.isBare) return answererOfQuestions(route, { shops, input, checkReply })
    if (route.declared.isQuestion) return inquirer(route, { shops, input, checkReply })
    return route.method === 'GET'
      ? reader(route, { shops, input, checkReply })
      : writer(route, { shops, input, checkReply, inFlight, recordDeed })
  }
}

function reader(route: Route, { shops, input, checkReply }: Tools): Handler {
  const { forgetOn } = route.declared
  const run = route.declared.run as Run
  const caches = forgetOn && openCaches(shops, forgetOn)
  return async (request, reply) => {
    const { db } = shops[request.asked.environment]
    const cache = caches?.[request.asked.environment]
    const key = cache && cacheKey(request)
    let kept = key === undefined ? undefined : cache!.find(key, db.clock.now().getTime())
    if (!kept) {
      const generation = cache?.generation ?? 0
      const read = db.read()
      const { data, version, isLiving, isPassing, untilMs } = await run({
        ...circumstances(request),
        ...input(request),
        read,
      })
      checkReply?.(data)
      const dataJson = Buffer.from(JSON.stringify(data))
      kept = {
        dataJson,
        etag: etagOf(version, request, isLiving || version === undefined ? dataJson : undefined)!,
        fromMs: read.now.getTime(),
        untilMs: untilMs ?? Infinity,
      }
      if (key !== undefined && !isPassing) cache!.keep(key, kept, generation)
    }
    reply.header('etag', kept.etag).header('cache-control', 'private, no-cache')
    if (matches(request.headers['if-none-match'], kept.etag)) return reply.status(304).send()
    return reply.type(json).send(successBytes(kept.dataJson, request.asked.requestId, db.clock.now()))
  }
}

function answererOfQuestions(route: Route, { shops, input, checkReply }: Tools): Handler {
  const run = route.declared.run as (
    call: Circumstances & Record<string, unknown>,
  ) => Promise<BareAnswer<unknown>>
  return async (request, reply) => {
    const read = shops[request.asked.environment].db.read()
    const answer = await run({ ...circumstances(request), ...input(request), read })
    const bytes = 'json' in answer ? answer.json : JSON.stringify(answer.data)
    checkReply?.(JSON.parse(String(bytes)))
    return reply
      .headers(answer.headers ?? {})
      .header('cache-control', 'private, no-store')
      .type(json)
      .send(bytes)
  }
}

function inquirer(route: Route, { shops, input, checkReply }: Tools): Handler {
  const run = route.declared.run as Run
  return async (request, reply) => {
    const read = shops[request.asked.environment].db.read()
    const { data } = await run({ ...circumstances(request), ...input(request), read })
    checkReply?.(data)
    reply.header('cache-control', 'private, no-store').type(json)
    return reply.send(successBody(JSON.stringify(data), request.asked.requestId, read.now))
  }
}

const openCaches = (
  shops: Record<Environment, Shop>,
  forgetOn: NonNullable<Route['declared']['forgetOn']>,
) => {
  const open = (shop: Shop) => {
    const cache = new ReplyCache(forgetOn)
    shop.relay.listen((event) => cache.hear(event))
    return cache
  }
  return { live: open(shops.live), test: open(shops.test) }
}

const cacheKey = ({ url, asked: { wishes, origin } }: FastifyRequest): string =>
  `${origin}${url} ${wishes.language} ${wishes.currency.code}${wishes.currency.tiyin} ${wishes.region} ${wishes.timezone}`

function writer(
  route: Route,
  { shops, input, checkReply, inFlight, recordDeed }: Tools & { inFlight: InFlight; recordDeed: RecordDeed },
): Handler {
  const run = route.declared.run as Run
  const prepare = route.declared.prepare as Prepare | undefined
  return async (request, reply) => {
    const { db } = shops[request.asked.environment]
    const key = idempotencyKeyOf(request.headers)
    const call = { ...circumstances(request), ...input(request) }
    const prepared = await prepare?.(call)
    const work = async (tx: Tx) => {
      const answer = await run({ ...call, prepared, tx })
      checkReply?.(answer.data)
      const done = written(route, answer, request, tx.now)
      recordDeed(tx, deedOf(route, request, done.status))
      return done
    }
    const done = await perform(db, inFlight, { request, key, work })
    if (done.replayed) reply.header('idempotent-replayed', 'true')
    if (request.asked.wishes.dryRun) reply.header('preference-applied', 'dry-run')
    else if (done.cookie !== undefined) reply.header('set-cookie', done.cookie)
    return reply.status(done.status).headers(done.headers).type(json).send(done.body)
  }
}

async function perform(
  db: Database,
  inFlight: InFlight,
  {
    request,
    key,
    work,
  }: { request: FastifyRequest; key: string | undefined; work: (tx: Tx) => Promise<Written> },
): Promise<Written & { replayed: boolean }> {
  const { principal, wishes } = request.asked
  if (wishes.dryRun) return { ...(await db.rehearse(work)), replayed: false }
  if (key === undefined || !principal) return { ...(await db.transaction(work)), replayed: false }
  const claim = { principal: principal.id, key, fingerprint: fingerprintOf(request) }
  return once(db, inFlight, { claim, work })
}

/** The same call is the same method, the same address and the same bytes. */
const fingerprintOf = ({ method, url, rawBody }: FastifyRequest): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${method} ${url}\n`), rawBody ?? Buffer.alloc(0)]))

function written(route: Route, answer: Answer<unknown>, request: FastifyRequest, now: Date): Written {
  const { secrets, creates } = route.declared
  const { requestId } = request.asked
  const json = JSON.stringify(answer.data)
  const etag = etagOf(answer.version, request, answer.isLiving ? Buffer.from(json) : undefined)
  const hidden = secrets && {
    ...(answer.data as object),
    ...Object.fromEntries(secrets.map((it) => [it, null])),
  }
  return {
    status: (answer.created ?? creates) ? 201 : 200,
    headers: etag ? { etag } : {},
    body: successBody(json, requestId, now),
    cookie: answer.cookie,
    bodyWithoutSecrets: hidden && successBody(JSON.stringify(hidden), requestId, now),
  }
}

/** A version tells representations apart by language, because their bytes differ; what has no version, or lives, by its bytes. */
function etagOf(version: number | undefined, { asked }: FastifyRequest, bytes?: Buffer): string | undefined {
  const digest = bytes && sha256(bytes).toString('base64url').slice(0, 22)
  const parts = version === undefined ? [digest] : [version, asked.wishes.language, digest]
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
      throw new Error(`the reply is not of its declared shape: ${JSON.stringify((error as Refusal).details)}`)
    }
  }
}
