import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openPromotions, promotionsPath } from '../../../test/support/promotions.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'

const shop = await openPlatform()
const { call } = shop
const { db } = shop.app.shops.test
const stock = await openStock(shop)
const { publishedEvents, remove } = openPromotions(shop)
await stock.load('brand', { id: 1, slug: 'artel', name: 'Artel' })
await stock.offer({ id: 10, price: 1_000 })
await stock.offer({ id: 11, price: 50 })
await stock.moderatedOffer({ id: 20, price: 500 })

const promotionLine = {
  record: 'promotion',
  id: 900,
  uuid: 'b1f0c1aa-0d7c-4d52-8f43-1f6d9a3f8a11',
  slug: 'imported',
  title: 'Импорт',
  title_uz: 'Import',
  title_en: 'Import',
  starts_at: '2030-01-01T00:00:00.000Z',
  ends_at: '2030-02-01T00:00:00.500Z',
  offer_ids: [10, 11],
  moderated_offer_ids: [20],
  category_ids: [1],
  brand_ids: [1],
  partner_ids: [1],
  discount_percent: null,
  price_tiyin: null,
  loan_condition_ids: [3, 4],
}
const importLines = (lines: object[], key?: string) =>
  call('POST', '/v1/catalog/import', {
    raw: lines.map((it) => JSON.stringify(it)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
    ...(key && { key }),
  })
const exported = async () => (await call('GET', '/v1/catalog/export?records=promotion')).text

test('an export can be imported and is then exported as the same bytes', async () => {
  equal((await importLines([promotionLine])).body.data.refused, 0)
  const before = await exported()
  const line = before.split('\n').find((it) => it.includes('"imported"'))!
  deepEqual(JSON.parse(line), promotionLine)
  const again = await importLines(
    before
      .trim()
      .split('\n')
      .map((it) => JSON.parse(it) as object),
  )
  equal(again.body.data.refused, 0, again.text)
  equal(await exported(), before)
  equal((await publishedEvents('900')).length, 1)

  // Imported into an empty catalog, they are the same.
  await db.transaction((tx) => tx.all('delete from catalog_promotions'))
  equal(await exported(), '')
  await importLines(
    before
      .trim()
      .split('\n')
      .map((it) => JSON.parse(it) as object),
  )
  equal(await exported(), before)
})

test('a loan condition and a promotion that reference each other are imported in either order', async () => {
  const condition = { record: 'loan_condition', id: 80, partner_id: 1, duration: 9, promotion_id: 910 }
  const both = { ...promotionLine, id: 910, uuid: undefined, slug: 'both', loan_condition_ids: [80] }
  for (const lines of [
    [both, condition],
    [condition, both],
  ]) {
    equal((await importLines(lines)).body.data.refused, 0)
    equal((await call('GET', '/v1/catalog/loan-conditions/80')).body.data.loan_condition.promotion_id, '910')
    await remove('910')
    equal((await call('DELETE', '/v1/catalog/loan-conditions/80')).status, 200)
  }
})

test('a line of an import has defaults, is refused by the same rules, and needs marketing:write', async () => {
  const small = {
    record: 'promotion',
    id: 901,
    slug: 'small',
    title: 'Малая',
    offer_ids: [10],
    discount_percent: 7,
  }
  const key = await shop.makeKey({ scopes: ['catalog:write'] })
  const lacking = (await importLines([small], key)).body.data
  deepEqual(lacking.refusals[0].fields[0].rule, 'scope')
  const report = (
    await importLines([
      small,
      { ...small, id: 902, slug: 'b', offer_ids: [404] },
      { ...small, id: 903, slug: 'c', ends_at: '2020-01-01T00:00:00Z' },
      { ...small, id: 904, slug: 'd', price_tiyin: 1 },
      { ...small, id: 905, slug: 'e', starts_at: '2026-02-31T00:00:00Z' },
      { ...small, id: 906, slug: 'small' },
      // An import accepts a promotion price that is no longer below the offer price.
      { ...small, id: 907, slug: 'f', discount_percent: null, price_tiyin: 10_000_000 },
    ])
  ).body.data
  deepEqual(
    report.refusals.map((it: { id: number; fields: { path: string; rule: string }[] }) => [
      it.id,
      it.fields[0]!.path,
      it.fields[0]!.rule,
    ]),
    [
      [902, 'offer_ids', 'exists'],
      [903, 'ends_at', 'after_start'],
      [904, 'discount_percent', 'one_effect'],
      [905, 'starts_at', 'format'],
      [906, 'slug', 'taken'],
    ],
  )
  const { title_uz, title_en, ends_at, status } = (await call('GET', `${promotionsPath}/901`)).body.data
    .promotion
  deepEqual([title_uz, title_en, ends_at, status], ['Малая', 'Малая', null, 'running'])
})

test('a promotion may precede its members in an import file', async () => {
  const report = await importLines([
    { record: 'promotion', id: 910, slug: 'first', title: 'П', offer_ids: [950], discount_percent: 5 },
    { record: 'offer', id: 950, product_id: 10, partner_id: 1, price_tiyin: 100, quantity: 1 },
  ])
  equal(report.body.data.stored, 2, report.text)
})
