// The OpenAPI 3.1 document, generated from the declarations that the server runs.

import type {
  Components,
  ExtraPaths,
  OpenApi,
  Operation,
  Parameter,
  RecordedCall,
  Reference,
  ResponseObject,
  SentWebhooks,
  TagRow,
} from './openapi-document.ts'
import { descriptionOf } from './openapi-descriptions.ts'
import { errorSchemas } from './openapi-details.ts'
import { errorExample, errorSchema, metaExample, metaSchema } from './openapi-errors.ts'
import {
  completed,
  exampleOf,
  type JsonSchema,
  jsonSchemaOf,
  requestExampleOf,
  withReferences,
} from './openapi-example.ts'
import { operationId } from './operation-id.ts'
import { callHeaders, commonHeaders, replyHeaders } from './openapi-headers.ts'
import { refusals, type RefusalCode } from './refusals.ts'
import { bodyOf, isInBothRegions, type Route, scopesOf } from './route.ts'
import { idText } from './schema.ts'
import { scopes } from './scopes.ts'
import { isBodyRequired } from './validation.ts'

export type {
  ExampleNeed,
  ExtraPaths,
  OpenApi,
  Operation,
  Parameter,
  RecordedCall,
  Reference,
  ResponseObject,
  SentWebhooks,
  TagRow,
} from './openapi-document.ts'

/** Error codes of a route: those of its kind, and its own. Tests compare the server with this list. */
export function refusalCodesOf(route: Route): RefusalCode[] {
  const { method, declared } = route
  const isProtected = declared.scope !== null || declared.needs !== undefined
  const bodyCodes = [
    'invalid_json',
    'payload_too_large',
    'unsupported_media_type',
    'request_timeout',
  ] as const
  return [
    ...new Set<RefusalCode>([
      ...(route.kind === 'upload'
        ? (['invalid_json', 'unsupported_media_type', 'request_timeout'] as const)
        : []),
      // A write without fields reads a body that is sent nevertheless.
      ...(bodyOf(route) || route.kind === 'write' ? bodyCodes : []),
      'invalid_header',
      ...(route.kind === 'write' ? (['invalid_idempotency_key'] as const) : []),
      'unauthorized',
      ...(isProtected ? (['insufficient_permissions'] as const) : []),
      ...(isProtected && method !== 'GET' ? (['origin_mismatch'] as const) : []),
      'https_required',
      'not_found',
      'not_acceptable',
      'uri_too_long',
      'headers_too_large',
      ...(route.kind === 'write'
        ? (['idempotency_in_progress', 'idempotency_key_reused', 'unsupported_media_type'] as const)
        : []),
      ...(route.kind === 'write' && route.declared.versioned ? (['version_mismatch'] as const) : []),
      'validation_failed',
      ...(declared.refusals ?? []),
      'rate_limit_exceeded',
      'internal_error',
      'service_unavailable',
      'storage_unavailable',
    ]),
  ]
}

export interface OpenApiOptions {
  version: string
  origin: string
  /** The description of the whole API. */
  about: string
  tags: readonly TagRow[]
  extraPaths?: (origin: string) => ExtraPaths
  /** Without one an operation shows the simplest valid values. */
  examples?: Readonly<Record<string, RecordedCall>>
  sent?: SentWebhooks
}

export function openApi(routes: Route[], options: OpenApiOptions): OpenApi {
  const extra = options.extraPaths?.(options.origin)
  const schemes = ['apiKey', ...Object.keys(extra?.securitySchemes ?? {})]
  const paths: OpenApi['paths'] = {}
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemes, options)
  const used = new Set(routes.map((it) => tagOf(options.tags, it.path)))
  const tags = [...options.tags.filter((it) => used.has(it)), ...(extra ? [extra.tag] : [])]
  const named = tags.filter((it, at) => tags.findIndex((other) => other.name === it.name) === at)
  const groups = Map.groupBy(named, (it) => it.group)
  const schemas: Record<string, JsonSchema> = {}
  const withoutTitles = withReferences(paths, schemas)
  const components = componentsOf(routes, extra)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bozor API',
      version: options.version,
      description: options.about,
      license: { name: 'Proprietary', url: `${options.origin}/docs` },
      contact: { name: 'Documentation', url: `${options.origin}/docs` },
    },
    servers: [{ url: options.origin, description: 'Home region' }],
    tags: named.map(({ name, description }) => ({ name, description })),
    'x-tagGroups': [...groups].map(([name, its]) => ({ name, tags: its.map((it) => it.name) })),
    paths: { ...withoutTitles, ...(extra?.paths as OpenApi['paths'] | undefined) },
    webhooks: options.sent?.webhooks ?? {},
    components: {
      ...components,
      schemas: { ...components.schemas, ...schemas, ...options.sent?.schemas },
    },
  }
}

