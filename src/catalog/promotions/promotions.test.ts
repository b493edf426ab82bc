import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPromotions, promotionsPath } from '../../../test/support/promotions.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { recordKinds } from '../entities/record-kinds.ts'
import { maxUnended } from './promotion.ts'

const shop = await openPlatform()
const { call } = shop
const { db } = shop.app.shops.test
const stock = await openStock(shop)
const { plan, planned, inSeconds, publishedEvents, end, remove } = openPromotions(shop)
await stock.load('brand', { id: 1, slug: 'artel', name: 'Artel' })
const phone = await stock.offer({ id: 10, price: 1_000 })
const cover = await stock.offer({ id: 11, price: 50 })
const watch = await stock.moderatedOffer({ id: 20, price: 500 })

const faultsOf = async (fields: object): Promise<[path: string, rule: string][]> => {
  const reply = await plan({ offer_ids: [phone], discount_percent: 10, ...fields })
  assertRefused('validation_failed', reply)
  return reply.body.error.details.fields.map((it: { path: string; rule: string }) => [it.path, it.rule])
}
const get = async (id: string) => (await call('GET', `${promotionsPath}/${id}`)).body.data.promotion

test('a promotion is created, read, changed and deleted', async () => {
  const [startsAt, endsAt] = [inSeconds(3_600), inSeconds(7_200)]
  const { id, uuid } = await planned({
    slug: 'autumn',
    title: 'Осень',
    title_uz: 'Kuz',
    title_en: 'Autumn',
    starts_at: startsAt,
    ends_at: endsAt,
    offer_ids: [phone, String(cover)],
    moderated_offer_ids: [watch],
    category_ids: [1],
    brand_ids: [1],
    partner_ids: [2],
    discount_percent: 15,
  })
  match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  const { created_at: _created, updated_at: _updated, ...read } = await get(id)
  deepEqual(read, {
    id,
    uuid,
    slug: 'autumn',
    title: 'Осень',
    title_uz: 'Kuz',
    title_en: 'Autumn',
    status: 'scheduled',
    starts_at: startsAt,
    ends_at: endsAt,
    offer_ids: ['10', '11'],
    moderated_offer_ids: ['20'],
    category_ids: ['1'],
    brand_ids: ['1'],
    partner_ids: ['2'],
    discount_percent: 15,
    price: null,
    loan_condition_ids: [],
  })

  const changed = await call('PATCH', `${promotionsPath}/${id}`, {
    body: { discount_percent: null, price_tiyin: 4_000, title: 'Зима' },
    headers: { 'if-match': '"1"' },
  })
  equal(changed.status, 200, changed.text)
  deepEqual([changed.body.data.promotion.price.amount, changed.body.data.promotion.title_uz], [4_000, 'Kuz'])
  const stale = { body: { title: 'Лето' }, headers: { 'if-match': '"1"' } }
  assertRefused('version_mismatch', await call('PATCH', `${promotionsPath}/${id}`, stale))
  const replaced = await call('PUT', `${promotionsPath}/${id}`, {
    body: { slug: 'winter', title: 'Зима', brand_ids: [1], discount_percent: 5 },
  })
  const whole = replaced.body.data.promotion
  deepEqual(
    [whole.starts_at, whole.ends_at, whole.uuid, whole.offer_ids, whole.title_uz],
    [startsAt, null, uuid, [], 'Зима'],
  )
  equal((await remove(id)).status, 200)
  equal((await call('GET', `${promotionsPath}/${id}`)).status, 404)
  deepEqual(
    (await publishedEvents(id)).map((it) => it.type),
    ['PromotionCreated', 'PromotionChanged', 'PromotionChanged', 'PromotionDeleted'],
  )
})

