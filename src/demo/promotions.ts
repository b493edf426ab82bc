// What is cheaper for a while. Those that run have no end, so that a newcomer sees them whenever he comes.

import { brands } from './brands.ts'
import { categories } from './categories.ts'
import type { Chance } from './chance.ts'
import { partners } from './partners.ts'
import { inTiyin } from './price.ts'
import type { LoanConditionRecord, OfferRecord, PromotionRecord } from './record.ts'

const idOf = (things: readonly { id: number; slug: string }[], slug: string): number =>
  things.find((it) => it.slug === slug)!.id
const category = (slug: string) => idOf(categories, slug)
const brand = (slug: string) => idOf(brands, slug)

const creditId = 3
const creditMonths = 24
/** Those that sell telephones without any charge while the promotion runs. */
const generous = ['shosh-texno', 'raqamli-olam', 'mobil-saroy']

/** Conditions that only a promotion gives; their ids follow those that partners always have. */
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

/** Offers that usually cost somewhat more than what everything costs. */
const bargains = (offers: readonly OfferRecord[], chance: Chance): number[] =>
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

interface Wish extends Partial<PromotionRecord> {
  slug: string
  title: string
  title_uz: string
}

export function promotions(stock: {
  chance: Chance
  offers: readonly OfferRecord[]
  conditions: readonly LoanConditionRecord[]
}): PromotionRecord[] {
  const { chance, offers, conditions } = stock
  const wishes: Wish[] = [
    {
      slug: 'cosy-home',
      title: 'Уютный дом: скидки на бытовую технику',
      title_uz: 'Shinam uy: maishiy texnikaga chegirmalar',
      category_ids: [category('home-appliances')],
      discount_percent: 10,
    },
    {
      slug: 'made-at-home',
      title: 'Сделано в Узбекистане: Artel и Akfa',
      title_uz: 'O‘zbekistonda ishlab chiqarilgan: Artel va Akfa',
      brand_ids: [brand('artel'), brand('akfa')],
      discount_percent: 15,
    },
    {
      slug: 'phones-without-charge',
      title: 'Телефоны в рассрочку без переплаты',
      title_uz: 'Ustamasiz muddatli to‘lovga telefonlar',
      category_ids: [category('phones')],
      loan_condition_ids: conditions.map((it) => it.id),
    },
    {
      slug: 'everything-at-99000',
      title: 'Всё по 99 000',
      title_uz: 'Hammasi 99 000 dan',
      offer_ids: bargains(offers, chance),
      price_tiyin: inTiyin(everythingAtSums),
    },
    {
      slug: 'navruz',
      title: 'Навруз: подарки со скидкой',
      title_uz: 'Navro‘z: chegirmadagi sovg‘alar',
      starts_at: '2027-03-14T19:00:00.000Z',
      ends_at: '2027-03-24T19:00:00.000Z',
      category_ids: [category('beauty'), category('sweets')],
      discount_percent: 20,
    },
  ]
  return wishes.map((it, at) => ({
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
