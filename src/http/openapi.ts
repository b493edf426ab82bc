// The OpenAPI 3.1 document, made from the tables that the server runs by: what is written here is what happens.

import type { TSchema } from 'typebox'
import { refusals, type RefusalCode } from './refusals.ts'
import type { Route } from './route.ts'
import { scopes } from './scopes.ts'

type Json = Record<string, unknown>

export interface OpenApi extends Json {
  info: { title: string; version: string; description: string; license: Json }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

export interface Operation extends Json {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters: Json[]
  responses: Record<string, Json>
}

/** Codes that a path may refuse with: those of its kind, and its own. Tests hold the server to this list. */
export function refusalsOf({ method, declared }: Route): RefusalCode[] {
  const writes = method !== 'GET'
  return [
    ...new Set<RefusalCode>([
      ...(declared.body
        ? (['invalid_json', 'payload_too_large', 'unsupported_media_type', 'request_timeout'] as const)
        : []),
      'invalid_header',
      ...(writes ? (['invalid_idempotency_key'] as const) : []),
      'unauthorized',
      ...(declared.scope ? (['insufficient_permissions'] as const) : []),
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

export function openApi(routes: Route[], options: { version: string; origin: string }): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route)
  const used = new Set(routes.map((it) => tagOf(it.path)))
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
      { url: `${options.origin}/global`, description: 'Global region' },
    ],
    tags: tags.filter((it) => used.has(it.name)).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key, \`ak_test_…\` or \`ak_live_…\`: its prefix picks the environment. Scopes: ${scopes.join(', ')}.`,
        },
      },
      parameters: Object.fromEntries(Object.entries(headerParameters).map(([name, it]) => [name, it])),
      schemas: { Meta: metaSchema, Error: errorSchema },
    },
  }
}

const about = `One API for a shop: catalog, carts, orders, marketing and recommendations.

Every reply is an envelope: \`success\`, \`data\` and \`meta\`, or \`error\` and \`meta\`. Error codes never change; messages follow \`Accept-Language\` (ru, uz, en). Every write takes an \`Idempotency-Key\`: the same key and the same request give the same bytes for 24 hours. \`Prefer: dry-run\` tries a write and changes nothing. Lists have pages and cursors. Money is an integer count of tiyin (1 sum = 100 tiyin); instants are UTC.`

const tags = [
  { prefix: '/v1/catalog', name: 'Catalog', description: 'Categories and brands, and what they hold.' },
  {
    prefix: '/v1/admin',
    name: 'Administration',
    description: 'Applications, keys, jobs and failed reactions.',
  },
  { prefix: '/v1/test', name: 'Test environment', description: 'The clock that test keys can move.' },
]
const tagOf = (path: string) => tags.find((it) => path.startsWith(it.prefix))?.name ?? 'Other'

function operationOf(route: Route): Operation {
  const { method, path, declared } = route
  return {
    operationId: operationIdOf(method, path),
    tags: [tagOf(path)],
    summary: declared.summary,
    ...(declared.description && { description: declared.description }),
    security: declared.scope ? [{ apiKey: [declared.scope] }] : [],
    parameters: parametersOf(route),
    ...(declared.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: declared.body, example: exampleOf(declared.body) } },
      },
    }),
    responses: { ...successOf(route), ...failuresOf(route) },
  }
}

const operationIdOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .replace(/^\/v1/, '')
    .split(/[/{}_.-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')

function parametersOf({ method, declared }: Route): Json[] {
  const query = (declared.query ?? {}) as { properties?: Record<string, TSchema>; required?: string[] }
  const inPath = Object.entries(declared.params ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }))
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    schema,
    ...('description' in schema && { description: schema.description }),
  }))
  const common = [
    'RequestId',
    'ApiVersion',
    'ClientName',
    'ClientVersion',
    'ServiceRegion',
    'Language',
    'Currency',
    'Timezone',
  ]
  const own =
    method === 'GET'
      ? ['IfNoneMatch']
      : ['IdempotencyKey', 'Prefer', ...(declared.versioned ? ['IfMatch'] : [])]
  return [
    ...inPath,
    ...inQuery,
    ...[...own, ...common].map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

const header = (name: string, description: string, schema: Json) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})
const word = { type: 'string' }