/** Two servers where a path exists in both regions; the others have the server of the document. */
const serversOf = (path: string, origin: string): Pick<Operation, 'servers'> =>
  isInBothRegions(path)
    ? {
        servers: [
          { url: origin, description: 'Home region' },
          { url: `${origin}/global`, description: 'Global region, preset' },
        ],
      }
    : {}

const tagOf = (tags: readonly TagRow[], path: string): TagRow =>
  tags.find(({ prefix }) => path.startsWith(prefix))!

/** Only components that some operation refers to: linters warn about unused ones. */
function componentsOf(routes: Route[], extra: ExtraPaths | undefined): Components {
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
      ...extra?.securitySchemes,
      clientSession: cookieScheme('bozor_session', 'The session of a client, from `/v1/auth/login`.'),
      memberSession: cookieScheme(
        'bozor_member',
        'The session of a member, from `/v1/admin/sessions`. The role determines the scopes.',
      ),
    },
    parameters: Object.fromEntries(parameters),
    headers: Object.fromEntries(Object.entries(replyHeaders).map(([key, [, header]]) => [key, header])),
    responses: Object.fromEntries(sets.map((it) => [it.join('.'), failureOf(it)])),
    examples: Object.fromEntries(codes.map((it) => [it, errorExample(it)])),
    schemas: { Meta: metaSchema, ...errorSchemas(), ErrorReply: errorSchema },
  }
}

function operationOf(
  route: Route,
  schemes: string[],
  { tags, origin, examples = {} }: OpenApiOptions,
): Operation {
  const { method, path, declared } = route
  const { summary } = declared
  const recorded = examples[operationId(method, path)]
  const failures = [...codesByStatus(route)].map(([status, codes]) => [
    String(status),
    reference('responses', codes.join('.')),
  ])
  return {
    operationId: operationId(method, path),
    tags: [tagOf(tags, path).name],
    summary,
    ...(declared.deprecated && { deprecated: true }),
    ...(route.kind === 'bare-query' &&
      route.declared.status !== undefined && { 'x-status': route.declared.status }),
    ...exampleNotes(route, recorded),
    description: descriptionOf(route),
    security: securityOf(declared, schemes),
    ...serversOf(path, origin),
    parameters: parametersOf(route, recorded),
    ...requestBodyOf(route, recorded),
    responses: { ...successOf(route, recorded), ...Object.fromEntries(failures) },
  }
}

/** What a reader of the example must know; usually it is sent with a key and needs nothing before it. */
function exampleNotes(route: Route, recorded: RecordedCall | undefined): Pick<Operation, 'x-example'> {
  const { credential, headers, needs } = recorded ?? {}
  const isUsual = credential === (securityOf(route.declared, ['apiKey']).length > 0 ? 'key' : undefined)
  const notes = {
    ...(credential && !isUsual && { credential }),
    ...(headers && { headers }),
    ...(needs && { needs }),
  }
  return Object.keys(notes).length > 0 ? { 'x-example': notes } : {}
}

const cookieScheme = (name: string, description: string) => ({
  type: 'apiKey',
  in: 'cookie',
  name: `__Host-${name}`,
  description: `${description} On plain HTTP the cookie is \`${name}\`. A write needs our own \`Origin\`, or \`X-CSRF-Token\`.`,
})

/** The credentials that a route accepts: all that can have its scope, or sessions of clients or members only. */
function securityOf(declared: Route['declared'], bearers: string[]): Record<string, string[]>[] {
  const scopes = [...scopesOf(declared)]
  const ways = {
    anyone: declared.scope ? [...bearers, 'memberSession'] : [],
    client: ['clientSession', ...bearers.filter((it) => it !== 'apiKey')],
    session: ['clientSession'],
    member: ['memberSession'],
    owner: ['memberSession'],
  }
  return ways[declared.needs ?? 'anyone'].map((it) => ({ [it]: scopes }))
}

function requestBodyOf(route: Route, recorded: RecordedCall | undefined): Pick<Operation, 'requestBody'> {
  if (route.kind === 'upload') {
    const { accepts } = route.declared
    const example = typeof recorded?.body === 'string' ? recorded.body : route.declared.example
    return { requestBody: { required: true, content: streamContent(accepts, example) } }
  }
  const body = bodyOf(route)
  if (!body) return {}
  const example = recorded?.body ?? requestExampleOf(jsonSchemaOf(body))
  const content = { schema: jsonSchemaOf(body), example }
  return { requestBody: { required: isBodyRequired(body), content: jsonContent(route, content) } }
}

const jsonContent = <Content>(route: Route, content: Content): Record<string, Content> => {
  const others = (route.kind === 'write' && route.declared.accepts) || []
  return Object.fromEntries(['application/json', ...others].map((type) => [type, content]))
}

/** Streamed content is described as text. */
const streamContent = (types: readonly string[], example: string) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' }, example }]))

