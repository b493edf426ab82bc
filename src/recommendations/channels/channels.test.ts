import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { OfferDetails } from '../../catalog/index.ts'
import { checker } from '../../http/validation.ts'
import { seededRandom } from '../../ml/random.ts'
import type { Source } from '../serving/request.ts'
import { channels, type Settings } from './channels.ts'
import type { Reading } from './offer-shapes.ts'
import { OfferSerializer } from './routes.ts'

const settings: Settings = {
  cfBackend: 'cf',
  v2DefaultGroup: 'cf',
  miniAppIdV1: 'mini-one',
  miniAppIdV2: 'mini-two',
  r3Sunset: undefined,
  requireKey: false,
  logShare: 1,
  timezone: 'Asia/Tashkent',
}
const reading = { language: 'en', origin: 'https://shop.uz' } as const
const at = new Date('2026-11-01T00:00:00Z')

const offer: OfferDetails = {
  id: 1000,
  version: 1,
  createdAt: at,
  updatedAt: at,
  productId: 10,
  variantId: null,
  partnerId: 1,
  usualPriceTiyin: 129_900_050,
  priceTiyin: 129_900_050,
  oldPriceTiyin: 150_000_000,
  quantity: 5,
  isVisible: true,
  isActive: true,
  regions: ['home', 'global'],
  loanConditionIds: [3, 4],
  hasDailyPayment: true,
  prepaymentTiyin: 100_000,
  reservationMinutes: null,
  rating: 4.8,
  partner: {
    id: 1,
    name: 'Texnomart',
    slug: 'texnomart',
    rating: 4.8,
    isRecommended: true,
    creditActive: true,
    logoPath: 'https://cdn.uz/t.png',
  },
  conditions: [
    { id: 4, duration: 24, commission: 40, promotionId: 7 },
    { id: 3, duration: 12, commission: 24, promotionId: null },
  ],
  promotions: [
    {
      id: 7,
      uuid: '7d9f4a52-0b7c-4c39-8f0e-0d6b8c1a2b3c',
      title: 'Навруз',
      titleUz: 'Navroʻz',
      titleEn: 'Navruz',
      slug: 'navruz',
    },
  ],
  moderation: null,
  name: { en: 'Artel Nova, black' },
  product: { name: { en: 'Artel Nova' }, slug: 'artel-nova' },
  variantColour: null,
  slug: 'artel-nova-1000',
  path: '/phones/artel-nova-1000',
  images: [
    { lgPath: 'https://cdn.uz/l.png', mdPath: 'https://cdn.uz/m.png', smPath: 'https://cdn.uz/s.png' },
  ],
  categoryId: 1,
  brandId: 1,
}
const moderated: OfferDetails = {
  ...offer,
  id: 50,
  moderation: { uuid: '0e2f9c55-9c77-4e0a-b8a1-2f5d3c4b5a69', status: 'approved' },
}
const bare: OfferDetails = {
  ...offer,
  oldPriceTiyin: null,
  conditions: [],
  promotions: [],
  prepaymentTiyin: null,
}

const channelAt = (path: string) => channels.find((it) => it.path === path)!
const viewAt = (path: string, it: OfferDetails) => channelAt(path).offer.view(it, reading)

const printer = new OfferSerializer(settings)
const replyAt = (path: string, offers: OfferDetails[], source: Source, how: Reading = reading) =>
  JSON.parse(String(printer.reply(channelAt(path), { offers, source }, how)))

