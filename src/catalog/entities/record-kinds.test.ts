import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import type { RejectedRecord } from '../../base/records/record-kind.ts'
import { recordKinds } from './record-kinds.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test

const load = (name: string, records: Record<string, unknown>[]): Promise<RejectedRecord[]> =>
  db.transaction((tx) => recordKinds.find((it) => it.name === name)!.load(tx, records))

const all = async (name: string): Promise<Record<string, unknown>[]> =>
  (await recordKinds.find((it) => it.name === name)!.page(db.read(), null, 1_000)).records

const eventCount = async (): Promise<number> =>
  (await db.read().one<{ count: number }>(`select count(*) as count from outbox_events`)).count

const records: [kind: string, Record<string, unknown>[]][] = [
  [
    'category',
    [{ id: 1, parent_id: null, slug: 'home', name: { ru: 'Дом' }, description: {}, image_url: null }],
  ],
  ['brand', [{ id: 1, slug: 'artel', name: 'Artel' }]],
  [
    'partner',
    [
      {
        id: 1,
        slug: 'texno',
        name: 'Texno',
        rating: 4.5,
        is_recommended: true,
        credit_active: true,
        logo_path: null,
      },
    ],
  ],
  [
    'loan_condition',
    [
      {
        id: 3,
        partner_id: 1,
        duration: 12,
        commission: 24,
        early_commission_percent: 100,
        active: true,
        promotion_id: null,
      },
    ],
  ],
  [
    'attribute',
    [
      {
        id: 1,
        code: 'color',
        category_id: 1,
        kind: 'enumeration',
        name: { ru: 'Цвет' },
        unit: null,
        options: [{ value: 'white', title: { ru: 'белый', uz: 'oq', en: 'white' } }],
        facet: true,
        position: 10,
      },
    ],
  ],
  [
    'product',
    [
      {
        id: 10,
        category_id: 1,
        brand_id: 1,
        slug: 'kettle',
        name: { ru: 'Чайник', uz: 'Choynak', en: 'Kettle' },
        description: { ru: 'Кипятит.' },
        images: [{ lg_path: 'https://a/l', md_path: 'https://a/m', sm_path: 'https://a/s' }],
        attributes: { color: 'white' },
      },
    ],
  ],
  [
    'variant',
    [{ id: 100, product_id: 10, name: { ru: 'белый' }, attributes: { volume: '2', color: 'white' } }],
  ],
  [
    'offer',
    [
      {
        id: 1_000,
        product_id: 10,
        variant_id: 100,
        partner_id: 1,
        price_tiyin: 1_299_000,
        old_price_tiyin: null,
        quantity: 5,
        is_visible: true,
        is_active: true,
        regions: ['home', 'global'],
        loan_condition_ids: [3],
        bnpl: { has_daily_payment: false, prepayment_tiyin: null },
        reservation_minutes: null,
        rating: null,
      },
    ],
  ],
  ['exchange_rate', [{ currency: 'USD', tiyin: 1_265_000 }]],
]

test('an import is exported unchanged, and importing it again changes nothing', async () => {
  for (const [kind, them] of records) deepEqual(await load(kind, them), [], kind)
  for (const [kind, them] of records) deepEqual(await all(kind), them, kind)
  const published = await eventCount()
  for (const [kind, them] of records) deepEqual(await load(kind, them), [], kind)
  equal(await eventCount(), published)
})

test('omitted fields have their defaults', async () => {
  await load('offer', [{ id: 2_000, product_id: 10, partner_id: 1, price_tiyin: 5, quantity: 0 }])
  const offer = (await all('offer')).find((it) => it['id'] === 2_000)!
  deepEqual(
    [offer['regions'], offer['is_active'], offer['is_visible'], offer['loan_condition_ids'], offer['bnpl']],
    [['home', 'global'], true, true, [], { has_daily_payment: false, prepayment_tiyin: null }],
  )
})