test('contradictory promotions are refused with every violation named', async () => {
  const inAMinute = inSeconds(60)
  deepEqual(await faultsOf({ starts_at: inAMinute, ends_at: inAMinute }), [['ends_at', 'after_start']])
  // Without `starts_at` it begins now.
  deepEqual(await faultsOf({ ends_at: inSeconds(-60) }), [['ends_at', 'after_start']])
  deepEqual(await faultsOf({ starts_at: '2026-02-31T00:00:00Z' }), [['starts_at', 'format']])
  deepEqual(await faultsOf({ starts_at: 'tomorrow' }), [['starts_at', 'format']])
  deepEqual(await faultsOf({ offer_ids: [] }), [['offer_ids', 'members']])
  deepEqual(await faultsOf({ discount_percent: null }), [['discount_percent', 'one_effect']])
  deepEqual(await faultsOf({ price_tiyin: 100 }), [['discount_percent', 'one_effect']])
  deepEqual(await faultsOf({ loan_condition_ids: [3] }), [['discount_percent', 'one_effect']])
  deepEqual(await faultsOf({ discount_percent: 0 }), [['discount_percent', 'minimum']])
  deepEqual(await faultsOf({ discount_percent: 100 }), [['discount_percent', 'maximum']])
  deepEqual(await faultsOf({ discount_percent: 9.5 }), [['discount_percent', 'type']])
  deepEqual(await faultsOf({ title: ' ' }), [['title', 'format']])
  deepEqual(await faultsOf({ offer_ids: [phone, phone] }), [['offer_ids', 'unique']])
  deepEqual(await faultsOf({ offer_ids: Array.from({ length: 1_001 }, (_, at) => at + 1) }), [
    ['offer_ids', 'max_items'],
  ])
  deepEqual(await faultsOf({ percent: 10 }), [['percent', 'unknown_field']])
  deepEqual(
    await faultsOf({
      offer_ids: [404],
      moderated_offer_ids: [404],
      category_ids: [404],
      brand_ids: [404],
      partner_ids: [404],
      ends_at: inSeconds(-1),
    }),
    [
      ['ends_at', 'after_start'],
      ['offer_ids', 'exists'],
      ['moderated_offer_ids', 'exists'],
      ['category_ids', 'exists'],
      ['brand_ids', 'exists'],
      ['partner_ids', 'exists'],
    ],
  )
  deepEqual(await faultsOf({ discount_percent: null, loan_condition_ids: [404] }), [
    ['loan_condition_ids', 'exists'],
  ])
})

test('a price that is not below its offers is refused, unless only a category is named', async () => {
  deepEqual(await faultsOf({ discount_percent: null, price_tiyin: 5_000, offer_ids: [phone, cover] }), [
    ['price_tiyin', 'below_price'],
  ])
  await planned({ price_tiyin: 4_999, offer_ids: [phone, cover], starts_at: inSeconds(9_000) })
  await planned({ price_tiyin: 5_000, category_ids: [1], starts_at: inSeconds(9_000) })
})

test('slug and UUID of a promotion are unique', async () => {
  const { uuid } = await planned({ slug: 'taken', offer_ids: [phone], discount_percent: 1 })
  const again = await plan({ slug: 'taken', offer_ids: [phone], discount_percent: 1 })
  assertRefused('conflict', again)
  equal(again.body.error.details.field, 'slug')
  const twin = await plan({ uuid, offer_ids: [phone], discount_percent: 1 })
  assertRefused('conflict', twin)
  equal(twin.body.error.details.field, 'uuid')
})

test('the list is filtered by running, slug and period, and paged', async () => {
  const slugs = async (query: string) => {
    const reply = await call('GET', `${promotionsPath}?${query}`)
    equal(reply.status, 200, reply.text)
    return reply.body.data.promotions.map((it: { slug: string }) => it.slug)
  }
  const terms = { offer_ids: [phone], discount_percent: 1 }
  await planned({ ...terms, slug: 'list-over', starts_at: inSeconds(-200_000), ends_at: inSeconds(-100_000) })
  await planned({ ...terms, slug: 'list-now', starts_at: inSeconds(-100), ends_at: inSeconds(100_000) })
  await planned({ ...terms, slug: 'list-open', starts_at: inSeconds(-50) })
  await planned({ ...terms, slug: 'list-soon', starts_at: inSeconds(200_000), ends_at: inSeconds(300_000) })
  const ours = (them: string[]) => them.filter((it) => it.startsWith('list-'))
  deepEqual(ours(await slugs('running=true')), ['list-open', 'list-now'])
  deepEqual(ours(await slugs('running=false')), ['list-soon', 'list-over'])
  deepEqual(await slugs('slug=list-soon'), ['list-soon'])
  deepEqual(ours(await slugs(`from=${inSeconds(150_000)}`)), ['list-soon', 'list-open'])
  deepEqual(ours(await slugs(`to=${inSeconds(-90_000)}`)), ['list-over'])
  deepEqual(ours(await slugs(`from=${inSeconds(-90_000)}&to=${inSeconds(150_000)}`)), [
    'list-open',
    'list-now',
  ])
  deepEqual(ours(await slugs('sort=ends_at')), ['list-over', 'list-now', 'list-soon', 'list-open'])
  let cursor = ''
  const seen: string[] = []
  do {
    const { data } = (await call('GET', `${promotionsPath}?sort=ends_at&per_page=1${cursor}`)).body
    seen.push(data.promotions[0].slug)
    cursor = data.pagination.next_cursor && `&cursor=${data.pagination.next_cursor}`
  } while (cursor)
  deepEqual(seen, await slugs('sort=ends_at'))
  assertRefused('validation_failed', await call('GET', `${promotionsPath}?from=yesterday`))
})

