// Calls a route of the platform inside a command: the same validation, use case and view as over HTTP, without a server.

import { type TSchema, Type } from 'typebox'
import type { App } from '../app.ts'
import type { Environment } from '../base/database.ts'
import { uzs } from '../base/money.ts'
import { secretUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { withIdOf } from '../http/not-found.ts'
import { jsonOf, type Principal, type RequestContext, type Route } from '../http/route.ts'
import { scopes } from '../http/scopes.ts'
import { checker, decodedQuery } from '../http/validation.ts'
import { audited } from './storage.ts'

export interface RouteCall {
  /** Method and path as declared, such as `GET /v1/orders/{id}`. */
  route: string
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** The person at the machine may do what a server application with every scope may. */
const operator = (environment: Environment): Principal => ({
  id: 'command line',
  environment,
  actor: { kind: 'application' },
  application: { id: 'command line', type: 'server' },
  scopes: new Set(scopes),
  rate: undefined,
})

/** Runs the route and returns its data. Refusals are thrown. */
export async function callRoute(
  app: Pick<App, 'routes' | 'shops'>,
  { environment, timezone }: { environment: Environment; timezone: string },
  call: RouteCall,
): Promise<unknown> {
  const route = app.routes.find((it) => `${it.method} ${it.path}` === call.route)
  if (!route) throw new Error(`there is no route ${call.route}`)
  return run(app, route, { environment, timezone, call }).catch((error: unknown) => {
    throw withIdOf(error, route.path, call.params ?? {})
  })
}

async function run(
  app: Pick<App, 'shops'>,
  route: Route,
  { environment, timezone, call }: { environment: Environment; timezone: string; call: RouteCall },
): Promise<unknown> {
  const input = { ...contextOf(environment, timezone), ...checkedInput(route, call) }
  const { db } = app.shops[environment]
  if (route.kind === 'read')
    return JSON.parse(String(jsonOf(await route.declared.run({ ...input, read: db.read() }))))
  if (route.kind !== 'write') throw new Error(`${call.route} is a stream`)
  const sent = { ...input, body: call.body ?? {} }
  const prepared = await route.declared.prepare?.(sent)
  const reply = await audited(db, `call ${call.route}`, (tx) => route.declared.run({ ...sent, prepared, tx }))
  return reply.data
}

function contextOf(environment: Environment, timezone: string): RequestContext {
  return {
    environment,
    principal: operator(environment),
    requestId: secretUuid(),
    language: 'en',
    currency: uzs,
    region: 'home',
    timezone,
    origin: '',
    ifMatch: undefined,
    ip: '127.0.0.1',
    userAgent: 'bozor command line',
    rawRequest: { headers: {}, bytes: undefined },
  }
}

function checkedInput(route: Route, { params = {}, query = {}, body }: RouteCall) {
  const { declared } = route
  const compile = checker()
  const check = (schema: TSchema, value: unknown) => compile(schema)(value)
  const paramsSchema = Type.Object(declared.params ?? {})
  const decodedParams = decodedQuery(paramsSchema, params)
  try {
    check(paramsSchema, decodedParams)
  } catch {
    throw refuse('not_found')
  }
  const querySchema = declared.query ?? Type.Object({}, { additionalProperties: false })
  const decoded = decodedQuery(querySchema, query)
  check(querySchema, decoded)
  if (route.kind === 'write' && route.declared.body) check(route.declared.body, body ?? {})
  return { params: decodedParams, query: decoded }
}