const reference = (kind: keyof Components, name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

function parametersOf(route: Route, recorded: RecordedCall | undefined): (Parameter | Reference)[] {
  const query = route.declared.query ? jsonSchemaOf(route.declared.query) : {}
  const parameter = (name: string, where: string, schema: JsonSchema, required: boolean): Parameter => ({
    name,
    in: where,
    required,
    ...(schema.description !== undefined && { description: schema.description }),
    schema,
    ...exampleOfParameter(recorded?.[where === 'path' ? 'params' : 'query']?.[name], schema),
  })
  return [
    ...Object.entries(route.declared.params ?? {}).map(([name, it]) =>
      parameter(name, 'path', inPath(route.path, jsonSchemaOf(it)), true),
    ),
    ...Object.entries(query.properties ?? {}).map(([name, it]) =>
      parameter(name, 'query', it, query.required?.includes(name) ?? false),
    ),
    ...headerNames(route).map((name) => reference('parameters', name)),
  ]
}

/** Replies of `/v1` write ids as strings, so a path accepts them as strings too; on the wire both are the same. */
const inPath = (path: string, schema: JsonSchema): JsonSchema =>
  schema.type === 'integer' && path.startsWith('/v1/')
    ? { ...schema, type: ['integer', 'string'], pattern: jsonSchemaOf(idText).pattern! }
    : schema

/** A recorded value is text; numbers and flags get their type back. */
function exampleOfParameter(value: string | undefined, schema: JsonSchema): Pick<Parameter, 'example'> {
  if (value === undefined) return {}
  const typed = (text: string, { type }: JsonSchema): unknown =>
    [type].flat().includes('string') ? text : JSON.parse(text)
  const { type, items = {} } = schema
  return { example: type === 'array' ? value.split(',').map((it) => typed(it, items)) : typed(value, schema) }
}

const headerNames = (route: Route): string[] => [
  ...(route.kind === 'read' ? ['IfNoneMatch'] : []),
  ...(route.kind === 'write'
    ? ['IdempotencyKey', 'Prefer', ...(route.declared.versioned ? ['IfMatch'] : [])]
    : []),
  ...(route.kind === 'download' && route.declared.produces === 'text/event-stream' ? ['LastEventId'] : []),
  ...Object.keys(commonHeaders),
]

function successOf(route: Route, recorded: RecordedCall | undefined): Record<string, ResponseObject> {
  const { declared } = route
  const description = declared.summary
  const data = jsonSchemaOf(declared.reply)
  const example = recorded ? completed(data, recorded.reply) : exampleOf(data)
  const schema: JsonSchema = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    properties: { success: { type: 'boolean', const: true }, data, meta: reference('schemas', 'Meta') },
  }
  const content = {
    'application/json': {
      schema,
      example: { success: true, data: example, meta: metaExample },
    },
  }
  const always = ['RequestId', 'RateLimit', 'RateLimitPolicy'] as const
  switch (route.kind) {
    case 'read':
      return {
        '200': { description, headers: headersNamed([...always, 'ETag']), content },
        '304': { description: 'The copy that you have is still current.' },
      }
    case 'write': {
      const headers = headersNamed([...always, 'ETag', 'IdempotentReplayed', 'PreferenceApplied'])
      const statuses = { sometimes: ['200', '201'], always: ['201'], never: ['200'] }
      const { creates } = route.declared
      const kind = creates === 'sometimes' ? creates : creates ? 'always' : 'never'
      return Object.fromEntries(statuses[kind].map((it) => [it, { description, headers, content }]))
    }
    case 'bare-query': {
      const bare = { 'application/json': { schema: data, example } }
      return { '200': { description, headers: headersNamed([...always, 'RecommendationId']), content: bare } }
    }
    case 'query':
    case 'upload':
      return { '200': { description, headers: headersNamed([...always]), content } }
    case 'download': {
      const { produces } = route.declared
      const text = typeof recorded?.reply === 'string' ? recorded.reply : route.declared.example
      const headers = headersNamed([...always])
      return { '200': { description, headers, content: streamContent([produces], text) } }
    }
  }
}

const headersNamed = (names: (keyof typeof replyHeaders)[]): Record<string, Reference> =>
  Object.fromEntries(names.map((it) => [replyHeaders[it][0], reference('headers', it)]))

function codesByStatus(route: Route): Map<number, RefusalCode[]> {
  return Map.groupBy(refusalCodesOf(route), (it) => refusals[it].status)
}

/** One component for each set of codes with the same status; the codes are its name. */
const failureOf = (codes: RefusalCode[]): ResponseObject => ({
  description: codes.map((it) => `\`${it}\`: ${refusals[it].en}`).join(' '),
  headers: headersNamed([
    'RequestId',
    ...([429, 503].includes(refusals[codes[0]!].status) ? (['RetryAfter'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: reference('schemas', 'ErrorReply'),
      examples: Object.fromEntries(codes.map((it) => [it, reference('examples', it)])),
    },
  },
})