test('only a running promotion can be ended', async () => {
  const coming = await planned({ offer_ids: [phone], discount_percent: 3, starts_at: inSeconds(50_000) })
  const early = await end(coming.id)
  assertRefused('invalid_transition', early)
  deepEqual(early.body.error.details, { status: 'scheduled', requested: 'end', allowed: ['delete'] })
  const running = await planned({ offer_ids: [phone], discount_percent: 30 })
  equal((await get(running.id)).status, 'running')
  await waitUntil(async () => (await publishedEvents(running.id)).length === 2)
  const ended = await end(running.id)
  equal(ended.body.data.promotion.status, 'ended')
  assertRefused('invalid_transition', await end(running.id))
  equal((await end('404404')).status, 404)
  await waitUntil(async () => (await publishedEvents(running.id)).length === 4)
  deepEqual(
    (await publishedEvents(running.id)).map((it) => it.type),
    ['PromotionCreated', 'PromotionStarted', 'PromotionChanged', 'PromotionFinished'],
  )
})

test('a deleted entity leaves its promotions, and a promotion without members is deleted too', async () => {
  await stock.load('category', { id: 50, slug: 'empty', name: { ru: 'Пусто' } })
  await stock.load('brand', { id: 50, slug: 'gone', name: 'Gone' })
  await stock.load('partner', { id: 50, slug: 'gone', name: 'Gone' })
  const leaving = await stock.offer({ id: 51 })
  const sentIn = await stock.moderatedOffer({ id: 52 })
  const both = await planned({ offer_ids: [phone, leaving], discount_percent: 1 })
  const alone = [
    await planned({ offer_ids: [leaving], discount_percent: 1 }),
    await planned({ moderated_offer_ids: [sentIn], discount_percent: 1 }),
    await planned({ category_ids: [50], discount_percent: 1 }),
    await planned({ brand_ids: [50], discount_percent: 1 }),
    await planned({ partner_ids: [50], discount_percent: 1 }),
  ]
  for (const path of ['offers/51', 'moderated-offers/52', 'categories/50', 'brands/50', 'partners/50']) {
    const reply = await call('DELETE', `/v1/catalog/${path}`)
    equal(reply.status, 200, `${path} ${reply.text}`)
  }
  deepEqual((await get(both.id)).offer_ids, [String(phone)])
  for (const { id } of alone) {
    equal((await call('GET', `${promotionsPath}/${id}`)).status, 404)
    equal((await publishedEvents(id)).at(-1)!.type, 'PromotionDeleted')
  }
})

test('a loan condition that a promotion gives cannot be deleted', async () => {
  await stock.load('loan_condition', { id: 60, partner_id: 1, duration: 3, commission: 0 })
  const { id } = await planned({ offer_ids: [phone], loan_condition_ids: [60] })
  assertRefused('conflict', await call('DELETE', '/v1/catalog/loan-conditions/60'))
  await remove(id)
  equal((await call('DELETE', '/v1/catalog/loan-conditions/60')).status, 200)
})

test('a loan condition for an unknown promotion is refused, unless that promotion was deleted later', async () => {
  const path = '/v1/catalog/loan-conditions'
  const bound = (promotion_id: unknown) =>
    call('POST', path, { body: { partner_id: 1, duration: 6, promotion_id } })
  const unknown = await bound(999_999)
  assertRefused('validation_failed', unknown)
  deepEqual(
    unknown.body.error.details.fields.map((it: { path: string; rule: string }) => [it.path, it.rule]),
    [['promotion_id', 'exists']],
  )
  const { id: promotion } = await planned({ offer_ids: [phone], discount_percent: 1 })
  const condition = (await bound(promotion)).body.data.loan_condition
  equal(condition.promotion_id, promotion)
  assertRefused(
    'validation_failed',
    await call('PATCH', `${path}/${condition.id}`, { body: { promotion_id: 999_999 } }),
  )
  await remove(promotion)
  equal((await call('PATCH', `${path}/${condition.id}`, { body: { active: false } })).status, 200)
})