test('a record with a missing reference waits and blocks no other', async () => {
  const refused = await load('offer', [
    { id: 3_000, product_id: 77, partner_id: 1, price_tiyin: 5, quantity: 0 },
    { id: 3_001, product_id: 10, partner_id: 1, price_tiyin: 5, quantity: 0 },
  ])
  deepEqual(refused, [
    { at: 0, faults: [{ path: 'product_id', rule: 'exists', limit: 77 }], isMissingReference: true },
  ])
  equal(
    (await all('offer')).some((it) => it['id'] === 3_001),
    true,
  )
})

test('of a record that occurs twice, the last one counts', async () => {
  await load('brand', [
    { id: 50, slug: 'first', name: 'First' },
    { id: 50, slug: 'second', name: 'Second' },
  ])
  deepEqual(
    (await all('brand')).filter((it) => it['id'] === 50).map((it) => it['slug']),
    ['second'],
  )
})

test('a taken slug rejects only its record', async () => {
  const refused = await load('brand', [
    { id: 60, slug: 'artel', name: 'Again' },
    { id: 61, slug: 'free', name: 'Free' },
    { id: 62, slug: 'free', name: 'Twice' },
  ])
  deepEqual(
    refused.map((it) => [it.at, it.faults[0]!.rule]),
    [
      [0, 'taken'],
      [2, 'taken'],
    ],
  )
})

test('categories may come before their parents', async () => {
  const child = { id: 201, parent_id: 200, slug: 'below', name: { ru: 'Ниже' } }
  deepEqual(
    (await load('category', [child])).map((it) => it.isMissingReference),
    [true],
  )
  await load('category', [{ id: 200, slug: 'above', name: { ru: 'Выше' } }])
  deepEqual(await load('category', [child]), [])
})

test('a new entity without an id gets one above all chosen ids', async () => {
  await load('brand', [{ id: 900, slug: 'chosen', name: 'Chosen' }])
  const reply = await shop.call('POST', '/v1/catalog/brands', { body: { slug: 'next', name: 'Next' } })
  equal(Number(reply.body.data.brand.id) > 900, true)
})

test('moderated offers, which include drafts, are exported to admin:read only', () => {
  const moderated = recordKinds.find((it) => it.name === 'moderated_offer')!
  equal(moderated.exportArea, 'admin')
  equal(moderated.area ?? 'catalog', 'catalog')
})

test('products, offers and stock come as CSV; unchanged records are counted apart', async () => {
  const bring = (record: string, text: string) =>
    shop.call('POST', `/v1/catalog/import?record=${record}`, {
      raw: text,
      headers: { 'content-type': 'text/csv' },
    })
  const products =
    'id,category_id,slug,name.ru,name.en,images\n50,1,csv-lamp,"Лампа, белая",Lamp,https://a/1|https://a/2\n'
  const first = (await bring('product', products)).body.data
  deepEqual([first.stored, first.unchanged, first.refused], [1, 0, 0])
  const second = (await bring('product', products)).body.data
  deepEqual([second.stored, second.unchanged, second.refused], [0, 1, 0])
  const offers =
    'id;product_id;partner_id;price_tiyin;quantity;is_active;bnpl.has_daily_payment\n5000;50;1;1299000;5;true;1\n5001;51;1;100;5;yes;0\n'
  const offered = (await bring('offer', offers)).body.data
  deepEqual(
    [offered.stored, offered.refusals[0].line, offered.refusals[0].fields[0].path],
    [1, 3, 'is_active'],
  )
  const stock = (await bring('stock', 'id,quantity\n5000,7\n5999,1\n')).body.data
  deepEqual(stock.refusals[0].fields, [{ path: 'id', rule: 'exists', message: '5999 не существует' }])
  const [offer] = (await all('offer')).filter((it) => it['id'] === 5000)
  deepEqual(
    [offer!['quantity'], offer!['price_tiyin'], offer!['bnpl']],
    [7, 1_299_000, { has_daily_payment: true, prepayment_tiyin: null }],
  )
  const [lamp] = (await all('product')).filter((it) => it['id'] === 50)
  deepEqual([lamp!['name'], (lamp!['images'] as unknown[]).length], [{ ru: 'Лампа, белая', en: 'Lamp' }, 2])
  const missing = await shop.call('POST', '/v1/catalog/import', {
    raw: products,
    headers: { 'content-type': 'text/csv' },
  })
  equal(missing.status, 422, missing.text)
})
