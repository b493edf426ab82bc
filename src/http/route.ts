// How a module declares its paths: a table of what comes in, what it needs, and what goes out.
// The server, the OpenAPI document and the tests all read the same table.

import type { IncomingHttpHeaders } from 'node:http'
import { type Static, type TSchema, Type } from 'typebox'
import type { Database, Environment, Reader, Tx } from '../base/db.ts'
import type { Currency } from '../base/money.ts'
import type { Rate } from '../base/rate.ts'
import type { EventType } from '../events.ts'
import type { Language } from './language.ts'
import type { RefusalCode } from './refusals.ts'
import type { Scope } from './scopes.ts'

/** As whom a caller acts: an application for itself, a client of the shop, or a member of its staff. */
export type Actor =
  | { kind: 'application' }
  | { kind: 'client'; clientId: number }
  | { kind: 'member'; memberId: string; role: 'owner' | 'developer' | 'operator' | 'analyst' }

/** Who calls, as identity found out. */
export interface Principal {
  /** Names the credential in records and counters; it is no secret. */
  id: string
  environment: Environment
  actor: Actor
  /** The application that calls, by its client id; null when a person calls from a browser of ours. */
  application: { id: string; type: 'web' | 'mobile' | 'server' } | null
  scopes: ReadonlySet<Scope>
  rate: Rate | undefined
}

/** What a handler is told about the request, beside its contents. */
export interface Circumstances {
  environment: Environment
  principal: Principal | null
  requestId: string
  language: Language
  /** The currency in which prices are to be shown. */
  currency: Currency
  region: 'home' | 'global'
  timezone: string
  /** Scheme and host under which the caller knows us; links in replies begin with it. */
  origin: string
  /** The version in `If-Match`, when it was sent. */
  ifMatch: number | undefined
  /** The address from which the call came, and the program that made it, as it calls itself. */
  ip: string
  userAgent: string | undefined
  /** The request as it came, for those who must check its signature. */
  sent: { headers: IncomingHttpHeaders; bytes: Buffer | undefined }
}

/** What a handler gives back. A version becomes the `ETag`; created makes it a 201. */
export interface Answer<Data> {
  data: Data
  version?: number
  /** Parts of it change without its version, as prices do in a cart: its `ETag` tells them apart too. */
  isLiving?: boolean
  /** It was made from what is being brought up to date: it is given, and not kept for the next caller. */
  isPassing?: boolean
  /** From this instant on it would be another one, though no fact is told; Infinity when there is none. */
  untilMs?: number
  created?: boolean
  /** A `Set-Cookie`. It is a secret: a remembered reply goes without it. */
  cookie?: string
}

/**
 * Whom a path needs: a client of the shop, by a session or a user token; a session alone, in the client's own browser;
 * a member of the staff; or a member who owns the shop.
 */
export type Needs = 'client' | 'session' | 'member' | 'owner'

type Shape = Record<string, TSchema>
type Values<S extends Shape> = { [K in keyof S]: Static<S[K]> }

interface Declaration<P extends Shape, Q extends TSchema, R extends TSchema> {
  /** What it does, in a few words for the reference. */
  summary: string
  description?: string
  /** The scope a credential needs, or several of them all; null leaves the path open to everybody. */
  scope: Scope | readonly Scope[] | null
  needs?: Needs
  params?: P
  query?: Q
  /** The shape of `data` in the envelope. */
  reply: R
  /** Codes it may refuse with, beyond those that every such path has. */
  refusals?: readonly RefusalCode[]
  /** Says in every reply that callers should move on: since when, until when, and where to. */
  deprecated?: { since: Date; sunset?: Date; successor?: string }
  /** Concerns what both environments share: it is done in live, by live's clock, wherever the caller acts. */
  platform?: true
  /** When the machine is overloaded, `first` is turned away first and `last` last. */
  shed?: 'first' | 'last'
}

type In<P extends Shape, Q extends TSchema> = Circumstances & { params: Values<P>; query: Static<Q> }

export interface ReadDeclaration<P extends Shape, Q extends TSchema, R extends TSchema> extends Declaration<
  P,
  Q,
  R
> {
  /** Lets replies be kept in memory until one of these facts is told. */
  forgetOn?: readonly EventType[]
  run(call: In<P, Q> & { read: Reader }): Promise<Answer<Static<R>>>
}

export interface WriteDeclaration<
  P extends Shape,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  Prepared = undefined,
