// `/v1` speaks one spelling in refusals too: ids are strings, fields are those that the caller sent, money can be sent back.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { secretUuid } from '../../src/base/random.ts'
import { openCarts } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { add, newClient } = openCarts(shop)
const { call, keys, makeKey } = shop
const offer = await stock.offer({ quantity: 5, price: 40_000, loan_condition_ids: [3] })
const web = await makeKey({ type: 'web', scopes: ['cart:read', 'cart:write', 'catalog:read'] })

const openCart = async (quantity = 1) => {
  const { ClientId } = newClient()
  const body = { customer_id: String(ClientId), items: [{ product_id: String(offer), quantity }] }
  const reply = await call('POST', '/v1/cart', { body })
  equal(reply.status, 201, reply.text)
  return reply.body.data.cart as { id: string }
}

test('ids in violations are strings in /v1 and numbers in the API of the cart', async () => {
  const items = [{ product_id: String(offer), quantity: 9 }]
  const cart = await openCart()
  for (const root of ['', '/global'])
    for (const [path, body] of [
      ['/v1/cart', { customer_id: String(newClient().ClientId), items }],
      [`/v1/cart/${cart.id}/items`, items[0]],
    ] as const) {
      const { violations } = assertRefused('stock_exceeded', await call('POST', root + path, { body }))
      equal(violations[0].offer_id, String(offer), root + path)
    }
  const inCart = assertRefused('stock_exceeded', await add(newClient(), offer, 9))
  equal(inCart.violations[0].offer_id, offer)
})

test('ids in a remedy of an order are strings in /v1', async () => {
  const cart = await openCart()
  const body = { cart_id: cart.id, payment_method_id: 2, delivery_address: 'Toshkent' }
  const { violations } = assertRefused('loan_condition_required', await call('POST', '/v1/orders', { body }))
  deepEqual(violations, [
    {
      code: 'loan_condition_required',
      offer_id: String(offer),
      remedy: { action: 'choose_loan_condition', loan_condition_ids: ['3'] },
    },
  ])
})

test('a refusal names the field of the buyer that the caller sent', async () => {
  const shared = '/api/shared-carts'
  for (const [path, field, value] of [
    ['/v1/cart', 'customer_id', '7'],
    [shared, 'RequesterId', 7],
  ] as const) {
    const onDevice = await call('POST', path, { key: web, body: { [field]: value } })
    deepEqual(assertRefused('buyer_mismatch', onDevice), { field })
    const unreadable = await call('POST', path, { body: { [field]: 'short' } })
    const { fields } = assertRefused('validation_failed', unreadable)
    deepEqual([fields[0].path, fields[0].rule], [field, 'format'])
    // The example is the same in all languages.
    match(fields[0].message, /^неверный формат; пример: [\x20-\x7e]+$/)
    equal(/[a-z]{3,} [a-z]{2,}/.test(fields[0].message), false, fields[0].message)
  }
  const unnamed = assertRefused('buyer_required', await call('POST', shared, { body: {} }))
  deepEqual(unnamed, { accepted: ['ClientId', 'SessionId', 'RequesterId'] })
})

test('the total of price_changed can be sent back as expected_total', async () => {
  const cart = await openCart(2)
  const order = (expected_total: object) =>
    call('POST', '/v1/orders', {
      body: { cart_id: cart.id, payment_method_id: 3, delivery_address: 'Toshkent', expected_total },
    })
  const refused = await order({ amount: 1, currency: 'UZS' })
  const { actual, actual_total: total, lines } = assertRefused('price_changed', refused)
  deepEqual([actual, total], [80_000, { amount: 8_000_000, currency: 'UZS' }])
  equal(lines[0].offer_id, String(offer))
  equal((await order(total)).status, 201)
})

test('a 404 names what was not found when the path has no id', async () => {
  const id = secretUuid()
  const orders = { cart_id: id, payment_method_id: 1, delivery_address: 'x' }
  const invitation = { token: `inv_${'x'.repeat(40)}`, name: 'Aziza', password: 'Corr3ct-horse-battery' }
  const list = '019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'
  // oxfmt-ignore
  for (const [method, path, body, details, key] of [
    ['POST', '/v1/orders', orders, { resource: 'cart', id }, keys.test],
    ['POST', '/v1/test/clock', { advance: 'P1D' }, { resource: 'path', id: '/v1/test/clock' }, keys.live],
    ['POST', '/v1/recommendations/explain', { recommendation_id: list }, { resource: 'recommendation', id: list, path: 'recommendation_id' }, keys.test],
    ['POST', '/v1/admin/members/invitations/accept', invitation, { resource: 'invitation', id: null, path: 'token' }, null],
  ] as const) {
    const reply = await call(method, path, { key, body })
    deepEqual(assertRefused('not_found', reply), details, path)
  }
})