test('promotion routes need the marketing scopes', async () => {
  const reader = await shop.makeKey({ scopes: ['marketing:read'] })
  const outsider = await shop.makeKey({ scopes: ['catalog:read', 'catalog:write', 'admin:write'] })
  equal((await call('GET', promotionsPath, { key: reader })).status, 200)
  assertRefused('insufficient_permissions', await call('POST', promotionsPath, { key: reader, body: {} }))
  assertRefused('insufficient_permissions', await call('GET', promotionsPath, { key: outsider }))
})

test('promotions for the same offers at the same time are listed as conflicts with the one that wins', async () => {
  const key = await shop.makeKey({ scopes: ['marketing:read'] })
  const conflictsOf = async (...ids: string[]) => {
    const reply = await call('GET', `${promotionsPath}/conflicts`, { key })
    equal(reply.status, 200, reply.text)
    const { conflicts } = reply.body.data as { conflicts: { promotion_ids: string[] }[] }
    return conflicts.filter((it) => it.promotion_ids.every((id) => ids.includes(id)))
  }
  const offer = await stock.offer({ price: 900 })
  const other = await stock.offer({ price: 800 })
  const { product_id } = (await call('GET', `/v1/catalog/offers/${offer}`)).body.data.offer
  const { category_id } = (await call('GET', `/v1/catalog/products/${product_id}`)).body.data.product
  const day = 86_400
  const later = (from: number, to: number) => ({
    starts_at: inSeconds(from * day),
    ends_at: inSeconds(to * day),
  })
  const ten = await planned({ offer_ids: [offer], discount_percent: 10, ...later(10, 20) })
  const twenty = await planned({ category_ids: [category_id], discount_percent: 20, ...later(15, 30) })
  const after = await planned({ offer_ids: [offer], discount_percent: 50, ...later(20, 25) })
  const elsewhere = await planned({ offer_ids: [other], price_tiyin: 60_000, ...later(10, 20) })
  deepEqual(await conflictsOf(ten.id, elsewhere.id, after.id), [], 'other offers or another time')
  const [conflict] = await conflictsOf(ten.id, twenty.id)
  deepEqual(conflict, {
    promotion_ids: [ten.id, twenty.id],
    starts_at: (await get(twenty.id)).starts_at,
    ends_at: (await get(ten.id)).ends_at,
    offers: 1,
    sample_offer_ids: [String(offer)],
    winner_id: twenty.id,
  })
  const [mixed] = await conflictsOf(twenty.id, elsewhere.id)
  equal((mixed as { winner_id?: unknown } | undefined)?.winner_id, null, 'depends on the price')
  for (const it of [ten, twenty, after, elsewhere]) await remove(it.id)
})

test('the number of scheduled and running promotions is limited', async () => {
  const kind = recordKinds.find((it) => it.name === 'promotion')!
  const { count } = await db
    .read()
    .one<{ count: number }>(
      `select count(*) as count from catalog_promotions where ends_at is null or ends_at > $1`,
      [db.clock.now()],
    )
  const line = (at: number) => ({
    id: 10_000 + at,
    slug: `many-${at}`,
    title: 'М',
    offer_ids: [10],
    discount_percent: 1,
    starts_at: '2031-01-01T00:00:00Z',
  })
  const lines = Array.from({ length: maxUnended - count + 2 }, (_, at) => line(at))
  const refused = await db.transaction((tx) => kind.load(tx, lines))
  deepEqual(
    refused.map((it) => [it.at, it.faults[0]!.rule]),
    [
      [lines.length - 2, 'too_many'],
      [lines.length - 1, 'too_many'],
    ],
  )
  const reply = await plan({ offer_ids: [phone], discount_percent: 1 })
  equal(reply.status, 422, reply.text)
  ok(reply.text.includes('too_many'))
  // Existing promotions can still be changed. Past ones do not count until they are scheduled again.
  equal((await call('PATCH', `${promotionsPath}/10000`, { body: { title: 'Другая' } })).status, 200)
  const past = { starts_at: inSeconds(-60), ends_at: inSeconds(-30) }
  const { id } = await planned({ offer_ids: [phone], discount_percent: 1, ...past })
  const revived = await call('PATCH', `${promotionsPath}/${id}`, { body: { ends_at: null } })
  ok(revived.text.includes('too_many'), revived.text)
})