> extends Declaration<P, Q, R> {
  body?: B
  /** Lets `If-Match` guard the write. */
  versioned?: true
  /** Answers 201. */
  creates?: true
  /** Fields of `data` that are shown once: a remembered reply has null in their place. */
  secrets?: readonly string[]
  /** Work that takes long, such as hashing a password, and must not keep a transaction waiting. Stands before `run`. */
  prepare?(call: In<P, Q> & { body: Static<B> }): Promise<Prepared>
  run(call: In<P, Q> & { tx: Tx; body: Static<B>; prepared: Prepared }): Promise<Answer<Static<R>>>
}

/** A body that is read as it comes, of any length. It takes no Idempotency-Key and no dry run. */
export interface UploadDeclaration<P extends Shape, Q extends TSchema, R extends TSchema> extends Declaration<
  P,
  Q,
  R
> {
  /** The media types of the body. */
  takes: readonly [string, ...string[]]
  /** Some of a body, for the reference. */
  example: string
  run(call: In<P, Q> & Upload): Promise<Answer<Static<R>>>
}

export interface Upload {
  /** Not one transaction: a long body is worked off in several, so the call opens them itself. */
  db: Database
  body: AsyncIterable<Uint8Array>
  /** The server is about to stop. */
  signal: AbortSignal
}

/** A reply that is sent as it is made, of any length, without the envelope. */
export interface DownloadDeclaration<P extends Shape, Q extends TSchema> extends Omit<
  Declaration<P, Q, TSchema>,
  'reply'
> {
  /** The media type of the reply. */
  gives: string
  example: string
  run(call: In<P, Q> & Download): AsyncIterable<string | Uint8Array>
}

export interface Download {
  db: Database
  /** The caller has hung up, or the server is about to stop. */
  signal: AbortSignal
  /** What a follower of a stream has seen last, as browsers say it when they come back. */
  lastEventId: string | undefined
}

/** A question put by POST: it changes nothing, takes fields that it does not know, and is answered without the envelope. */
export interface QuestionDeclaration<B extends TSchema, R extends TSchema> extends Declaration<
  {},
  TSchema,
  R
> {
  body: B
  /** How far the call has come (SPEC-1 9). */
  status?: 'in development' | 'stable' | 'deprecated'
  run(call: In<{}, TSchema> & { read: Reader; body: Static<B> }): Promise<BareAnswer<Static<R>>>
}

export type BareAnswer<Data> = (
  | { data: Data }
  /** The data as bytes, from somebody who has most of them ready. */
  | { json: Buffer }
) & { headers?: Record<string, string> }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A declared path with its types forgotten, as the server and the reference read it. */
export interface Route {
  method: Method
  path: string
  declared: Declaration<Shape, TSchema, TSchema> & {
    body?: TSchema
    forgetOn?: readonly EventType[]
    versioned?: true
    creates?: true
    secrets?: readonly string[]
    takes?: readonly [string, ...string[]]
    gives?: string
    isBare?: true
    isQuestion?: true
    status?: string
    example?: string
    prepare?(call: never): Promise<unknown>
    run(call: never): Promise<Answer<unknown>> | AsyncIterable<string | Uint8Array>
  }
}

/** All scopes that a path needs. */
export const scopesOf = ({ scope }: Pick<Route['declared'], 'scope'>): readonly Scope[] =>
  scope === null ? [] : typeof scope === 'string' ? [scope] : scope

export const get = <R extends TSchema, P extends Shape = {}, Q extends TSchema = TSchema>(
  path: string,
  declared: ReadDeclaration<P, Q, R>,
): Route => ({ method: 'GET', path, declared })

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
  ): Route => ({ method, path, declared })

export const post = write('POST')
export const ask = <B extends TSchema, R extends TSchema>(
  path: string,
  declared: QuestionDeclaration<B, R>,
): Route => ({ method: 'POST', path, declared: { ...declared, isBare: true } as Route['declared'] })
/** A question that is too long for an address: it changes nothing, and is answered in the envelope. */
export const inquire = <R extends TSchema, B extends TSchema>(
  path: string,
  declared: Declaration<{}, TSchema, R> & {
    body: B
    run(call: In<{}, TSchema> & { read: Reader; body: Static<B> }): Promise<Answer<Static<R>>>
  },
): Route => ({ method: 'POST', path, declared: { ...declared, isQuestion: true } as Route['declared'] })
export const put = write('PUT')
export const patch = write('PATCH')
export const del = write('DELETE')

export const upload = <R extends TSchema, P extends Shape = {}, Q extends TSchema = TSchema>(
  path: string,
  declared: UploadDeclaration<P, Q, R>,
): Route => ({ method: 'POST', path, declared })

export const download = <P extends Shape = {}, Q extends TSchema = TSchema>(
  path: string,
  declared: DownloadDeclaration<P, Q>,
): Route => ({ method: 'GET', path, declared: { ...declared, reply: Type.String() } })
