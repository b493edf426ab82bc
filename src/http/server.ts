// The HTTP server of both environments.

import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../base/clock.ts'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import type { Currency } from '../base/money.ts'
import type { Rate } from '../base/rate.ts'
import { refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { Telemetry } from '../base/telemetry.ts'
import type { Tls } from '../base/tls.ts'
import {
  type LocalizedRefusal,
  localizedRefusal,
  mountRawRoutes,
  rawErrorHandler,
  type RawRoute,
} from './raw-route.ts'
import { type Admission, admit, type Authenticate, initializeRequest } from './admission.ts'
import { handlerFactory } from './handlers.ts'
import type { Handler, RequestState } from './request-state.ts'
import { type Connections, watchConnections } from './connections.ts'
import { registerFormParser, registerJsonParser } from './content.ts'
import { apiCallOf, isApiCall, type RecordApiCall } from './api-call.ts'
import type { RecordAuditEntry } from './audit-entry.ts'
import { type DrainPeriod, openDrain, type Drain } from './drain.ts'
import { logError, rawErrorReply, sendError } from './errors.ts'
import type { HeaderRules } from './headers.ts'
import { maxBodyBytes } from './input.ts'
import { compressReply } from './compression.ts'
import { Metrics } from './metrics.ts'
import { type LoadShedder, openLoadShedder } from './overload.ts'
import {
  allow,
  type KnownPath,
  ordinaryMethods,
  type PathMethods,
  pathMethods,
  refuseMethod,
  refuseOtherMethod,
  shadowedMethods,
} from './path-methods.ts'
import type { RateCounter } from './rate-limit.ts'
import { isInBothRegions, type Route } from './route.ts'
import { type OnReply, recordRequest } from './record-request.ts'
import { registerStreamParser } from './streams.ts'

/** A path without the envelope: an HTML page, a picture, a health probe. */
export interface Page {
  /** Default GET. A POST accepts a form and nothing else. */
  method?: 'GET' | 'POST'
  path: string
  /** A health probe: no rate limit, never rejected under overload. */
  isProbe?: true
  run(request: PageRequest): Promise<PageReply> | PageReply
  /** The reply to a refused or failed request; without it, the usual error in JSON. */
  errorPage?(refused: LocalizedRefusal, request: PageRequest): PageReply
}

export interface PageRequest {
  params: Record<string, string>
  /** Fields of the form; empty for GET. */
  form: Record<string, string>
  request: FastifyRequest
}

export interface PageReply {
  status?: number
  type: string
  body: string
  /** Replaces `body` for binary content. */
  bytes?: Buffer
  headers?: Record<string, string>
  /** `Set-Cookie` values. */
  cookie?: string | string[]
}

export interface ServerOptions {
  shops: Record<Environment, Shop>
  routes: Route[]
  pages: Page[]
  rawRoutes: RawRoute[]
  authenticate: Authenticate
  recordAuditEntry: RecordAuditEntry
  /** Called with the status of every reply to an authenticated caller. */
  onReply: OnReply
  recordApiCall: RecordApiCall
  currencyOf: (environment: Environment, code: string) => Currency | undefined
  currencyCodes: (environment: Environment) => string[]
  counter: RateCounter
  metrics: Metrics
  rateLimit: Rate
  timezone: string
  publicUrl: string | undefined
  allowsCookiesFrom: Admission['allowsCookiesFrom']
  production: boolean
  trustProxy: string[]
  /** If given, the server uses HTTPS. */
  tls: Tls | undefined
  clock: Clock
  log: Log
  telemetry: Telemetry
  checkReplies: boolean
  /** Calls that take at least this long are logged; 0: none. */
  slowCallMs: number
  timeouts?: Partial<Timeouts>
}

export interface Timeouts {
  /** How long headers and the whole request may take to arrive, and how often that is checked. */
  headersMs: number
  requestMs: number
  checkEveryMs: number
  /** Whether a delayed event loop rejects requests. */
  loopDelays: 'shed' | 'tolerate'
}

export interface Server {
  readonly fastify: FastifyInstance
  readonly loadShedder: LoadShedder
  /** Starts listening and returns the address. */
  listen(options: { host: string; port: number }): Promise<string>
  /** Serves requests a while longer and ends their connections, then closes the port, so that no call is cut off. */
  drain(period: DrainPeriod): Promise<void>
  /** Stops accepting requests and waits for those in progress. */
  close(): Promise<void>
}

const maxConnections = 10_000

const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2_000,
  /** Whether a delayed event loop rejects requests. */
  loopDelays: 'shed',
}
/** How long a client may take to read an error reply before the connection is closed. */
const lingerMs = 1_000

