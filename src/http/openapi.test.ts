import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { allRoutes } from '../../test/support/routes.ts'
import type { JsonSchema } from './openapi-example.ts'
import { openApi, type Operation, refusalCodesOf, type ResponseObject } from './openapi.ts'
import { referenceDocument } from '../reference/pages.ts'
import { about, tags } from '../reference/tags.ts'
import type { Route } from './route.ts'

const routes = await allRoutes()
// Without recorded calls: another test compares them with the schemas.
const written = openApi(routes, { version: '0.0.0-test', origin: 'https://shop.example', about, tags })
// Serialized and parsed, as readers get it: without what JSON cannot represent.
const document = JSON.parse(JSON.stringify(written)) as typeof written

const operationOf = ({ path, method }: Route): Operation => document.paths[path]![method.toLowerCase()]!
const nameOf = ({ method, path }: Route) => `${method} ${path}`

function resolved<T>(it: T | { $ref: string }): T {
  if (!(it as { $ref?: string }).$ref) return it as T
  const [, , kind, name] = (it as { $ref: string }).$ref.split('/')
  const found = (document.components as unknown as Record<string, Record<string, T>>)[kind!]![name!]
  ok(found !== undefined, `${kind}/${name} is referred to and does not exist`)
  return found
}

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate({ ...document })
  ok(valid, JSON.stringify(errors, null, 2))
})

test('the document stays valid with paths of another protocol, and every operation lists all its credentials', async () => {
  const way = { type: 'http', scheme: 'bearer' }
  const made = referenceDocument(routes, {
    version: '1',
    origin: 'https://shop.example',
    extraPaths: (origin) => ({
      tag: { group: 'Other', name: 'Foreign', description: `At ${origin}.` },
      paths: {
        '/foreign': { get: { operationId: 'foreign', responses: { '200': { description: 'Yes.' } } } },
      },
      securitySchemes: { foreign: way },
    }),
  })
  const { valid, errors } = await new Validator().validate({ ...made })
  ok(valid, JSON.stringify(errors, null, 2))
  deepEqual(made.components.securitySchemes['foreign'], way)
  const bound = routes.find((it) => it.declared.scope !== null)!
  const { security } = made.paths[bound.path]![bound.method.toLowerCase()]!
  deepEqual(security.flatMap(Object.keys), ['apiKey', 'foreign', 'memberSession'])
  const ofMembers = made.paths['/v1/admin/me']!['get']!.security
  deepEqual(ofMembers, [{ memberSession: [] }])
})

test('every route is documented with its success status', () => {
  for (const route of routes) {
    const { responses } = operationOf(route)
    const creates = route.kind === 'write' && route.declared.creates
    deepEqual(
      Object.keys(responses).filter((it) => it < '300'),
      creates === 'sometimes' ? ['200', '201'] : [creates ? '201' : '200'],
      nameOf(route),
    )
  }
})

test('every route documents all its error codes', () => {
  for (const route of routes) {
    const documented = Object.values(operationOf(route).responses)
      .map((it) => resolved<ResponseObject>(it))
      .flatMap((it) => Object.keys(it.content?.['application/json']?.examples ?? {}))
    deepEqual(documented.toSorted(), refusalCodesOf(route).toSorted(), nameOf(route))
  }
})

test('a field that is null in a replay is null in the document too, which says so', () => {
  for (const route of routes)
    for (const field of (route.kind === 'write' && route.declared.secrets) || []) {
      const { content } = resolved<ResponseObject>(Object.values(operationOf(route).responses)[0]!)
      const data = resolved<JsonSchema>(content!['application/json']!.schema.properties!['data']!)
      const { type, description = '' } = data.properties![field]!
      ok([type].flat().includes('null'), `${nameOf(route)}: ${field} is ${JSON.stringify(type)}`)
      ok(/null|Null/.test(description) && /replay/.test(description), `${nameOf(route)}: ${field}`)
    }
})

test('every text with a pattern has an example', () => {
  const bare: string[] = []
  const walk = (it: unknown, path: string): void => {
    if (typeof it !== 'object' || it === null) return
    const { pattern, examples } = it as { pattern?: unknown; examples?: unknown[] }
    const [example] = examples ?? []
    // What may be a number too shows one.
    const isShown = typeof example === 'string' ? new RegExp(String(pattern)).test(example) : example
    if (typeof pattern === 'string' && !isShown) bare.push(path)
    for (const [name, inner] of Object.entries(it))
      if (name !== 'propertyNames') walk(inner, `${path}/${name}`)
  }
  walk(document.paths, '')
  deepEqual(bare, [])
})

test('every operation has a unique id', () => {
  const ids = routes.map((it) => operationOf(it).operationId)
  deepEqual(
    ids.filter((it, at) => ids.indexOf(it) !== at),
    [],
  )
})

test('every path has a tag; a new kind of path needs a row in reference/tags.ts', () => {
  deepEqual(routes.filter((it) => operationOf(it).tags.includes('Other')).map(nameOf), [])
})

test('every tag is in exactly one group', () => {
  deepEqual(
    document['x-tagGroups'].flatMap((it) => it.tags).toSorted(),
    document.tags.map((it) => it.name).toSorted(),
  )
})

test('every example matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'document', components: document.components })
  const checks = new Map<string, ValidateFunction>()
  const fits = (schema: JsonSchema, example: unknown, where: string) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const check = checks.get(text) ?? ajv.compile(JSON.parse(text) as JsonSchema)
    checks.set(text, check)
    ok(check(example), `${where}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(example)}`)
  }
  for (const route of routes) {
    const operation = operationOf(route)
    const body = operation.requestBody?.content['application/json']
    if (body) fits(body.schema, body.example, `the body of ${nameOf(route)}`)
    for (const [status, reply] of Object.entries(operation.responses)) {
      const content = resolved<ResponseObject>(reply).content?.['application/json']
      if (!content) continue
      const examples = Object.values(content.examples ?? {}).map(
        (it) => resolved<{ value: unknown }>(it as { $ref: string }).value,
      )
      for (const it of [...examples, ...(content.example === undefined ? [] : [content.example])])
        fits(content.schema, it, `${status} of ${nameOf(route)}`)
    }
    for (const it of operation.parameters.map((it) => resolved(it)))
      for (const example of it.schema.examples ?? [])
        fits(it.schema, example, `${it.name} of ${nameOf(route)}`)
  }
})

test('a path parameter with a pattern has an example', () => {
  for (const route of routes)
    for (const it of operationOf(route).parameters.map((it) => resolved(it)))
      if (it.in === 'path' && it.schema.pattern)
        ok(it.schema.examples?.length, `${it.name} of ${nameOf(route)} has no "examples"`)
})

test('only reads accept If-None-Match', () => {
  for (const route of routes) {
    const names = operationOf(route).parameters.map((it) => resolved(it).name)
    const isVersioned = route.kind === 'write' && route.declared.versioned === true
    equal(names.includes('If-None-Match'), route.kind === 'read', nameOf(route))
    equal(names.includes('If-Match'), isVersioned, nameOf(route))
  }
})
