// Every field of every recommendation call of SPEC-1 4.2: required fields, types, and that unknown fields are ignored.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply, type TestPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
await stock.load('category', { id: 2, slug: 'cases', name: { ru: 'Чехлы' } })
for (let id = 1; id <= 40; id++) {
  await stock.load('product', { id, category_id: 1 + (id % 2), slug: `p-${id}`, name: { ru: `Товар ${id}` } })
  await stock.offer({ id, productId: id, price: 100 * id })
}

const uuid = '3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'

interface Fields {
  needed: string[]
  optional: string[]
  orNull?: string[]
  /** The buyer id is a UUID. */
  byUuid?: true
}
const list = (names: string) => names.split(' ').filter(Boolean)
const takes = (needed: string, optional: string, more: Partial<Fields> = {}): Fields => ({
  needed: list(needed),
  optional: list(optional),
  ...more,
})
const person = 'user_id from_layer from_app'
const device = 'phone device_brand device_os'
const cf = takes('from_layer from_app', 'user_id offer_ids device_os')
const cfSecond = takes('from_layer from_app', `user_id offer_ids ${device} region`)
const category = takes(
  'from_app',
  `user_id exp_id ${device} region category_id sub_category_id third_category_id`,
)
const web = takes('from_layer from_app', 'user_id offer_ids phone device_brand region', { byUuid: true })

const calls: Record<string, Fields> = {
  '/offers/recommended/v3': takes(person, `${device} mobi_user_id offer_ids region`, {
    orNull: ['test_group_value'],
  }),
  '/offers/recommended/v2': takes(person, `${device} mobi_user_id region product_ids`, {
    orNull: ['test_group_value'],
  }),
  '/offers/recommended': takes('mobi_user_id phone', 'user_id auth_id device_brand device_os region'),
  '/mobile/offers/recommended/v3': takes(person, 'offer_ids', {
    orNull: list(`${device} region test_group_value`),
  }),
  '/mobile/cf/v1/recommended': cf,
  '/api/gateway/web/offers/recommended-cf': cf,
  '/api/gateway/web/offers/recommended-v2': cfSecond,
  '/mobile/recommended-offers/categories-page': category,
  '/api/gateway/categories-page/recommendations': category,
  '/api/gateway/catalog/recommended-offers/v3/web': web,
  '/web/client/offers/recommended-v3': web,
  '/web/client/miniapp/offers/recommended/v3/': takes(
    'user_id from_layer',
    'offer_ids phone device_brand region mini_app_user_id',
    { byUuid: true },
  ),
}
const ownOf = ({ needed, optional, orNull = [] }: Fields) => [...needed, ...optional, ...orNull]
const allFields = [...new Set(Object.values(calls).flatMap(ownOf))]

interface Kind {
  good: unknown[]
  bad: unknown[]
}
const kinds: Record<'text' | 'uuid' | 'layer' | 'ids' | 'productIds' | 'number', Kind> = {
  text: {
    good: ['x', 'я'.repeat(1_000), '👨‍👩‍👧'],
    bad: [5, true, ['x'], {}, 'x'.repeat(1_001), 'a\0b', '\ud800'],
  },
  uuid: { good: [uuid, uuid.toUpperCase()], bad: ['17', '', `${uuid}0`, `{${uuid}}`, 5, [uuid]] },
  layer: { good: ['main_page', 'offer_page', 'cart_page'], bad: ['Main_page', '', 1, ['main_page'], null] },
  ids: {
    good: [['1'], ['1', uuid, 'nothing', '-1', '9'.repeat(30)], []],
    bad: ['1', {}, [1], [null], [''], [['1']], Array.from({ length: 201 }, () => '1')],
  },
  productIds: { good: [[1], ['1', 2, 'nothing', '-1'], []], bad: [1, {}, [1.5], [0], [null], [{}]] },
  number: { good: [1, Number.MAX_SAFE_INTEGER], bad: [0, -1, 1.5, 2 ** 53, '1', true, [1], {}] },
}
const kindOf = (field: string, { byUuid }: Fields): Kind => {
  if (field === 'from_layer') return kinds.layer
  if (field === 'offer_ids') return kinds.ids
  if (field === 'product_ids') return kinds.productIds
  if (/^(auth|category|sub_category|third_category)_id$/.test(field)) return kinds.number
  return field === 'user_id' && byUuid ? kinds.uuid : kinds.text
}

