// The schemas of the OpenAPI document: what occurs twice has a name, instants have their format, servers are exact.

import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { events } from '../../src/events.ts'
import type { JsonSchema } from '../../src/http/openapi-example.ts'
import type { OpenApi } from '../../src/http/openapi.ts'
import { refusals } from '../../src/http/refusals.ts'

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as OpenApi

/** Smaller objects are read faster in place than behind a name. */
const namedFrom = 4

interface Place {
  schema: JsonSchema
  where: string
}

/** Every schema that has no name, with its place. Bodies and `data` belong to their operation. */
function* anonymousSchemas(value: unknown, where: string, isNamed = false): Generator<Place> {
  if (value === null || typeof value !== 'object') return
  const isOwn = /(schema|schema\/properties\/data|Event\/properties\/data|Error\/properties\/details)$/.test(
    where,
  )
  if (!isNamed && !isOwn && !Array.isArray(value)) yield { schema: value as JsonSchema, where }
  for (const [name, part] of Object.entries(value))
    if (name !== 'example' && name !== 'examples')
      yield* anonymousSchemas(part, `${where}/${name}`, where.endsWith('components/schemas'))
}

const anonymous = [
  ...anonymousSchemas(document.paths, ''),
  ...anonymousSchemas(document.components, '/components'),
]

test('an object that occurs twice is a named schema', () => {
  const objects = anonymous.filter(({ schema }) => Object.keys(schema.properties ?? {}).length >= namedFrom)
  const shapeOf = ({ schema: { description: _description, type: _type, ...shape } }: Place) =>
    JSON.stringify(shape)
  const repeated = [...Map.groupBy(objects, shapeOf).values()].filter((it) => it.length > 1)
  deepEqual(
    repeated.map(
      (it) => `${it.length} × ${it[0]!.where}: ${Object.keys(it[0]!.schema.properties!).join(', ')}`,
    ),
    [],
    'give it a name with named() in its declaration',
  )
})

test('a union of several types has a name', () => {
  const unions = anonymous.filter(({ schema }) => {
    const parts = schema.anyOf ?? schema.oneOf
    return Array.isArray(parts) && parts.filter((it) => it.type !== 'null').length > 1
  })
  deepEqual(
    unions.map((it) => it.where),
    [],
  )
})

test('a property whose name ends with _at is an instant', () => {
  const isInstant = ({ $ref, format, anyOf = [] }: JsonSchema): boolean =>
    $ref !== undefined || format === 'date-time' || anyOf.some(isInstant)
  const all = [
    ...anonymous,
    ...Object.entries(document.components.schemas).map(([where, schema]) => ({ schema, where })),
  ]
  const faults = all.flatMap(({ schema, where }) =>
    Object.entries(schema.properties ?? {})
      .filter(([name, it]) => /(_a|[a-z]A)t$/.test(name) && typeof it === 'object' && !isInstant(it))
      .map(([name]) => `${where}: ${name}`),
  )
  deepEqual(faults, [])
})

test('an instant that a request accepts has the pattern of instants', () => {
  const seen = new Set<string>()
  /** The instants of a part of the document and of the components that it leads to. */
  function* instantsIn(part: unknown, where: string): Generator<Place> {
    yield* [...textSchemas(part, where)].filter((it) => it.schema.format === 'date-time')
    for (const [ref] of JSON.stringify(part).matchAll(/(?<="\$ref":"#\/)[^"]+/g))
      if (!seen.has(ref)) yield* instantsIn(componentAt(seen.add(ref) && ref), ref)
  }
  const accepted = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters, requestBody = {} }) => [
      ...instantsIn([parameters, requestBody], path),
    ]),
  )
  equal(accepted.length > 0, true)
  deepEqual(
    accepted.filter((it) => !it.schema.pattern).map((it) => it.where),
    [],
    'declare it with instantText in place of instant',
  )
})

const componentAt = (ref: string): unknown =>
  ref.split('/').reduce<unknown>((it, name) => (it as Record<string, unknown>)[name], document)