const transport = {
  bodyLimit: maxBodyBytes,
  keepAliveTimeout: 72_000,
  forceCloseConnections: 'idle',
  return503OnClosing: false,
  routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 200 },
} as const

export function openServer(options: ServerOptions): Server {
  const { headersMs, requestMs, checkEveryMs, loopDelays } = { ...defaultTimeouts, ...options.timeouts }
  const loadShedder = openLoadShedder({ loopDelays })
  const admission = admissionOf(options, loadShedder)
  const wire = {
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: 32_768,
    // Admission checks it and replies in the usual format.
    requireHostHeader: false,
  }
  const uploading = new WeakSet<Socket>()
  const closing = new AbortController()
  const fastify = Fastify({
    ...transport,
    requestTimeout: requestMs,
    // The code below uses nothing that differs between HTTP and HTTPS servers, so one type is enough.
    ...((options.tls ? { https: { ...wire, ...options.tls } } : { http: wire }) as { http: typeof wire }),
    trustProxy: options.trustProxy.length > 0 ? options.trustProxy : false,
    frameworkErrors(_error, request, reply) {
      initializeRequest(admission, request, reply)
      // A URL that cannot be decoded counts against the rate limit and is a 404.
      admit(admission, request, reply)
        .then(() => Promise.reject(refuse('not_found')))
        .catch((error: unknown) => sendError(options, error, request, reply))
    },
    clientErrorHandler(error, socket) {
      // Streamed bodies have a timeout of their own, see streams.ts.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
      if (!socket.writable) return socket.destroy()
      socket.end(rawErrorReply(error, options.clock.now()))
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  })
  prepareConnections(fastify.server)
  fastify.decorateRequest('state', null as unknown as RequestState)
  fastify.decorateRequest('rawBody', undefined)
  registerJsonParser(fastify)
  const connections = watchConnections(fastify.server, { isTls: options.tls !== undefined })
  const drain = openDrain(fastify.server, { connections, onPortClosed: () => closing.abort() })
  const known = knownPaths(options)
  const paths = pathMethods(known, transport.routerOptions)
  hookRequests(fastify, options, { admission, connections, drain, paths })

  mountRoutes(fastify, options.routes, {
    handlerOf: handlerFactory({ ...options, closing: closing.signal, silenceMs: requestMs }),
    uploading,
  })
  mountPages(fastify, options.pages, options.log)
  for (const [url, methods] of shadowedMethods(known)) mountMethodErrors(fastify, url, { methods, known })
  mountRawRoutes(fastify, options.rawRoutes, { admission, log: options.log })

  return {
    fastify,
    loadShedder,
    listen: ({ host, port }) => fastify.listen({ host, port, backlog: 1_024 }),
    drain: drain.run,
    close: async () => {
      closing.abort()
      // Requests that wait in the socket buffers are read first, so that their connections are not idle.
      for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done))
      connections.closeUnused()
      await fastify.close()
      connections.stop()
      loadShedder.close()
      await options.counter.close()
    },
  }
}

function prepareConnections(server: FastifyInstance['server']): void {
  server.maxConnections = maxConnections
  // Unknown expectations are ignored (RFC 9110 10.1.1 allows it).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Each upload route has a Fastify scope of its own, because it replaces the body parsers. */
function mountRoutes(
  fastify: FastifyInstance,
  routes: Route[],
  { handlerOf, uploading }: { handlerOf: (route: Route) => Handler; uploading: WeakSet<Socket> },
): void {
  const open = (scope: FastifyInstance, route: Route) => {
    for (const { root, url } of rootsOf(route.path))
      scope.route({ method: route.method, url, config: { route, root }, handler: handlerOf(route) })
  }
  for (const route of routes)
    if (route.kind === 'write' && route.declared.accepts)
      fastify.register(async (scope) => {
        registerJsonParser(scope, route.declared.accepts)
        open(scope, route)
      })
    else if (route.kind !== 'upload') open(fastify, route)
    else
      fastify.register(async (scope) => {
        registerStreamParser(scope, route, uploading)
        open(scope, route)
      })
}

function admissionOf(options: ServerOptions, loadShedder: LoadShedder): Admission {
  const rules = (environment: Environment): HeaderRules => ({
    currencyOf: (code) => options.currencyOf(environment, code),
    currencyCodes: () => options.currencyCodes(environment),
    defaultZone: options.timezone,
    knownZones: new Set(),
  })
  return { ...options, loadShedder, headerRules: { live: rules('live'), test: rules('test') } }
}

function hookRequests(
  fastify: FastifyInstance,
  options: ServerOptions,
  tools: { admission: Admission; connections: Connections; drain: Drain; paths: PathMethods },
): void {
  const { admission, connections, drain, paths } = tools
  fastify.addHook('onRequest', (request, reply, done) => {
    admission.loadShedder.enter()
    initializeRequest(admission, request, reply)
    admit(admission, request, reply)
      .then(() => request.is404 && refuseOtherMethod(paths.of(request), request, reply))
      .then(() => done(), done)
  })
  // Not `onResponse`: if the client disconnects, the reply never finishes, but the request is no longer in progress.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!request.state.isReplied) {
      request.state.isReplied = true
      admission.loadShedder.leave()
      recordRequest(options, request, reply)
      if (isApiCall(request)) options.recordApiCall(apiCallOf(request, reply, payload))
    }
    if (drain.isDraining && connections.isLast(request.raw, reply.raw)) reply.header('connection', 'close')
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    const send = (bytes: string | Buffer) => {
      connections.addReply(reply.raw, Buffer.byteLength(bytes))
      if (drain.held) void drain.held.then(() => done(null, bytes))
      else done(null, bytes)
    }
    compressReply(request, reply, { payload, send })
  })
  fastify.setErrorHandler((error, request, reply) => {
    const rawRoute = request.is404 ? paths.of(request)?.rawRoute : undefined
    if (rawRoute) rawErrorHandler(rawRoute, options.log)(error, request, reply)
    else sendError(options, error, request, reply)
  })
  fastify.setNotFoundHandler((request, reply) => {
    if (request.method === 'OPTIONS') return allow(reply, paths.of(request)?.methods ?? ordinaryMethods)
    throw refuse('not_found')
  })
}

