import { deepEqual, equal, notDeepEqual, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../http/language.ts'
import { motifOf } from '../catalog/pictures/motif.ts'
import { categories } from './categories.ts'
import { type DemoRecords, demoRecords, demoSeed } from './demo-records.ts'
import { misspelt, mixedWord, slugForm } from '../../test/support/spelling.ts'

const shop = demoRecords(demoSeed)
const bytes = (records: DemoRecords) => JSON.stringify(records)
const idsOf = (records: readonly { id: number }[]) => new Set(records.map((it) => it.id))
const numbered = (records: readonly { id: number }[]) => records.every((it, at) => it.id === at + 1)
const share = <T>(things: readonly T[], holds: (thing: T) => boolean) =>
  things.filter(holds).length / things.length

test('the same seed gives the same bytes, and another seed others', () => {
  equal(bytes(demoRecords(demoSeed)), bytes(shop))
  const other = demoRecords('another')
  for (const kind of ['loan_condition', 'product', 'variant', 'offer', 'moderated_offer', 'client'] as const)
    notDeepEqual(other[kind], shop[kind])
})

test('every seed fills the shop with what was promised', () => {
  for (const records of [shop, demoRecords('another')]) {
    equal(records.partner.length, 40)
    equal(records.product.length, 3_000)
    equal(records.offer.length, 6_000)
    equal(records.moderated_offer.length, 400)
    equal(records.client.length, 2_000)
    for (const kind of [
      'partner',
      'loan_condition',
      'product',
      'variant',
      'offer',
      'moderated_offer',
      'client',
    ] as const)
      ok(numbered(records[kind]), kind)
  }
})

test('whatever a record names is there', () => {
  const [brands, partners, products] = [idsOf(shop.brand), idsOf(shop.partner), idsOf(shop.product)]
  const parents = new Set(categories.map((it) => it.parentId))
  for (const it of shop.product) {
    ok(brands.has(it.brand_id))
    ok(
      idsOf(shop.category).has(it.category_id) && !parents.has(it.category_id),
      `${it.slug} stands on no leaf`,
    )
  }
  for (const it of shop.loan_condition) ok(partners.has(it.partner_id))
  const productOf = new Map(shop.variant.map((it) => [it.id, it.product_id]))
  for (const id of productOf.values()) ok(products.has(id))
  const conditions = new Map(shop.loan_condition.map((it) => [it.id, it]))
  for (const it of [...shop.offer, ...shop.moderated_offer]) {
    ok(products.has(it.product_id) && partners.has(it.partner_id))
    ok(it.variant_id === null || productOf.get(it.variant_id) === it.product_id)
    for (const id of it.loan_condition_ids) equal(conditions.get(id)?.partner_id, it.partner_id)
  }
})

test('promotions name what is there, and each of their kinds runs', () => {
  const now = '2026-11-15T00:00:00.000Z'
  ok(numbered(shop.promotion))
  const running = shop.promotion.filter(
    (it) => it.starts_at <= now && (it.ends_at === null || it.ends_at > now),
  )
  ok(running.length < shop.promotion.length)
  for (const effect of ['discount_percent', 'price_tiyin'] as const)
    ok(running.some((it) => it[effect] !== null))
  const [categoryIds, brandIds, offers] = [
    idsOf(shop.category),
    idsOf(shop.brand),
    new Map(shop.offer.map((it) => [it.id, it])),
  ]
  const conditions = new Map(shop.loan_condition.map((it) => [it.id, it]))
  for (const it of shop.promotion) {
    ok(slugForm.test(it.slug) && !mixedWord.test(it.title) && !misspelt(it.title_uz), it.slug)
    ok(it.category_ids.every((id) => categoryIds.has(id)) && it.brand_ids.every((id) => brandIds.has(id)))
    for (const id of it.offer_ids) ok(offers.get(id)!.price_tiyin > it.price_tiyin!)
    for (const id of it.loan_condition_ids) equal(conditions.get(id)!.promotion_id, it.id)
  }
  ok(running.some((it) => it.loan_condition_ids.length > 0))
  ok(shop.promotion.some((it) => it.offer_ids.length === 40))
})

test('every leaf of the tree has goods, and every product an offer', () => {
  const parents = new Set(categories.map((it) => it.parentId))
  const filled = new Set(shop.product.map((it) => it.category_id))
  deepEqual(
    categories.filter((it) => !parents.has(it.id) && !filled.has(it.id)).map((it) => it.slug),
    [],
  )
  deepEqual(new Set(shop.offer.map((it) => it.product_id)), idsOf(shop.product))
  const withVariants = new Set(shop.variant.map((it) => it.product_id))
  for (const it of shop.offer) equal(it.variant_id !== null, withVariants.has(it.product_id))
})

test('slugs, UUIDs, telephones and addresses are well formed and belong to one each', () => {
  for (const records of [shop.partner, shop.product]) {
    deepEqual(
      records.filter((it) => !slugForm.test(it.slug) || it.slug.length > 100),
      [],
    )
    equal(new Set(records.map((it) => it.slug)).size, records.length)
  }
  const uuids = [
    ...shop.moderated_offer.map((it) => it.uuid),
    ...shop.client.flatMap((it) => it.external_ids),
  ]
  for (const it of uuids)
    ok(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(it), it)
  equal(new Set(uuids).size, 2_400)
  for (const it of shop.client) {
    ok(/^\+99800\d{7}$/.test(it.phone), it.phone)
    ok(/^[a-z.]+\.\d+@example\.(?:com|org|net)$/.test(it.email), it.email)
  }
  equal(new Set(shop.client.map((it) => it.phone)).size, 2_000)
  equal(new Set(shop.client.map((it) => it.email)).size, 2_000)
})

test('names are distinct, and names and descriptions are in three languages', () => {
  for (const language of languages)
    equal(new Set(shop.product.map((it) => it.name[language])).size, 3_000, language)
  for (const { name, description } of shop.product)
    for (const words of [name, description]) {
      equal(new Set(Object.values(words)).size, 3, words.en)
      ok(/[а-яё]/i.test(words.ru) && !mixedWord.test(words.ru), words.ru)
      ok(!/[а-яё]/i.test(words.uz + words.en), words.uz)
      ok(!misspelt(words.uz.replaceAll(/J’adore|L’Oréal|De’Longhi|Levi’s|D’Lites/g, '')), words.uz)
      for (const text of Object.values(words)) {
        equal(text, text.trim())
        ok(!/[{}]|undefined|  |,,/.test(text), text)
        ok(text.length <= 400, text)
      }
    }
})

test('descriptions say two or three things, and seldom the same of two products', () => {
  for (const { description } of shop.product) ok(description.en.match(/[.!?](?= |$)/g)!.length >= 2)
  ok(new Set(shop.product.map((it) => it.description.ru)).size > 2_200)
})

/** Ranges of brand ids with the departments in which they are allowed. */
// oxfmt-ignore
const homes: [first: number, last: number, departments: string][] = [
  [1, 11, 'electronics home-appliances kitchen home-and-garden'], [12, 12, 'home-and-garden'],
  [13, 22, 'groceries children'], [23, 23, 'children'], [24, 26, 'clothes-and-shoes'], [27, 27, 'auto'],
  [28, 36, 'books'], [37, 50, 'electronics home-appliances kitchen children sport tools beauty'], [51, 56, 'electronics'],
  [57, 76, 'electronics'], [77, 87, 'electronics home-appliances kitchen beauty auto'],
  [92, 92, 'home-appliances electronics'],
  [88, 111, 'home-appliances kitchen beauty tools auto home-and-garden'], [112, 117, 'kitchen'],
  [118, 135, 'clothes-and-shoes beauty sport books'], [136, 151, 'beauty'], [152, 160, 'children groceries sport'],
  [161, 163, 'home-and-garden kitchen'], [164, 173, 'home-and-garden tools home-appliances'],
  [174, 177, 'sport clothes-and-shoes'], [178, 187, 'auto'], [188, 197, 'groceries'], [198, 200, 'books'],
]

test('every category and every product has a picture of its own kind, not the parcel', () => {
  const slugs = new Map(shop.category.map((it) => [it.id, it.slug]))
  deepEqual(
    [...slugs.values()].filter((slug) => motifOf({ slug }) === 'gift'),
    [],
  )
  deepEqual(
    shop.product.filter(
      (it) => motifOf({ slug: it.slug, categorySlug: slugs.get(it.category_id)! }) === 'gift',
    ),
    [],
  )
})

test('no washing machine comes from a maker of yoghurt', () => {
  const parentOf = new Map(shop.category.map((it) => [it.id, it]))
  const top = (id: number): string => {
    const { parent_id, slug } = parentOf.get(id)!
    return parent_id === null ? slug : top(parent_id)
  }
  const strange = shop.product.filter((it) => {
    const home = homes.find(([first, last]) => it.brand_id >= first && it.brand_id <= last)!
    return !home[2].split(' ').includes(top(it.category_id))
  })
  deepEqual(
    strange.map((it) => it.name.en),
    [],
  )
})

test('prices look like prices, and a discount lowers one', () => {
  for (const it of [...shop.offer, ...shop.moderated_offer]) {
    const sums = it.price_tiyin / 100
    ok(Number.isInteger(sums) && sums >= 500 && sums <= 50_000_000, `${sums}`)
    ok(sums < 100_000 ? sums % 500 === 0 || sums % 1_000 === 900 : sums % 10_000 === 9_000, `${sums}`)
    ok(it.old_price_tiyin === null || it.old_price_tiyin > it.price_tiyin)
    ok((it.bnpl.prepayment_tiyin ?? 0) < it.price_tiyin)
  }
})

test('there is something of everything that an offer can be', () => {
  const within = (part: number, least: number, most: number) => ok(part >= least && part <= most, `${part}`)
  within(
    share(shop.offer, (it) => it.old_price_tiyin !== null),
    0.2,
    0.3,
  )
  within(
    share(shop.offer, (it) => it.quantity === 0),
    0.05,
    0.1,
  )
  within(
    share(shop.offer, (it) => !it.is_visible || !it.is_active),
    0.02,
    0.06,
  )
  within(
    share(shop.offer, (it) => it.regions.join() === 'home'),
    0.03,
    0.1,
  )
  within(
    share(shop.offer, (it) => it.regions.join() === 'global'),
    0.02,
    0.06,
  )
  within(
    share(shop.offer, (it) => it.bnpl.has_daily_payment),
    0.05,
    0.2,
  )
  within(
    share(shop.offer, (it) => it.bnpl.prepayment_tiyin !== null),
    0.01,
    0.1,
  )
  within(
    share(shop.offer, (it) => it.reservation_minutes !== null),
    0.08,
    0.16,
  )
  within(
    share(shop.offer, (it) => it.loan_condition_ids.length > 0),
    0.3,
    0.8,
  )
  within(
    share(shop.moderated_offer, (it) => it.status === 'approved'),
    0.65,
    0.85,
  )
  deepEqual(new Set(shop.moderated_offer.map((it) => it.status)).size, 4)
  deepEqual(
    [...new Set(shop.loan_condition.map((it) => it.duration))].sort((a, b) => a - b),
    [3, 6, 12, 24],
  )
})

test('no partner sells the same product twice', () => {
  const sales = shop.offer.map((it) => `${it.product_id}/${it.variant_id}/${it.partner_id}`)
  equal(new Set(sales).size, sales.length)
})

test('two partners rarely ask the same for one thing', () => {
  const rivals = [...Map.groupBy(shop.offer, (it) => `${it.product_id}/${it.variant_id}`).values()].filter(
    (it) => it.length > 1,
  )
  ok(rivals.length > 1_000)
  ok(share(rivals, (it) => new Set(it.map((offer) => offer.price_tiyin)).size > 1) > 0.6)
})

test('a buyer of one seed has no number of another', () => {
  notEqual(demoRecords('another').client[0]!.phone, shop.client[0]!.phone)
})