test('a merge names the client that does not exist, by an id as replies write it', async () => {
  const body = { name: 'Olim', email: 'olim@mail.uz', password: 'Corr3ct-horse-battery' }
  const { client } = (await call('POST', '/v1/auth/register', { body })).body.data
  const reply = await call('POST', `/v1/admin/clients/${client.id}/merge`, { body: { into: '999999' } })
  deepEqual(assertRefused('not_found', reply), { resource: 'client', id: '999999', path: 'into' })
})

test('a body of another type or size is refused with what the path accepts', async () => {
  const path = '/v1/catalog/brands'
  const typed = await call('POST', path, { raw: '{}', headers: { 'content-type': 'text/plain' } })
  deepEqual(assertRefused('unsupported_media_type', typed), { expected: 'application/json; charset=utf-8' })
  const large = await call('POST', path, { raw: ' '.repeat(256 * 1024 + 1) })
  deepEqual(assertRefused('payload_too_large', large), { limit_bytes: 256 * 1024 })
})

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Content = Record<string, { schema?: Schema }>
interface Operation {
  parameters?: { $ref?: string; name?: string; in?: string; schema?: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}
const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Ids that are numbers only, by their paths. */
function numericIds(schema: Schema, path: string, depth = 0): string[] {
  if (depth > 12) return []
  const it = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema
  const types = [it.type].flat()
  const isNumeric = types.includes('integer') && !types.includes('string')
  return [
    ...(isNumeric && /(?:^|[_.])ids?(?:\.\*)?$/.test(path) ? [path] : []),
    ...[it.anyOf, it.oneOf, it.allOf].flatMap((all) =>
      (all ?? []).flatMap((each) => numericIds(each, path, depth + 1)),
    ),
    ...Object.entries(it.properties ?? {}).flatMap(([name, each]) =>
      numericIds(each, path ? `${path}.${name}` : name, depth + 1),
    ),
    ...(it.items ? numericIds(it.items, `${path}.*`, depth + 1) : []),
  ]
}

test('every id in bodies and replies of /v1 is a string, or accepted as one', () => {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, it]) => it.responses)
        .map(([method, it]) => ({ name: `${method} ${path}`, it })),
    )
  ok(operations.length > 200, String(operations.length))
  const found = operations.flatMap(({ name, it }) =>
    [
      it.requestBody?.content,
      ...Object.entries(it.responses).map(([status, reply]) => status.startsWith('2') && reply.content),
    ]
      .flatMap((content) => Object.values(content || {}))
      .flatMap(({ schema }) => (schema ? numericIds(schema, '') : []))
      .map((path) => `${name}: ${path}`),
  )
  deepEqual([...new Set(found)], [])
})

test('every id in a path of /v1 is accepted as replies write it, in the document too', () => {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'))
  const ids = paths.flatMap(([path, methods]) =>
    Object.values(methods)
      .flatMap((it) => it.parameters ?? [])
      .filter((it) => it.in === 'path')
      .flatMap((it) => numericIds(it.schema!, it.name!).map((name) => `${path}: ${name}`)),
  )
  ok(paths.length > 100)
  deepEqual([...new Set(ids)], [])
})

test('a text that must be a number says so with the quotes that a body needs and a query does not', async () => {
  const inEnglish = { 'accept-language': 'en' }
  const body = { customer_id: '1', items: [{ product_id: 'x', quantity: 1 }] }
  const sent = [
    call('POST', '/v1/cart', { body, headers: inEnglish }),
    call('POST', '/v1/admin/coupons', {
      body: { code: 'A', percent: 5, promotion_id: 'x' },
      headers: inEnglish,
    }),
  ]
  for (const reply of await Promise.all(sent))
    match(reply.text, /must be a whole number in quotes, for example \\"1\\"/)
  const asNumber = { ...body, items: [{ product_id: 1, quantity: 1 }] }
  match(
    (await call('POST', '/v1/cart', { body: asNumber, headers: inEnglish })).text,
    /must be a text in quotes/,
  )
  const asQuery = await call('GET', '/v1/catalog/offers?product_id=x', { headers: inEnglish })
  match(asQuery.text, /must be a whole number, for example 1"/)
  const either = { slug: 'p', name: { ru: 'П' }, category_id: 'x' }
  const asRecord = await call('POST', '/v1/catalog/products', { body: either, headers: inEnglish })
  match(asRecord.text, /must be a whole number, for example 1"/)
})
