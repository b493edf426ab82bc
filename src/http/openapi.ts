// The OpenAPI 3.1 document, made from the tables that the server runs by: what is written here is what happens.

import { apiVersion } from './envelope.ts'
import { exampleOf, requestExampleOf, type Shape, shapeOf } from './openapi-example.ts'
import { callHeaders, commonHeaders, replyHeaders } from './openapi-headers.ts'
import { withReferences } from './openapi-schemas.ts'
import { tagOf, tagsOf } from './openapi-tags.ts'
import { refusals, type RefusalCode } from './refusals.ts'
import { type Route, scopesOf } from './route.ts'
import { scopes } from './scopes.ts'
import { isNeeded } from './validation.ts'

type Json = Record<string, unknown>

export interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string; license: Json }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  components: Components
}

interface Components {
  securitySchemes: Json
  parameters: Record<string, Parameter>
  headers: Json
  responses: Record<string, Reply>
  examples: Record<string, { summary: string; value: unknown }>
  schemas: Record<string, Shape>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  deprecated?: boolean
  /** How far the call has come (SPEC-1 9). */
  'x-status'?: string
  description?: string
  security: Record<string, string[]>[]
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Record<string, { schema: Shape; example: unknown }> }
  responses: Record<string, Reply | Reference>
}

export interface Reference {
  $ref: string
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Shape
}

export interface Reply {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, { schema: Shape; example?: unknown; examples?: Record<string, Reference> }>
}

/** Paths that keep to another protocol than ours and say themselves what they are. */
export interface Beside {
  tag: { group: string; name: string; description: string }
  paths: Record<string, Record<string, object>>
  securitySchemes: Record<string, object>
}

/** Codes that a path may refuse with: those of its kind, and its own. Tests hold the server to this list. */
export function refusalsOf({ method, declared }: Route): RefusalCode[] {
  const writes = method !== 'GET' && !declared.takes && !declared.isBare && !declared.isQuestion
  return [
    ...new Set<RefusalCode>([
      ...(declared.takes ? (['invalid_json', 'unsupported_media_type', 'request_timeout'] as const) : []),
      ...(declared.body
        ? (['invalid_json', 'payload_too_large', 'unsupported_media_type', 'request_timeout'] as const)
        : []),
      'invalid_header',
      ...(writes ? (['invalid_idempotency_key'] as const) : []),
      'unauthorized',
      ...(declared.scope || declared.needs ? (['insufficient_permissions'] as const) : []),
      ...(method !== 'GET' && (declared.scope || declared.needs) ? (['origin_mismatch'] as const) : []),
      'not_found',
      'not_acceptable',
      'uri_too_long',
      ...(writes
        ? (['idempotency_in_progress', 'idempotency_key_reused', 'unsupported_media_type'] as const)
        : []),
      ...(declared.versioned ? (['version_mismatch'] as const) : []),
      'validation_failed',
      ...(declared.refusals ?? []),
      'rate_limit_exceeded',
      'service_unavailable',
      'storage_unavailable',
    ]),
  ]
}

export function openApi(
  routes: Route[],
  options: { version: string; origin: string; beside?: (origin: string) => Beside },
): OpenApi {
  const beside = options.beside?.(options.origin)
  const schemes = ['apiKey', ...Object.keys(beside?.securitySchemes ?? {})]
  const paths: OpenApi['paths'] = {}
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemes)
  const tags = [...tagsOf(routes.map((it) => it.path)), ...(beside ? [beside.tag] : [])]
  const groups = Map.groupBy(tags, (it) => it.group)
  const schemas: Record<string, Shape> = {}
  const referring = withReferences(paths, schemas)
  const components = componentsOf(routes, beside)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bozor API',
      version: options.version,
      description: about,
      license: { name: 'Proprietary', url: `${options.origin}/docs` },
    },
    servers: [
      { url: options.origin, description: 'Home region' },
      { url: `${options.origin}/global`, description: 'Global region: the same `/v1`, region preset' },
    ],
    tags: tags.map(({ name, description }) => ({ name, description })),
    'x-tagGroups': [...groups].map(([name, its]) => ({ name, tags: its.map((it) => it.name) })),
    paths: { ...referring, ...(beside?.paths as OpenApi['paths'] | undefined) },
    components: { ...components, schemas: { ...components.schemas, ...schemas } },
  }
}

const about = `One API for a shop: catalog, carts, orders, marketing and recommendations.

Every reply is an envelope: \`success\`, \`data\` and \`meta\`, or \`error\` and \`meta\`. Error codes never change; messages follow \`Accept-Language\` (ru, uz, en). Every write takes an \`Idempotency-Key\`: the same key and the same request give the same bytes for 24 hours. \`Prefer: dry-run\` tries a write and changes nothing. Lists have pages and cursors. Money is an integer count of tiyin (1 sum = 100 tiyin); instants are UTC.`