/** Everything under `/v1` is also served under `/global/v1`, with the region preset. */
const rootsOf = (path: string): { root: 'home' | 'global'; url: string }[] => [
  { root: 'home', url: fastifyPath(path) },
  ...(isInBothRegions(path) ? [{ root: 'global' as const, url: fastifyPath(`/global${path}`) }] : []),
]

const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

function mountMethodErrors(
  fastify: FastifyInstance,
  url: string,
  { methods, known }: { methods: string[]; known: Map<string, KnownPath> },
): void {
  fastify.route({
    method: methods,
    url,
    exposeHeadRoute: false,
    // Before the body is read.
    onRequest: (_request, reply) => refuseMethod(reply, known.get(url)!.methods),
    handler: () => undefined,
  })
}

function knownPaths(options: ServerOptions): Map<string, KnownPath> {
  const paths = new Map<string, KnownPath>()
  const note = (url: string, method: string) => {
    const path = paths.get(url) ?? { methods: [] }
    if (!path.methods.includes(method)) path.methods.push(method)
    paths.set(url, path)
    return path
  }
  for (const route of options.routes) for (const { url } of rootsOf(route.path)) note(url, route.method)
  for (const page of options.pages) note(fastifyPath(page.path), page.method ?? 'GET')
  for (const rawRoute of options.rawRoutes)
    for (const method of rawRoute.methods) note(fastifyPath(rawRoute.path), method).rawRoute = rawRoute
  return paths
}

function mountPages(fastify: FastifyInstance, pages: Page[], log: Log): void {
  const show = (scope: FastifyInstance, page: Page) =>
    scope.route({
      method: page.method ?? 'GET',
      url: fastifyPath(page.path),
      config: { isProbe: page.isProbe ?? false },
      handler: async (request, reply) => sendPage(await page.run(pageRequest(request)), reply),
      ...(page.errorPage && { errorHandler: pageErrorHandler(page.errorPage, log) }),
    })
  for (const page of pages.filter((it) => it.method !== 'POST')) show(fastify, page)
  // A scope of its own, because only pages accept forms.
  fastify.register(async (scope) => {
    registerFormParser(scope)
    for (const page of pages.filter((it) => it.method === 'POST')) show(scope, page)
  })
}

const pageRequest = (request: FastifyRequest): PageRequest => ({
  params: request.params as Record<string, string>,
  form: (request.body as Record<string, string> | undefined) ?? {},
  request,
})

const pageErrorHandler =
  (errorPage: NonNullable<Page['errorPage']>, log: Log) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const refused = localizedRefusal(error, request, reply)
    logError(log, { error, request, ...refused })
    void sendPage({ status: refused.status, ...errorPage(refused, pageRequest(request)) }, reply)
  }

function sendPage({ status = 200, type, body, bytes, headers = {}, cookie }: PageReply, reply: FastifyReply) {
  if (cookie !== undefined) reply.header('set-cookie', cookie)
  return reply
    .status(status)
    .type(type)
    .headers(headers)
    .send(bytes ?? body)
}
