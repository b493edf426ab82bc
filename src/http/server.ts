// One HTTP server for both environments. It knows how a request becomes a call; what calls do, it is told by tables.

import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Clock, elapsedMs } from '../base/clock.ts'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Currency } from '../base/money.ts'
import type { Rate } from '../base/rate.ts'
import { refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { Tls } from '../base/tls.ts'
import { type Annex, mountAnnexes, refusalsOf } from './annex.ts'
import { type Admission, admit, type Authenticate, greet } from './admission.ts'
import { answerer } from './answer.ts'
import type { Asked } from './asked.ts'
import { readForms, readStrictJson } from './content.ts'
import type { RecordDeed } from './deed.ts'
import { rawFailure, sendFailure } from './failure.ts'
import type { Handler } from './handler.ts'
import type { HeaderRules } from './headers.ts'
import { maxBodyBytes } from './input.ts'
import { Metrics } from './metrics.ts'
import { type Gate, openGate } from './overload.ts'
import type { RateCounter } from './rate-limit.ts'
import type { Principal, Route } from './route.ts'
import { takeStreams } from './streams.ts'

/** A path outside the envelope: a page, a picture, a probe. */
export interface Page {
  /** GET unless said. A POST takes a form as browsers send it, and nothing else. */
  method?: 'GET' | 'POST'
  path: string
  /** Asked by those who run the shop whether it lives: never counted and never turned away. */
  isProbe?: true
  run(request: PageRequest): Promise<PageReply> | PageReply
}

export interface PageRequest {
  params: Record<string, string>
  /** The fields of the form; empty for a GET. */
  form: Record<string, string>
  request: FastifyRequest
}

export interface PageReply {
  status?: number
  type: string
  body: string
  /** In place of the body, for what is no text. */
  bytes?: Buffer
  headers?: Record<string, string>
  /** A `Set-Cookie`. */
  cookie?: string
}

export interface ServerOptions {
  shops: Record<Environment, Shop>
  routes: Route[]
  pages: Page[]
  annexes: Annex[]
  authenticate: Authenticate
  recordDeed: RecordDeed
  /** Hears how each call of a known caller was answered. */
  noteAnswer: (principal: Principal, status: number) => void
  currencyOf: (environment: Environment, code: string) => Currency | undefined
  counter: RateCounter
  metrics: Metrics
  rateLimit: Rate
  timezone: string
  publicUrl: string | undefined
  allowsCookiesFrom: (origin: string) => boolean
  production: boolean
  trustProxy: string[]
  /** With it the server speaks HTTPS itself. */
  tls: Tls | undefined
  clock: Clock
  log: Log
  checkReplies: boolean
  patience?: Partial<Patience>
}

/** How long a request may take to arrive, how often that is looked at, and whether a late process turns callers away. */
export interface Patience {
  headersMs: number
  requestMs: number
  checkEveryMs: number
  loopDelays: 'shed' | 'borne'
}

export interface Server {
  readonly fastify: FastifyInstance
  readonly gate: Gate
  /** Begins to take calls and returns the address. */
  listen(options: { host: string; port: number }): Promise<string>
  /** Stops taking calls, finishes those under way, and returns. */
  close(): Promise<void>
}

const maxConnections = 10_000
const ordinaryMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const methodsOfAll = [...ordinaryMethods, 'HEAD', 'OPTIONS']

const usualPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2_000,
  loopDelays: 'shed',
}
/** How long a caller who was refused may take to read why before the line is cut. */
const lingerMs = 1_000

const transport = {
  bodyLimit: maxBodyBytes,
  keepAliveTimeout: 72_000,
  forceCloseConnections: 'idle',
  return503OnClosing: false,
  routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 200 },
} as const

