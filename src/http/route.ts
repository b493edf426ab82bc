// How a module declares its routes. The server, the OpenAPI document and the tests read the same declarations.

import type { IncomingHttpHeaders } from 'node:http'
import { type Static, type TSchema, Type } from 'typebox'
import type { Database, Environment, Reader, Tx } from '../base/database.ts'
import type { Currency } from '../base/money.ts'
import type { Rate } from '../base/rate.ts'
import type { EventType } from '../events.ts'
import type { Language } from './language.ts'
import type { RefusalCode } from './refusals.ts'
import type { Scope } from './scopes.ts'
import type { IfMatch } from './version.ts'

/** What a caller acts as: an application, a client of the shop, or a member of its staff. */
export type Actor =
  | { kind: 'application' }
  | { kind: 'client'; clientId: number }
  | { kind: 'member'; memberId: string; role: 'owner' | 'developer' | 'operator' | 'analyst' }

/** The authenticated caller. */
export interface Principal {
  /** Identifies the credential in records and counters. Not a secret. */
  id: string
  environment: Environment
  actor: Actor
  /** The calling application; null for a session in a browser. */
  application: { id: string; type: 'web' | 'mobile' | 'server' } | null
  scopes: ReadonlySet<Scope>
  rate: Rate | undefined
}

/** What a handler knows about the request besides its parameters and body. */
export interface RequestContext {
  environment: Environment
  principal: Principal | null
  requestId: string
  language: Language
  /** The currency in which prices are shown. */
  currency: Currency
  region: 'home' | 'global'
  timezone: string
  /** Scheme and host under which the caller reached the server; links in replies start with it. */
  origin: string
  /** The version in `If-Match`, if sent. */
  ifMatch: IfMatch | undefined
  ip: string
  userAgent: string | undefined
  /** The unparsed request, for checking signatures. */
  rawRequest: { headers: IncomingHttpHeaders; bytes: Buffer | undefined }
}

/** What a handler returns. */
export interface Reply<Data> {
  data: Data
  /** Becomes the `ETag`. */
  version?: number
  /** Parts of the data change without the version, like prices in a cart; the `ETag` then includes a digest. */
  isVolatile?: boolean
  /** Computed from data that is being updated: sent, but not cached. */
  isProvisional?: boolean
  /** The data changes at this instant without an event; Infinity if it does not. */
  validUntilMs?: number
  /** Makes the status 201. */
  created?: boolean
  /** A `Set-Cookie` value. It is a secret and is left out of replayed replies. */
  cookie?: string
}

/** What a read returns whose data is JSON already. */
export interface PrintedReply extends Omit<Reply<never>, 'data'> {
  json: Buffer
}

export const jsonOf = (reply: Reply<unknown> | PrintedReply): Buffer =>
  'json' in reply ? reply.json : Buffer.from(JSON.stringify(reply.data))

/**
 * Who may call: a client by session or user token; a client's own browser session; a member; or a member with the role
 * of owner.
 */
export type Needs = 'client' | 'session' | 'member' | 'owner'

type Shape = Record<string, TSchema>
type Values<S extends Shape> = { [K in keyof S]: Static<S[K]> }

interface Declaration<P extends Shape, Q extends TSchema, R extends TSchema> {
  /** A few words for the reference. */
  summary: string
  description?: string
  /** The scope or scopes that a credential needs; null leaves the route open to all callers. */
  scope: Scope | readonly Scope[] | null
  needs?: Needs
  params?: P
  query?: Q
  /** The schema of `data` in the envelope. */
  reply: R
  /** Error codes besides those that every route of this kind has. */
  refusals?: readonly RefusalCode[]
  /** Adds `Deprecation`, `Sunset` and `Link` headers to every reply. */
  deprecated?: { since: Date; sunset?: Date; successor?: string }
  /** Concerns both environments: runs in live, whatever environment the caller acts in. */
  platform?: true
  /** Under overload, `first` is rejected first and `last` last. */
  shed?: 'first' | 'last'
}

type Call<P extends Shape, Q extends TSchema> = RequestContext & { params: Values<P>; query: Static<Q> }

interface ReadDeclaration<P extends Shape, Q extends TSchema, R extends TSchema> extends Declaration<
  P,
  Q,
  R
> {
  /** A report: a replica may answer, with data that is some seconds old. */
  mayLag?: true
  /** Caches replies until one of these events is published. */
  invalidateOn?: readonly EventType[]
  run(call: Call<P, Q> & { read: Reader }): Promise<Reply<Static<R>> | PrintedReply>
}

interface WriteDeclaration<
  P extends Shape,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  Prepared = undefined,
> extends Declaration<P, Q, R> {
  body?: B
  /** Media types of JSON that the route accepts besides `application/json`. */
  accepts?: readonly string[]
  /** The route honours `If-Match`. */
  versioned?: true
  /** Replies 201; `sometimes`: 201 if the reply says `created`, otherwise 200. */
  creates?: true | 'sometimes'
  /** Fields of `data` that are shown once: null in a replayed reply. */
  secrets?: readonly string[]
  /** Slow work outside the transaction, such as hashing a password. Declared before `run` so that types are inferred. */
  prepare?(call: Call<P, Q> & { body: Static<B> }): Promise<Prepared>
  run(call: Call<P, Q> & { tx: Tx; body: Static<B>; prepared: Prepared }): Promise<Reply<Static<R>>>
}

/** A streamed request body of any length. No Idempotency-Key, no dry run. */
interface UploadDeclaration<P extends Shape, Q extends TSchema, R extends TSchema> extends Declaration<
  P,
  Q,
  R
