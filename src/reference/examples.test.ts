import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { allRoutes } from '../../test/support/routes.ts'
import type { JsonSchema } from '../http/openapi-example.ts'
import type { Operation, ResponseObject } from '../http/openapi.ts'
import { referenceDocument } from './pages.ts'
import { recordedExamples } from './recorded-examples.ts'

const routes = await allRoutes()
const document = referenceDocument(routes, { version: '1', origin: 'https://shop.example' })
const operations = Object.values(document.paths).flatMap((it) => Object.values(it))
const examples = recordedExamples('https://shop.example')
const named = (wanted: string): Operation => operations.find((it) => it.operationId === wanted)!

test('all operations have recorded examples that match their schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: JSON.parse(JSON.stringify(document.components)) as object })
  const fits = (schema: JsonSchema, example: unknown) =>
    ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as object,
    )(example)
  const isFresh = (operation: Operation): boolean => {
    if (!(operation.operationId in examples)) return false
    const body = operation.requestBody?.content['application/json']
    const replies = Object.entries(operation.responses).filter(([status]) => status < '300')
    const contents = [
      body,
      ...replies.map(([, reply]) => (reply as ResponseObject).content?.['application/json']),
    ]
    return contents.every((content) => !content || fits(content.schema, content.example))
  }
  const stale = operations.filter((operation) => !isFresh(operation)).map(({ operationId }) => operationId)
  deepEqual(stale, [], 'call them in test/examples/*-steps.ts, then npm run record:examples')
})

test('no example is of an operation that does not exist', () => {
  const known = new Set(operations.map((it) => it.operationId))
  deepEqual(
    Object.keys(examples).filter((it) => !known.has(it)),
    [],
  )
})

test('the document shows the recorded calls', () => {
  const created = named('brands.create')
  deepEqual(created.requestBody?.content['application/json']?.example, examples['brands.create']!.body)
  const { example } = (
    created.responses['201'] as { content: Record<string, { example: { data: unknown } }> }
  ).content['application/json']!
  deepEqual(example.data, examples['brands.create']!.reply)
  ok(named('products.search').parameters.some((it) => 'example' in it && it.example === 'smartphone'))
})

test('recorded texts hold no credential and no address of the recording', () => {
  const text = JSON.stringify(examples)
  deepEqual(
    text.match(/(ak|at|rt|cs)_(test|live)_(?!x+\b)\w+|whsec_(?!x+\b)\w+|127\.0\.0\.1:(?!3000)\d+/g),
    null,
  )
})

test('every operation has a description, and no schema has the name of a built-in', () => {
  deepEqual(
    operations.filter((it) => it.description.length < 10).map((it) => it.operationId),
    [],
  )
  deepEqual(
    Object.keys(document.components.schemas).filter((it) => ['Error', 'Object', 'Date', 'Map'].includes(it)),
    [],
  )
})