/** Adds a page with offers or products, where the call has pages. */
const plainBody = ({ needed, byUuid }: Fields): Record<string, unknown> =>
  Object.fromEntries(
    needed.map((it) => [it, it === 'from_layer' ? 'cart_page' : it === 'user_id' && byUuid ? uuid : '17']),
  )
const post = (path: string, body: object, { call }: TestPlatform = shop) => call('POST', path, { body })
const listOf = (reply: Reply): { id?: number; offer_id?: unknown }[] => {
  equal(reply.status, 200, reply.text)
  return reply.body.offers ?? reply.body
}
const faultsOf = (reply: Reply): string[] =>
  assertRefused('validation_failed', reply).fields.map((it: { path: string }) => it.path.split('.')[0])

test('a call names every missing required field', async () => {
  for (const [path, fields] of Object.entries(calls)) {
    const body = plainBody(fields)
    listOf(await post(path, body))
    for (const field of fields.needed)
      deepEqual(faultsOf(await post(path, { ...body, [field]: undefined })), [field], path)
    deepEqual(faultsOf(await post(path, {})).toSorted(), fields.needed.toSorted())
  }
})

test('a call names the field with a wrong type', async () => {
  for (const [path, fields] of Object.entries(calls))
    for (const field of ownOf(fields)) {
      const ask = (value: unknown) => post(path, { ...plainBody(fields), [field]: value })
      const { good, bad } = kindOf(field, fields)
      for (const value of good) listOf(await ask(value))
      for (const value of bad)
        deepEqual(
          [...new Set(faultsOf(await ask(value)))],
          [field],
          `${path} ${field} ${JSON.stringify(value)}`,
        )
    }
})

test('null and empty text mean "not given" in every optional field of every call', async () => {
  for (const [path, fields] of Object.entries(calls)) {
    const { needed } = fields
    const ask = (field: string, value: unknown) => post(path, { ...plainBody(fields), [field]: value })
    for (const field of ownOf(fields)) {
      const expected = needed.includes(field) ? 422 : 200
      equal((await ask(field, null)).status, expected, `${path} ${field}`)
      if (kindOf(field, fields) === kinds.text)
        equal((await ask(field, '')).status, expected, `${path} ${field}`)
    }
  }
})

test('a call ignores fields of other calls, whatever their value', async () => {
  for (const [path, fields] of Object.entries(calls)) {
    const body = plainBody(fields)
    const usual = listOf(await post(path, body))
    const foreign = [...allFields.filter((it) => !ownOf(fields).includes(it)), 'constructor', '__proto__']
    for (const field of foreign)
      for (const value of [null, 1, -1.5, true, '', '1', [], ['1'], [null], [{}], {}])
        deepEqual(listOf(await post(path, { ...body, [field]: value })), usual, `${path} ${field} ${value}`)
  }
})

test('with the v2 backend the mobile call lists what that backend lists', async () => {
  const second = await openPlatform({ env: { CF_BACKEND: 'v2' }, connection: shop.connection })
  const key = await second.makeKey()
  const path = '/mobile/cf/v1/recommended'
  const ask = (field: string, value: unknown) =>
    second.call('POST', path, { key, body: { ...plainBody(cf), [field]: value } })
  for (const field of ['phone', 'device_brand', 'region']) {
    deepEqual(faultsOf(await ask(field, 5)), [field])
    listOf(await ask(field, 'x'))
  }
})