const headerParameters: Record<string, Json> = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'Names this write. Sent again, it gives the same reply and does nothing twice.',
    { ...word, minLength: 1, maxLength: 255 },
  ),
  Prefer: header('Prefer', '`dry-run` does everything, undoes it, and answers as if.', {
    ...word,
    examples: ['dry-run'],
  }),
  IfMatch: header('If-Match', 'The `ETag` that you read; 412 when somebody has changed it since.', {
    ...word,
    examples: ['"3-ru"'],
  }),
  IfNoneMatch: header('If-None-Match', 'The `ETag` that you hold; 304 while it is still right.', word),
  RequestId: header('X-Request-ID', 'Your name for this request; echoed.', {
    ...word,
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  ApiVersion: header('X-API-Version', 'The version that you were written for.', { ...word, enum: ['v1'] }),
  ClientName: header('X-Client-Name', 'Your name, for logs.', { ...word, maxLength: 200 }),
  ClientVersion: header('X-Client-Version', 'Your version, for logs.', { ...word, maxLength: 200 }),
  ServiceRegion: header('X-Service-Region', 'The region you serve.', { ...word, enum: ['home', 'global'] }),
  Language: header('Accept-Language', 'ru, uz or en.', { ...word, examples: ['uz'] }),
  Currency: header('X-Currency', 'The currency in which prices are shown.', {
    ...word,
    pattern: '^[A-Z]{3}$',
  }),
  Timezone: header('X-Timezone', 'What "today" means in filters and reports.', {
    ...word,
    examples: ['Asia/Tashkent'],
  }),
}

const metaExample = {
  request_id: '6b1f0c3e-6a53-4a53-9d1a-1f4f0a1c2b3d',
  timestamp: '2026-11-01T09:00:00.000Z',
  api_version: 'v1',
}

const metaSchema = {
  type: 'object',
  required: ['request_id', 'timestamp', 'api_version'],
  properties: {
    request_id: word,
    timestamp: { ...word, format: 'date-time' },
    api_version: { ...word, const: 'v1' },
  },
}

const errorSchema = {
  type: 'object',
  required: ['error', 'meta'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'type', 'details'],
      properties: {
        code: { ...word, enum: Object.keys(refusals) },
        message: word,
        type: word,
        details: { type: 'object' },
      },
    },
    meta: { $ref: '#/components/schemas/Meta' },
  },
}

function successOf({ method, declared }: Route): Record<string, Json> {
  const status = declared.creates ? '201' : '200'
  const schema = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    properties: {
      success: { type: 'boolean', const: true },
      data: declared.reply,
      meta: { $ref: '#/components/schemas/Meta' },
    },
  }
  const example = { success: true, data: exampleOf(declared.reply), meta: metaExample }
  return {
    [status]: {
      description: declared.summary,
      headers: replyHeaders,
      content: { 'application/json': { schema, example } },
    },
    ...(method === 'GET' && { '304': { description: 'What you hold is still right.' } }),
  }
}

const replyHeaders = {
  'X-Request-ID': { description: 'Your request id, or ours.', schema: word },
  RateLimit: { description: 'What is left of the limit, and for how long.', schema: word },
  'RateLimit-Policy': { description: 'The limit and its window.', schema: word },
}

function failuresOf(route: Route): Record<string, Json> {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of refusalsOf(route)) {
    const { status } = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((it) => `\`${it}\`: ${refusals[it].en}`).join(' '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(codes.map((it) => [it, { value: errorExample(it, route) }])),
          },
        },
      },
    ]),
  )
}

const detailExamples: Partial<Record<RefusalCode, (route: Route) => Json>> = {
  unauthorized: () => ({ reason: 'token_expired', expires_at: '2026-11-01T09:00:00.000Z' }),
  insufficient_permissions: ({ declared }) => ({
    required_scopes: [declared.scope],
    current_scopes: ['cart:read'],
  }),
  rate_limit_exceeded: () => ({
    retry_after: 12,
    limit: 1000,
    remaining: 0,
    reset_at: '2026-11-01T09:00:12.000Z',
  }),
  validation_failed: () => ({ fields: [{ path: 'name', rule: 'required', message: 'is required' }] }),
  version_mismatch: () => ({ current: 4, sent: 3 }),
  conflict: () => ({ field: 'slug', value: 'phones', reason: 'taken' }),
  invalid_header: () => ({ header: 'X-Timezone' }),
  invalid_json: () => ({ reason: 'syntax' }),
  service_unavailable: () => ({ retry_after: 1 }),
  storage_unavailable: () => ({ retry_after: 2 }),
}

const errorExample = (code: RefusalCode, route: Route): Json => ({
  error: {
    code,
    message: refusals[code].en,
    type: refusals[code].type,
    details: detailExamples[code]?.(route) ?? {},
  },
  meta: metaExample,
})

/** A value of the shape: its own example where it has one, else the plainest that fits. */
export function exampleOf(schema: TSchema): unknown {
  const it = schema as unknown as {
    examples?: unknown[]
    default?: unknown
    enum?: unknown[]
    const?: unknown
    type?: string | string[]
    properties?: Record<string, TSchema>
    items?: TSchema
    minimum?: number
    format?: string
  }
  const given = it.examples?.[0] ?? it.default ?? it.const ?? it.enum?.[0]
  if (given !== undefined) return given
  const type = Array.isArray(it.type) ? it.type[0] : it.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(it.properties ?? {}).map(([name, part]) => [name, exampleOf(part)]),
    )
  if (type === 'array') return it.items ? [exampleOf(it.items)] : []
  if (type === 'integer' || type === 'number') return it.minimum ?? 1
  if (type === 'boolean') return false
  return 'text'
}