export function openServer(options: ServerOptions): Server {
  const { headersMs, requestMs, checkEveryMs, loopDelays } = { ...usualPatience, ...options.patience }
  const gate = openGate({ loopDelays })
  const admission = admissionOf(options, gate)
  const wire = {
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: 32_768,
    // We refuse it ourselves, in our own words.
    requireHostHeader: false,
  }
  const uploading = new WeakSet<Socket>()
  const closing = new AbortController()
  const fastify = Fastify({
    ...transport,
    requestTimeout: requestMs,
    // The two kinds of server differ in nothing that we use, so the rest need not know which one it is.
    ...((options.tls ? { https: { ...wire, ...options.tls } } : { http: wire }) as { http: typeof wire }),
    trustProxy: options.trustProxy.length > 0 ? options.trustProxy : false,
    frameworkErrors(_error, request, reply) {
      greet(admission, request, reply)
      // What cannot even be looked up is counted like any other call, and then names nothing.
      admit(admission, request, reply)
        .then(() => Promise.reject(refuse('not_found')))
        .catch((error: unknown) => sendFailure(options, error, request, reply))
    },
    clientErrorHandler(error, socket) {
      // A body of any length takes its time; whoever reads it sees to it that its sender does not fall silent.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
      if (!socket.writable) return socket.destroy()
      socket.end(rawFailure(error, options.clock.now()))
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  })
  fastify.server.maxConnections = maxConnections
  // An expectation that we do not know is one that we need not meet.
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  )
  fastify.decorateRequest('asked', null as unknown as Asked)
  fastify.decorateRequest('rawBody', undefined)
  readStrictJson(fastify)
  watchCalls(fastify, options, admission)

  openRoutes(fastify, options.routes, {
    answer: answerer({ ...options, closing: closing.signal, silenceMs: requestMs }),
    uploading,
  })
  showPages(fastify, options.pages)
  mountAnnexes(fastify, options.annexes, { admission, log: options.log })
  refuseOtherMethods(fastify, options)

  return {
    fastify,
    gate,
    listen: ({ host, port }) => fastify.listen({ host, port, backlog: 1_024 }),
    close: async () => {
      closing.abort()
      await fastify.close()
      gate.close()
      await options.counter.close()
    },
  }
}

/** A path that takes a stream stands in a scope of its own, because bodies are read there in another way. */
function openRoutes(
  fastify: FastifyInstance,
  routes: Route[],
  { answer, uploading }: { answer: (route: Route) => Handler; uploading: WeakSet<Socket> },
): void {
  const open = (scope: FastifyInstance, route: Route) => {
    for (const { root, url } of rootsOf(route.path))
      scope.route({ method: route.method, url, config: { route, root }, handler: answer(route) })
  }
  for (const route of routes)
    if (!route.declared.takes) open(fastify, route)
    else
      fastify.register(async (scope) => {
        takeStreams(scope, route, uploading)
        open(scope, route)
      })
}

function admissionOf(options: ServerOptions, gate: Gate): Admission {
  const rules = (environment: Environment): HeaderRules => ({
    currencyOf: (code) => options.currencyOf(environment, code),
    defaultZone: options.timezone,
    knownZones: new Set(),
  })
  return { ...options, gate, headerRules: { live: rules('live'), test: rules('test') } }
}

function watchCalls(fastify: FastifyInstance, options: ServerOptions, admission: Admission): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    admission.gate.enter()
    greet(admission, request, reply)
    admit(admission, request, reply).then(() => done(), done)
  })
  // Here and not when the reply has gone out: a caller who hangs up never takes his reply, but his place is free.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!request.asked.answered) {
      request.asked.answered = true
      admission.gate.leave()
      noteCall(options, request, reply)
    }
    done(null, payload)
  })
  fastify.setErrorHandler((error, request, reply) => sendFailure(options, error, request, reply))
  fastify.setNotFoundHandler((request, reply) => {
    if (request.method === 'OPTIONS') return allow(reply, ordinaryMethods)
    if (methodsOfAll.includes(request.method)) throw refuse('not_found')
    reply.header('allow', allowed(ordinaryMethods))
    throw refuse('method_not_allowed', { allowed: ordinaryMethods })
  })
}