const partner = {
  id: 1,
  name: 'Texnomart',
  logo_path: 'https://cdn.uz/t.png',
  slug: 'texnomart',
  rating: 4.8,
  is_recommended: true,
}
const events = [
  { id: '7d9f4a52-0b7c-4c39-8f0e-0d6b8c1a2b3c', title: 'Навруз', title_uz: 'Navroʻz', slug: 'navruz' },
]
const general = {
  offer_id: '1000',
  name: 'Artel Nova, black',
  slug: 'artel-nova-1000',
  quantity: 5,
  price: 1_299_001,
  raw_old_price: 1_500_000,
  old_price: 1_500_000,
  is_visible: true,
  rating: 4.8,
  path: '/phones/artel-nova-1000',
  discount: -13,
  image_path: 'https://cdn.uz/l.png',
  bnpl_details: { has_daily_payment: true, prepayment_amount: 1_000 },
  partner,
  events,
}
const web = {
  offer_id: 1000,
  moderated_offer_id: null,
  name: 'Artel Nova, black',
  slug: 'artel-nova-1000',
  quantity: 5,
  price: 129_900_050,
  raw_old_price: 150_000_000,
  old_price: 150_000_000,
  is_visible: true,
  rating: 4.8,
  discount: -13,
  image_path: 'https://cdn.uz/l.png',
  bnpl_details: { has_daily_payment: true, prepayment_amount: 100_000 },
  partner,
  events,
  condition: { id: 4, duration: 24, commission: 40, event_id: 7 },
  monthly_loan_repayment: 7_577_503,
  product_id: 10,
}
const classic = {
  id: 1000,
  name: 'Artel Nova, black',
  slug: 'artel-nova-1000',
  quantity: 5,
  price: 1_299_001,
  old_price: 1_500_000,
  is_visible: true,
  rating: 4.8,
  path: '/phones/artel-nova-1000',
  discount: -13,
  product: {
    id: 10,
    name: 'Artel Nova',
    title_image: {
      lg_path: 'https://cdn.uz/l.png',
      md_path: 'https://cdn.uz/m.png',
      sm_path: 'https://cdn.uz/s.png',
    },
  },
  bnpl_details: { has_daily_payment: true, prepayment_amount: 1_000 },
  partner,
}
const cf = {
  id: 1000,
  name: 'Artel Nova, black',
  slug: 'artel-nova-1000',
  price: 1_299_001,
  old_price: 1_500_000,
  rating: 4.8,
  product: { id: 10, title_image: { lg_path: 'https://cdn.uz/l.png' } },
  partner: { id: 1, name: 'Texnomart' },
}
const { slug: _slug, old_price: _old, rating: _rating, ...category } = cf
const { id: _id, event_id: _event, ...terms } = web.condition

/** The fields that each channel sends for the same offer. */
const golden: Record<string, object> = {
  '/offers/recommended/v3': general,
  '/offers/recommended/v2': classic,
  '/offers/recommended': classic,
  '/mobile/offers/recommended/v3': {
    offer_id: '1000',
    name: 'Artel Nova, black',
    slug: 'artel-nova-1000',
    quantity: 5,
    price: 1_299_001,
    old_price: 1_500_000,
    rating: 4.8,
    image_path: 'https://cdn.uz/l.png',
    partner: { id: 1, name: 'Texnomart', slug: 'texnomart' },
  },
  '/mobile/cf/v1/recommended': cf,
  '/api/gateway/web/offers/recommended-cf': cf,
  '/api/gateway/web/offers/recommended-v2': cf,
  '/mobile/recommended-offers/categories-page': category,
  '/api/gateway/categories-page/recommendations': category,
  '/api/gateway/catalog/recommended-offers/v3/web': web,
  '/web/client/offers/recommended-v3': web,
  '/web/client/miniapp/offers/recommended/v3/': {
    ...web,
    condition: terms,
    conditions: [terms, { duration: 12, commission: 24 }],
  },
}

for (const { path, offer: shape, wrapper } of channels)
  test(`${path} sends exactly its fields`, () => {
    deepEqual(viewAt(path, offer), golden[path])
    const check = checker()(wrapper.shape(shape.shape))
    for (const it of [offer, bare]) check(replyAt(path, [it], 'cf'))
  })

/** Offers with and without each optional part. */
const offersOfAllKinds = (): OfferDetails[] => {
  const random = seededRandom(8)
  const oneOf = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!
  return Array.from({ length: 300 }, () => {
    const priceTiyin = 1 + Math.floor(random() * 10 ** oneOf(1, 3, 8, 13))
    return {
      ...offer,
      priceTiyin,
      oldPriceTiyin: oneOf(null, 1, priceTiyin, Math.ceil(priceTiyin * (1 + random()))),
      prepaymentTiyin: oneOf(null, 0, priceTiyin),
      moderation: oneOf(null, moderated.moderation),
      conditions: oneOf([], offer.conditions, offer.conditions.slice(1)),
      promotions: oneOf([], offer.promotions),
      images: oneOf([], offer.images),
      partner: { ...offer.partner, logoPath: oneOf('', offer.partner.logoPath) },
      variantId: oneOf(null, 5),
    }
  })
}
/** The paths of all fields of a value; elements of a list are merged. */
const fieldsOf = (value: unknown, within = ''): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Array.isArray(value)
      ? [...new Set(value.flatMap((it) => fieldsOf(it, `${within}[]`)))]
      : Object.entries(value).flatMap(([name, it]) => [
          `${within}.${name}`,
          ...fieldsOf(it, `${within}.${name}`),
        ])
