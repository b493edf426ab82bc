// Every integer parameter is bounded by its schema, so that no number reaches a column that is too small for it.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { exampleOf, type JsonSchema, jsonSchemaOf, requestExampleOf } from '../../src/http/openapi-example.ts'
import { bodyOf, type Route } from '../../src/http/route.ts'
import { maxInt4 } from '../../src/http/schema.ts'
import { openPlatform } from '../support/shop.ts'

const { app, call } = await openPlatform()

interface Field {
  type?: string | string[]
  pattern?: string
}

const isNumeric = ({ type, pattern = '' }: Field) =>
  type === 'integer' || (type === 'string' && pattern.startsWith('^[1-9][0-9]'))

const large = ['2147483648', '9007199254740991']

/** Addresses of a read with each of its numeric parameters just above a column of four bytes, and at the top. */
function extremes({ path, declared }: Route): string[] {
  const { params = {}, query } = declared
  const numeric = Object.entries(params).filter(([, it]) => isNumeric(it as Field))
  const plain = path.replaceAll(/\{\w+\}/g, '1')
  const inPath = numeric.flatMap(([name]) =>
    large.map((it) => path.replace(`{${name}}`, it).replaceAll(/\{\w+\}/g, '1')),
  )
  const fields = Object.entries(
    (query as { properties?: Record<string, Field> } | undefined)?.properties ?? {},
  )
  const inQuery = fields
    .filter(([, it]) => isNumeric(it))
    .flatMap(([name]) => large.map((it) => `${plain}?${name}=${it}`))
  return [...inPath, ...inQuery]
}

test('a number that is larger than a column of four bytes is found by no query or refused by its schema', async () => {
  const addresses = app.routes.filter((it) => it.kind === 'read').flatMap(extremes)
  ok(addresses.length > 50, String(addresses.length))
  for (const address of addresses) {
    const reply = await call('GET', address)
    ok(reply.status < 500, `${address} ${reply.text}`)
    const fields = (reply.body?.error?.details?.fields ?? []) as { path: string }[]
    equal(
      fields.some((it) => it.path === 'number'),
      false,
      `${address} ${reply.text}`,
    )
  }
  equal((await call('GET', '/v1/orders?payment_method_id=2147483648')).status, 422)
})

type Path = (string | number)[]

/** The numeric fields of a body, with their places in it. */
function numericFields(shape: JsonSchema, path: Path = []): { path: Path; shape: JsonSchema }[] {
  const types = [shape.type ?? []].flat()
  const isOne = types.includes('integer') || types.includes('number')
  return [
    ...(isOne ? [{ path, shape }] : []),
    ...Object.entries(shape.properties ?? {}).flatMap(([name, it]) => numericFields(it, [...path, name])),
    ...(shape.items ? numericFields(shape.items, [...path, 0]) : []),
    ...[shape.anyOf, shape.oneOf, shape.allOf]
      .flatMap((it) => it ?? [])
      .flatMap((it) => numericFields(it, path)),
  ]
}

const bodies = app.routes.flatMap((route) => {
  const body = bodyOf(route)
  return body ? [{ route, shape: jsonSchemaOf(body) }] : []
})

const columnName = (path: Path) =>
  String(path.findLast((it) => typeof it === 'string'))
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, '_$&')
    .toLowerCase()

test('every number in a body has bounds, and those of columns of four bytes fit their column', async () => {
  const columns = await app.shops.test.db.read().all<{ name: string }>(
    `select distinct column_name as name from information_schema.columns
     where table_schema = 'test' and data_type in ('integer', 'smallint')`,
  )
  const small = new Set(columns.map((it) => it.name))
  ok(small.has('payment_method_id'))
  const wrong = bodies.flatMap(({ route, shape }) =>
    numericFields(shape)
      .filter(({ path, shape: { minimum, maximum } }) => {
        const isBounded = minimum !== undefined && maximum !== undefined
        return !isBounded || (small.has(columnName(path)) && maximum > maxInt4)
      })
      .map(({ path }) => `${route.method} ${route.path} ${path.join('.')}`),
  )
  deepEqual(wrong, [])
})

/** The value with one part replaced. */
function withPart(value: unknown, [first, ...rest]: Path, part: unknown): unknown {
  if (first === undefined) return part
  if (typeof first === 'number') return [withPart((value as unknown[] | undefined)?.[0], rest, part)]
  const fields = { ...(value as Record<string, unknown> | undefined) }
  return { ...fields, [first]: withPart(fields[first], rest, part) }
}

test('a number in a body that is larger than a column of four bytes is never an internal error', async () => {
  let sent = 0
  for (const { route, shape } of bodies.filter(({ route }) => !route.declared.needs))
    for (const { path } of numericFields(shape)) {
      const address = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
        const param = (route.declared.params as Record<string, TSchema>)[name]!
        return encodeURIComponent(String(exampleOf(jsonSchemaOf(param))))
      })
      const body = withPart(requestExampleOf(shape), path, maxInt4 + 1)
      const reply = await call(route.method, address, { body, headers: { prefer: 'dry-run' } })
      ok(reply.status < 500, `${route.method} ${address} ${JSON.stringify(body)}: ${reply.text}`)
      sent++
    }
  ok(sent > 150, String(sent))
})