function noteCall(options: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { metrics, log, noteAnswer } = options
  const { asked, method } = request
  const route = request.routeOptions.url ?? 'none'
  const ms = elapsedMs() - asked.startedMs
  if (asked.principal) noteAnswer(asked.principal, reply.statusCode)
  metrics.observe({ method, route, status: reply.statusCode, seconds: ms / 1000 })
  log.call({
    requestId: asked.requestId,
    method,
    route,
    status: reply.statusCode,
    ms,
    environment: asked.environment,
    caller: asked.principal?.id,
    client: request.headers['x-client-name'] && clientOf(request),
  })
}

const clientOf = ({ headers }: FastifyRequest): string =>
  `${String(headers['x-client-name'])} ${String(headers['x-client-version'] ?? '')}`.slice(0, 200).trim()

/** Everything under `/v1` stands under `/global/v1` too, with the region preset. */
const rootsOf = (path: string): { root: 'home' | 'global'; url: string }[] => [
  { root: 'home', url: fastifyPath(path) },
  ...(path.startsWith('/v1/') ? [{ root: 'global' as const, url: fastifyPath(`/global${path}`) }] : []),
]

const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** A known path answers every other method with 405 and the list of those it has; OPTIONS tells a browser the same. */
function refuseOtherMethods(fastify: FastifyInstance, options: ServerOptions): void {
  const methods = new Map<string, Set<string>>()
  const note = (url: string, method: string) => methods.set(url, (methods.get(url) ?? new Set()).add(method))
  for (const route of options.routes) for (const { url } of rootsOf(route.path)) note(url, route.method)
  for (const page of options.pages) note(fastifyPath(page.path), page.method ?? 'GET')
  const annexes = new Map(options.annexes.map((it) => [fastifyPath(it.path), it]))
  for (const [url, annex] of annexes) for (const it of annex.methods) note(url, it)
  for (const [url, known] of methods) {
    const others = [...methodsOfAll, 'TRACE'].filter(
      (it) => it !== 'OPTIONS' && !known.has(it) && !(it === 'HEAD' && known.has('GET')),
    )
    fastify.options(url, (_request, reply) => allow(reply, [...known]))
    fastify.route({
      method: others,
      url,
      exposeHeadRoute: false,
      // Before the body is read: what it holds does not matter here.
      onRequest: (_request, reply, done) => {
        reply.header('allow', allowed([...known]))
        done(refuse('method_not_allowed', { allowed: [...known] }))
      },
      handler: () => undefined,
      ...(annexes.has(url) && { errorHandler: refusalsOf(annexes.get(url)!, options.log) }),
    })
  }
}

const allowed = (methods: string[]): string =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')

const allow = (reply: FastifyReply, methods: string[]) =>
  reply
    .status(204)
    .headers({
      allow: allowed(methods),
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers':
        'Authorization, Content-Type, Accept, Accept-Language, Idempotency-Key, If-Match, If-None-Match, Prefer, X-CSRF-Token, X-Request-ID, X-API-Version, X-Client-Name, X-Client-Version, X-Environment, X-Service-Region, X-Currency, X-Timezone',
      'access-control-max-age': '86400',
    })
    .send()

function showPages(fastify: FastifyInstance, pages: Page[]): void {
  const show = (scope: FastifyInstance, page: Page) =>
    scope.route({
      method: page.method ?? 'GET',
      url: fastifyPath(page.path),
      config: { isProbe: page.isProbe ?? false },
      handler: (request, reply) => sendPage(page, request, reply),
    })
  for (const page of pages.filter((it) => it.method !== 'POST')) show(fastify, page)
  // In a scope of its own: nothing but a page reads forms, and a page reads nothing else.
  fastify.register(async (scope) => {
    readForms(scope)
    for (const page of pages.filter((it) => it.method === 'POST')) show(scope, page)
  })
}

async function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const {
    status = 200,
    type,
    body,
    bytes,
    headers = {},
    cookie,
  } = await page.run({
    params: request.params as Record<string, string>,
    form: (request.body as Record<string, string> | undefined) ?? {},
    request,
  })
  if (cookie !== undefined) reply.header('set-cookie', cookie)
  return reply
    .status(status)
    .type(type)
    .headers(headers)
    .send(bytes ?? body)
}