> {
  /** Media types of the body. */
  accepts: readonly [string, ...string[]]
  /** The beginning of a body, for the reference. */
  example: string
  run(call: Call<P, Q> & Upload): Promise<Reply<Static<R>>>
}

export interface Upload {
  /** A long body is processed in several transactions, which the handler opens. */
  db: Database
  body: AsyncIterable<Uint8Array>
  /** Aborted when the server stops. */
  signal: AbortSignal
}

/** A streamed reply of any length, without the envelope. */
interface DownloadDeclaration<P extends Shape, Q extends TSchema> extends Omit<
  Declaration<P, Q, TSchema>,
  'reply'
> {
  /** The media type of the reply. */
  produces: string
  example: string
  run(call: Call<P, Q> & Download): AsyncIterable<string | Uint8Array>
}

export interface Download {
  db: Database
  /** Aborted when the caller disconnects or the server stops. */
  signal: AbortSignal
  /** The `Last-Event-ID` header of a client that reconnects to a stream. */
  lastEventId: string | undefined
}

/** A read whose parameters do not fit into a URL: POST with a body, reply in the envelope. */
interface QueryDeclaration<B extends TSchema, R extends TSchema> extends Declaration<{}, TSchema, R> {
  body: B
  run(call: Call<{}, TSchema> & { read: Reader; body: Static<B> }): Promise<Reply<Static<R>>>
}

/** A query whose reply has no envelope and whose body may hold unknown fields. */
interface BareQueryDeclaration<B extends TSchema, R extends TSchema> extends Declaration<{}, TSchema, R> {
  body: B
  /** Maturity of the call (SPEC-1 9). */
  status?: 'in development' | 'stable' | 'deprecated'
  run(call: Call<{}, TSchema> & { read: Reader; body: Static<B> }): Promise<BareReply<Static<R>>>
}

export type BareReply<Data> = (
  | { data: Data }
  /** The data already serialized. */
  | { json: Buffer }
) & { headers?: Record<string, string> }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface RouteOf<Kind extends string, Declared> {
  kind: Kind
  method: Method
  path: string
  declared: Declared
}

export type ReadRoute = RouteOf<'read', ReadDeclaration<Shape, TSchema, TSchema>>
export type WriteRoute = RouteOf<'write', WriteDeclaration<Shape, TSchema, TSchema, TSchema, unknown>>
export type UploadRoute = RouteOf<'upload', UploadDeclaration<Shape, TSchema, TSchema>>
export type DownloadRoute = RouteOf<'download', DownloadDeclaration<Shape, TSchema> & { reply: TSchema }>
export type QueryRoute = RouteOf<'query', QueryDeclaration<TSchema, TSchema>>
export type BareQueryRoute = RouteOf<'bare-query', BareQueryDeclaration<TSchema, TSchema>>

/** A declared route, as the server and the reference read it. */
export type Route = ReadRoute | WriteRoute | UploadRoute | DownloadRoute | QueryRoute | BareQueryRoute

/** The schema of the JSON body, for the kinds that have one. */
export const bodyOf = (route: Route): TSchema | undefined =>
  route.kind === 'write' || route.kind === 'query' || route.kind === 'bare-query'
    ? route.declared.body
    : undefined

export const scopesOf = ({ scope }: Pick<Route['declared'], 'scope'>): readonly Scope[] =>
  scope === null ? [] : typeof scope === 'string' ? [scope] : scope

export const get = <R extends TSchema, P extends Shape = {}, Q extends TSchema = TSchema>(
  path: string,
  declared: ReadDeclaration<P, Q, R>,
): Route => ({ kind: 'read', method: 'GET', path, declared: declared as ReadRoute['declared'] })

const write =
  (method: Method) =>
  <
    R extends TSchema,
    P extends Shape = {},
    Q extends TSchema = TSchema,
    B extends TSchema = TSchema,
    Prepared = undefined,
  >(
    path: string,
    declared: WriteDeclaration<P, Q, B, R, Prepared>,
  ): Route => ({ kind: 'write', method, path, declared: declared as unknown as WriteRoute['declared'] })

export const post = write('POST')
export const put = write('PUT')
export const patch = write('PATCH')
export const del = write('DELETE')

export const query = <R extends TSchema, B extends TSchema>(
  path: string,
  declared: QueryDeclaration<B, R>,
): Route => ({ kind: 'query', method: 'POST', path, declared: declared as QueryRoute['declared'] })

export const bareQuery = <B extends TSchema, R extends TSchema>(
  path: string,
  declared: BareQueryDeclaration<B, R>,
): Route => ({ kind: 'bare-query', method: 'POST', path, declared: declared as BareQueryRoute['declared'] })

export const upload = <R extends TSchema, P extends Shape = {}, Q extends TSchema = TSchema>(
  path: string,
  declared: UploadDeclaration<P, Q, R>,
): Route => ({ kind: 'upload', method: 'POST', path, declared: declared as UploadRoute['declared'] })

export const download = <P extends Shape = {}, Q extends TSchema = TSchema>(
  path: string,
  declared: DownloadDeclaration<P, Q>,
): Route => ({
  kind: 'download',
  method: 'GET',
  path,
  declared: { ...declared, reply: Type.String() } as DownloadRoute['declared'],
})

/** Everything under `/v1` is also served under `/global/v1`. */
export const isInBothRegions = (path: string): boolean => path.startsWith('/v1/')