/** Only what some operation refers to: a component without a use is a warning to every reader of the document. */
function componentsOf(routes: Route[], beside: Beside | undefined): Components {
  const sets = routes.flatMap((it) => [...codesByStatus(it).values()])
  const codes = [...new Set(sets.flat())]
  const used = new Set(routes.flatMap(headerNames))
  const parameters = Object.entries({ ...callHeaders, ...commonHeaders }).filter(([name]) => used.has(name))
  return {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key, \`ak_test_…\` or \`ak_live_…\`: its prefix picks the environment. Scopes: ${scopes.join(', ')}.`,
      },
      ...beside?.securitySchemes,
      clientSession: cookieScheme('bozor_session', 'A buyer who has signed in at `/v1/auth/login`.'),
      memberSession: cookieScheme(
        'bozor_member',
        'A member who has signed in at `/v1/admin/sessions`; his role gives the scopes.',
      ),
    },
    parameters: Object.fromEntries(parameters),
    headers: Object.fromEntries(Object.entries(replyHeaders).map(([key, [, header]]) => [key, header])),
    responses: Object.fromEntries(sets.map((it) => [it.join('.'), failureOf(it)])),
    examples: Object.fromEntries(codes.map((it) => [it, errorExample(it)])),
    schemas: { Meta: metaSchema, Error: errorSchema },
  }
}

function operationOf(route: Route, schemes: string[]): Operation {
  const { method, path, declared } = route
  const { summary, description } = declared
  const failures = [...codesByStatus(route)].map(([status, codes]) => [
    String(status),
    reference('responses', codes.join('.')),
  ])
  return {
    operationId: operationIdOf(method, path),
    tags: [tagOf(path)],
    summary,
    ...(declared.deprecated && { deprecated: true }),
    ...(declared.status !== undefined && { 'x-status': declared.status }),
    ...(description !== undefined && { description }),
    security: waysIn(declared, schemes),
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: { ...successOf(route), ...Object.fromEntries(failures) },
  }
}

const cookieScheme = (name: string, description: string) => ({
  type: 'apiKey',
  in: 'cookie',
  name: `__Host-${name}`,
  description: `${description} On plain HTTP the cookie is \`${name}\`. A write needs our own \`Origin\`, or \`X-CSRF-Token\`.`,
})

/** The credentials that open a path: any that can hold its scope, or those of the people it is for. */
function waysIn(declared: Route['declared'], bearers: string[]): Record<string, string[]>[] {
  const scopes = [...scopesOf(declared)]
  const ways = {
    everybody: declared.scope ? [...bearers, 'memberSession'] : [],
    client: ['clientSession', ...bearers.filter((it) => it !== 'apiKey')],
    session: ['clientSession'],
    member: ['memberSession'],
    owner: ['memberSession'],
  }
  return ways[declared.needs ?? 'everybody'].map((it) => ({ [it]: scopes }))
}

function requestBodyOf({ declared: { body, takes, example } }: Route): Pick<Operation, 'requestBody'> {
  if (takes) return { requestBody: { required: true, content: streamOf(takes, example) } }
  if (!body) return {}
  const content = { schema: shapeOf(body), example: requestExampleOf(shapeOf(body)) }
  return { requestBody: { required: isNeeded(body), content: { 'application/json': content } } }
}

/** What passes through as it comes is text to a reader of the document. */
const streamOf = (types: readonly string[], example: string | undefined) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' }, example: example ?? '' }]))