/** Parts that may be null or empty; the first two may be absent. */
const mayLack = /^\.(old_price|monthly_loan_repayment)$|^\.(condition|conditions\[\]|events\[\])\./

for (const { path } of channels)
  test(`${path} sends the fields of its golden offer and no others for every kind of offer`, () => {
    const own = fieldsOf(golden[path])
    const isInTiyin = 'moderated_offer_id' in golden[path]!
    for (const it of offersOfAllKinds()) {
      const reply = replyAt(path, [it], 'catboost')
      const sent = fieldsOf((reply.offers ?? reply)[0])
      deepEqual(
        sent.filter((name) => !own.includes(name)),
        [],
      )
      deepEqual(
        own.filter(
          (name) => !sent.includes(name) && !(mayLack.test(name) && (isInTiyin || name !== '.old_price')),
        ),
        [],
      )
    }
  })

test('a moderated offer is identified by its UUID', () => {
  equal(viewAt('/offers/recommended/v3', moderated)['offer_id'], moderated.moderation!.uuid)
  const { offer_id, moderated_offer_id } = viewAt('/web/client/offers/recommended-v3', moderated)
  deepEqual([offer_id, moderated_offer_id], [null, moderated.moderation!.uuid])
})

test('without a valid old price and without conditions, fields are null or absent as each variant has it', () => {
  deepEqual(
    [viewAt('/offers/recommended/v3', bare)['discount'], viewAt('/offers/recommended/v2', bare)['discount']],
    [null, 0],
  )
  const onWeb = viewAt('/web/client/offers/recommended-v3', bare)
  deepEqual(
    ['old_price' in onWeb, 'monthly_loan_repayment' in onWeb, onWeb['condition']],
    [false, false, null],
  )
  deepEqual(viewAt('/web/client/miniapp/offers/recommended/v3/', bare)['conditions'], [])
})

test('the wrappers have a source, a mini-app’s id, both, or nothing around the offers', () => {
  const empty = (path: string) => replyAt(path, [], 'catboost')
  deepEqual(empty('/offers/recommended/v3'), { offers: [], mini_app_id: null, source: 'catboost' })
  deepEqual(empty('/offers/recommended/v2'), { offers: [], mini_app_id: 'mini-two', source: 'catboost' })
  deepEqual(empty('/offers/recommended'), { offers: [], mini_app_id: 'mini-one' })
  deepEqual(empty('/mobile/offers/recommended/v3'), { offers: [], source: 'catboost' })
  deepEqual(empty('/mobile/recommended-offers/categories-page'), [])
})

test('an offer is serialized again only for another language, origin or shape', () => {
  const path = '/offers/recommended/v3'
  const first = replyAt(path, [offer, moderated], 'catboost')
  deepEqual(first, { offers: [general, viewAt(path, moderated)], mini_app_id: null, source: 'catboost' })
  const russian = { ...offer, name: { ru: 'Новый', en: 'New' } }
  const nameIn = (language: 'ru' | 'en') =>
    replyAt(path, [russian], 'catboost', { ...reading, language }).offers[0].name
  deepEqual([nameIn('ru'), nameIn('en'), nameIn('ru')], ['Новый', 'New', 'Новый'])
  const drawn = { ...offer, images: [] }
  const pictureAt = (origin: string) =>
    replyAt(path, [drawn], 'catboost', { ...reading, origin }).offers[0].image_path
  for (let shop = 0; shop < 30; shop++)
    equal(pictureAt(`https://${shop}.uz`).startsWith(`https://${shop}.uz/`), true)
  deepEqual(replyAt('/mobile/cf/v1/recommended', [offer], 'cf').offers, [cf])
})
