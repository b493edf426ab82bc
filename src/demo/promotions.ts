// Promotions. Running ones have no end, so that the demo shows them at any date.

import { brands } from './brands.ts'
import { categories } from './categories.ts'
import { inTiyin } from './offers.ts'
import { partners } from './partners.ts'
import type { LoanConditionRecord, OfferRecord, PromotionRecord } from './record.ts'
import type { SeededRandom } from './seeded-random.ts'

const idOf = (things: readonly { id: number; slug: string }[], slug: string): number =>
  things.find((it) => it.slug === slug)!.id
const category = (slug: string) => idOf(categories, slug)
const brand = (slug: string) => idOf(brands, slug)

const creditId = 3
const creditMonths = 24
/** Partners that sell phones at 0 % commission during the promotion. */
const generous = ['shosh-texno', 'raqamli-olam', 'mobil-saroy']

/** Loan conditions that are valid only in a promotion; their ids follow the usual ones. */
export const promotedConditions = (usual: readonly LoanConditionRecord[]): LoanConditionRecord[] =>
  generous.map((slug, at) => ({
    record: 'loan_condition',
    id: usual.length + at + 1,
    partner_id: partners.find((it) => it.record.slug === slug)!.record.id,
    duration: creditMonths,
    commission: 0,
    active: true,
    promotion_id: creditId,
  }))

const everythingAtSums = 99_000
const dearestSums = 160_000
const bargainCount = 40

/** Offers whose usual price is slightly above the fixed price of the promotion. */
const bargains = (offers: readonly OfferRecord[], chance: SeededRandom): number[] =>
  chance
    .shuffled(
      'bargains',
      offers.filter(
        (it) => it.price_tiyin > inTiyin(everythingAtSums) && it.price_tiyin <= inTiyin(dearestSums),
      ),
    )
    .slice(0, bargainCount)
    .map((it) => it.id)
    .sort((a, b) => a - b)

interface PromotionPlan extends Partial<PromotionRecord> {
  slug: string
  title: string
  title_uz: string
  title_en: string
}

export function promotions(stock: {
  chance: SeededRandom
  offers: readonly OfferRecord[]
  conditions: readonly LoanConditionRecord[]
}): PromotionRecord[] {
  const { chance, offers, conditions } = stock
  const plans: PromotionPlan[] = [
    {
      slug: 'cosy-home',
      title: 'Уютный дом: скидки на бытовую технику',
      title_uz: 'Shinam uy: maishiy texnikaga chegirmalar',
      title_en: 'Cosy home: home appliances for less',
      category_ids: [category('home-appliances')],
      discount_percent: 10,
    },
    {
      slug: 'made-at-home',
      title: 'Сделано в Узбекистане: Artel и Akfa',
      title_uz: 'O‘zbekistonda ishlab chiqarilgan: Artel va Akfa',
      title_en: 'Made in Uzbekistan: Artel and Akfa',
      brand_ids: [brand('artel'), brand('akfa')],
      discount_percent: 15,
    },
    {
      slug: 'phones-without-charge',
      title: 'Телефоны и гаджеты в рассрочку без переплаты',
      title_uz: 'Telefon va gadjetlar ustamasiz muddatli to‘lovga',
      title_en: 'Phones and gadgets in instalments at no extra cost',
      category_ids: [category('phones')],
      loan_condition_ids: conditions.map((it) => it.id),
    },
    {
      slug: 'everything-at-99000',
      title: 'Всё по 99 000 сум',
      title_uz: 'Hammasi 99 000 so‘mdan',
      title_en: 'Everything for 99 000 sum',
      offer_ids: bargains(offers, chance),
      price_tiyin: inTiyin(everythingAtSums),
    },
    {
      slug: 'navruz',
      title: 'Навруз: подарки со скидкой',
      title_uz: 'Navro‘z: chegirmadagi sovg‘alar',
      title_en: 'Navruz: presents at a discount',
      starts_at: '2027-03-14T19:00:00.000Z',
      ends_at: '2027-03-24T19:00:00.000Z',
      category_ids: [category('beauty'), category('sweets')],
      discount_percent: 20,
    },
  ]
  return plans.map((it, at) => ({
    record: 'promotion',
    id: at + 1,
    uuid: chance.uuid(`promotion/${it.slug}`),
    starts_at: '2026-09-01T00:00:00.000Z',
    ends_at: null,
    offer_ids: [],
    category_ids: [],
    brand_ids: [],
    discount_percent: null,
    price_tiyin: null,
    loan_condition_ids: [],
    ...it,
  }))
}