test('the examples of OAuth have only fields that the document describes', () => {
  const operations = Object.entries(document.paths).filter(([path]) => /oauth/.test(path))
  equal(operations.length, 5)
  for (const [path, methods] of operations)
    for (const { responses } of Object.values(methods)) {
      const reply = (responses['200'] ?? {}) as {
        content?: Record<string, { schema: JsonSchema; example?: object }>
      }
      const { schema, example = {} } = reply.content?.['application/json'] ?? { schema: {} }
      const described = Object.keys(schema.properties ?? {})
      deepEqual(
        Object.keys(example).filter((it) => !described.includes(it)),
        [],
        path,
      )
    }
})

/** Values that a client may extend: any other value is accepted and has a meaning. */
const openValues = /any letter case|takes precedence|as a wildcard|kept for older programs/

test('a text whose description lists its values is an enum', () => {
  const lists = /^(For example |One of )?`[a-z_]+`((,|,? or) `[a-z_]+`)+\b|^`[a-z_]+`, or `[a-z_]+:/
  const faults = [...textSchemas(document, '')].filter(
    ({ schema: { description = '', enum: values, pattern } }) =>
      !values && !pattern && lists.test(description) && !openValues.test(description),
  )
  deepEqual(
    faults.map((it) => `${it.where}: ${it.schema.description}`),
    [],
  )
})

test('a field that names a state, a role or a reason of the shop is an enum', () => {
  const closed = /(^|_|[a-z])(status|state|role|severity|outcome|verdict|channel|category_kind)$/i
  const isOpen = (where: string) => /Error\/properties\/details|oauth|\/parameters\/\d+/.test(where)
  const faults = [...textSchemas(document, '')].filter(
    ({ schema, where }) => closed.test(where) && !schema.enum && schema.const === undefined && !isOpen(where),
  )
  deepEqual(
    faults.map((it) => it.where),
    [],
  )
})

/** Every schema of a text, with its place. */
function* textSchemas(value: unknown, where: string): Generator<Place> {
  if (value === null || typeof value !== 'object') return
  const schema = value as JsonSchema
  if ([schema.type].flat().includes('string')) yield { schema, where }
  for (const [name, part] of Object.entries(value))
    if (name !== 'example' && name !== 'examples') yield* textSchemas(part, `${where}/${name}`)
}

test('the global region is named exactly where it exists', () => {
  equal(document.servers.length, 1)
  for (const [path, methods] of Object.entries(document.paths))
    for (const { servers = [] } of Object.values(methods))
      deepEqual(
        servers.map((it) => it.url.endsWith('/global')),
        path.startsWith('/v1/') ? [false, true] : [],
        path,
      )
})

const named = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema

test('every event is a webhook of the document, with the fields of its data', () => {
  const untyped = Object.keys(events).filter((type) => {
    const { post } = (document.webhooks[type] ?? {}) as {
      post?: { requestBody: { content: Record<string, { schema: JsonSchema }> } }
    }
    const body = post?.requestBody.content['application/json']?.schema
    const data = body && named(body).properties?.['data']
    return !data || Object.keys(named(data).properties ?? {}).length === 0
  })
  deepEqual(untyped, [])
  deepEqual(Object.keys(document.webhooks).toSorted(), Object.keys(events).toSorted())
})

/** Errors that need no more than their code. */
const withoutDetails = [
  'headers_too_large',
  'https_required',
  'internal_error',
  'invalid_credentials',
  'invalid_idempotency_key',
  'request_timeout',
]

test('every error code has a schema with the fields of its details', () => {
  const errors = Object.values(document.components.schemas).filter((it) => it.properties?.['code']?.const)
  const codes = errors.map((it) => String(it.properties!['code']!.const))
  deepEqual(codes.toSorted(), Object.keys(refusals).toSorted())
  const bare = errors.filter((it) => {
    const details = named(it.properties!['details']!)
    const { properties = {}, oneOf, anyOf } = details
    return Object.keys(properties).length === 0 && !oneOf && !anyOf
  })
  deepEqual(bare.map((it) => String(it.properties!['code']!.const)).toSorted(), withoutDetails)
})

test('an operationId has two short words', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((it) => it.operationId),
  )
  deepEqual(
    ids.filter((it) => it.length > 40 || !/^[a-z]\w*([.][a-z]\w*)?$/.test(it)),
    [],
  )
})