const reference = (kind: keyof Components, name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

const operationIdOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .replace(/^\/v1/, '')
    .split(/[/{}_.-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')

function parametersOf(route: Route): (Parameter | Reference)[] {
  const query = route.declared.query ? shapeOf(route.declared.query) : {}
  const parameter = (name: string, where: string, schema: Shape, required: boolean): Parameter => ({
    name,
    in: where,
    required,
    ...(schema.description !== undefined && { description: schema.description }),
    schema,
  })
  return [
    ...Object.entries(route.declared.params ?? {}).map(([name, it]) =>
      parameter(name, 'path', shapeOf(it), true),
    ),
    ...Object.entries(query.properties ?? {}).map(([name, it]) =>
      parameter(name, 'query', it, query.required?.includes(name) ?? false),
    ),
    ...headerNames(route).map((name) => reference('parameters', name)),
  ]
}

const headerNames = ({ method, declared }: Route): string[] => [
  ...(declared.takes || declared.gives || declared.isBare || declared.isQuestion
    ? []
    : method === 'GET'
      ? ['IfNoneMatch']
      : ['IdempotencyKey', 'Prefer', ...(declared.versioned ? ['IfMatch'] : [])]),
  ...Object.keys(commonHeaders),
]

function successOf({ method, declared }: Route): Record<string, Reply> {
  const data = shapeOf(declared.reply)
  const schema: Shape = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    properties: { success: { type: 'boolean', const: true }, data, meta: reference('schemas', 'Meta') },
  }
  const example = { success: true, data: exampleOf(data), meta: metaExample }
  const always = ['RequestId', 'RateLimit', 'RateLimitPolicy'] as const
  const headers = headersNamed([...always, 'ETag', ...(method === 'GET' ? [] : ofWrites)])
  const { gives, takes, isBare, isQuestion } = declared
  if (isBare)
    return {
      '200': {
        description: declared.summary,
        headers: headersNamed([...always, 'RecommendationId']),
        content: { 'application/json': { schema: data, example: exampleOf(data) } },
      },
    }
  if (gives || takes || isQuestion)
    return {
      '200': {
        description: declared.summary,
        headers: headersNamed([...always]),
        content: gives ? streamOf([gives], declared.example) : { 'application/json': { schema, example } },
      },
    }
  return {
    [declared.creates ? '201' : '200']: {
      description: declared.summary,
      headers,
      content: { 'application/json': { schema, example } },
    },
    ...(method === 'GET' && { '304': { description: 'What you hold is still right.' } }),
  }
}

const ofWrites = ['IdempotentReplayed', 'PreferenceApplied'] as const

const headersNamed = (names: (keyof typeof replyHeaders)[]): Record<string, Reference> =>
  Object.fromEntries(names.map((it) => [replyHeaders[it][0], reference('headers', it)]))

function codesByStatus(route: Route): Map<number, RefusalCode[]> {
  return Map.groupBy(refusalsOf(route), (it) => refusals[it].status)
}

/** One component for each set of codes that share a status; its name is the codes. */
const failureOf = (codes: RefusalCode[]): Reply => ({
  description: codes.map((it) => `\`${it}\`: ${refusals[it].en}`).join(' '),
  headers: headersNamed([
    'RequestId',
    ...([429, 503].includes(refusals[codes[0]!].status) ? (['RetryAfter'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: reference('schemas', 'Error'),
      examples: Object.fromEntries(codes.map((it) => [it, reference('examples', it)])),
    },
  },
})

const errorExample = (code: RefusalCode) => ({
  summary: refusals[code].en,
  value: {
    error: {
      code,
      message: refusals[code].en,
      type: refusals[code].type,
      details: detailExamples[code] ?? {},
    },
    meta: metaExample,
  },
})

const detailExamples: Partial<Record<RefusalCode, Json>> = {
  unauthorized: { reason: 'token_expired', expires_at: '2026-11-01T09:00:00.000Z' },
  insufficient_permissions: { required_scopes: ['catalog:write'], current_scopes: ['catalog:read'] },
  rate_limit_exceeded: { retry_after: 12, limit: 1000, remaining: 0, reset_at: '2026-11-01T09:00:12.000Z' },
  validation_failed: { fields: [{ path: 'name', rule: 'required', message: 'is required' }] },
  version_mismatch: { current: 4, sent: 3 },
  conflict: { field: 'slug', value: 'phones', reason: 'taken' },
  invalid_header: { header: 'X-Timezone' },
  invalid_json: { reason: 'syntax' },
  idempotency_in_progress: { retry_after: 1 },
  idempotency_key_reused: { key: 'order-7712-attempt' },
  service_unavailable: { retry_after: 1 },
  storage_unavailable: { retry_after: 2 },
}

const metaExample = {
  request_id: '6b1f0c3e-6a53-4a53-9d1a-1f4f0a1c2b3d',
  timestamp: '2026-11-01T09:00:00.000Z',
  api_version: apiVersion,
}

const word: Shape = { type: 'string' }

const metaSchema: Shape = {
  type: 'object',
  required: ['request_id', 'timestamp', 'api_version'],
  properties: {
    request_id: { ...word, description: 'Your `X-Request-ID`, or ours. Tell it when you ask for help.' },
    timestamp: { ...word, format: 'date-time', description: 'When the reply was made, by the shop’s clock.' },
    api_version: { ...word, const: apiVersion },
  },
}

const errorSchema: Shape = {
  type: 'object',
  required: ['error', 'meta'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'type', 'details'],
      properties: {
        code: {
          ...word,
          enum: Object.keys(refusals),
          description: 'What programs decide by. It never changes.',
        },
        message: { ...word, description: 'What people read, in their language.' },
        type: { ...word, enum: [...new Set(Object.values(refusals).map((it) => it.type))] },
        details: { type: 'object', description: 'What and where; the fields depend on the code.' },
      },
    },
    meta: { $ref: '#/components/schemas/Meta' },
  },
}
