// Offers and moderated offers: partner, price and terms.

import { type Partner, partners } from './partners.ts'
import type { Product, Variant } from './product.ts'
import type { LoanConditionRecord, ModeratedOfferRecord, OfferRecord, OfferTerms } from './record.ts'
import type { SeededRandom } from './seeded-random.ts'

export const offerCount = 6_000
export const moderatedOfferCount = 400

/** The lowest price for which an offer has loan conditions. */
const creditFromSums = 500_000
const dailyPaymentFromSums = 300_000
const prepaymentFromSums = 3_000_000

interface Sale {
  product: Product
  variant: Variant | null
  partner: Partner
}

export interface Stock {
  chance: SeededRandom
  products: Product[]
  loanConditions: LoanConditionRecord[]
}

/** One offer for each product; the remaining offers go to popular products more often. */
export function offers(stock: Stock): OfferRecord[] {
  const possible = stock.products.map((it) => salesOf(it, stock.chance))
  const others = possible.flatMap(([, ...rest]) => rest)
  const more = offerCount - possible.length
  if (others.length < more)
    throw new Error(`only ${others.length} additional offers are possible, ${more} are needed`)
  const chosen = new Set(stock.chance.shuffled('offers', others).slice(0, more))

  const sales = possible.flatMap(([first, ...rest]) => [first!, ...rest.filter((it) => chosen.has(it))])
  return sales.map((sale, at) => ({
    record: 'offer',
    id: at + 1,
    ...termsOf(sale, stock, `offer/${keyOf(sale)}`),
  }))
}

export function moderatedOffers(stock: Stock): ModeratedOfferRecord[] {
  const { chance } = stock
  return chance
    .shuffled('moderated', stock.products)
    .slice(0, moderatedOfferCount)
    .map((product, at) => {
      const partner = chance.oneOf(`moderated/partner/${product.record.slug}`, sellersOf(product))
      const variant = product.variants[0] ?? null
      const status = statusOf(chance.share(`moderated/status/${at}`))
      return {
        record: 'moderated_offer',
        id: at + 1,
        uuid: chance.uuid(`moderated/${at}`),
        status,
        reason: status === 'rejected' ? chance.oneOf(`moderated/reason/${at}`, reasons) : null,
        ...termsOf({ product, variant, partner }, stock, `moderated/${product.record.slug}`),
      }
    })
}

const reasons = [
  'На фото другой товар',
  'Нет документов на партию',
  'Цена ниже рыночной: подтвердите её',
  'Описание не совпадает с характеристиками',
]

const statusOf = (share: number): ModeratedOfferRecord['status'] =>
  share < 0.76 ? 'approved' : share < 0.88 ? 'pending' : share < 0.95 ? 'rejected' : 'draft'

const sellersOf = (product: Product): Partner[] =>
  partners.filter((it) => it.departments.has(product.department))

/** All possible sales of a product. Popular products have more partners; a partner may lack some variants. */
function salesOf(product: Product, chance: SeededRandom): Sale[] {
  const { slug } = product.record
  const count = product.popularity > 6 ? 4 : product.popularity > 2 ? 3 : 2
  const sellers = chance.shuffled(`sellers/${slug}`, sellersOf(product)).slice(0, count)
  const variants = product.variants.length > 0 ? product.variants : [null]
  return sellers.flatMap((partner) =>
    variants
      .map((variant) => ({ product, variant, partner }))
      .filter((sale, at) => at === 0 || chance.share(`sale/${keyOf(sale)}`) < 0.8),
  )
}

const keyOf = ({ product, variant, partner }: Sale): string =>
  `${product.record.slug}/${variant?.record.id ?? 0}/${partner.record.slug}`

function termsOf({ product, variant, partner }: Sale, stock: Stock, key: string): OfferTerms {
  const { chance } = stock
  const happens = (what: string, share: number) => chance.share(`${what}/${key}`) < share
  const whim = 0.98 + chance.share(`whim/${key}`) * 0.05
  const price = labelled(product.price * (variant?.factor ?? 1) * partner.level * whim)
  const before = labelled(price * (1.07 + chance.share(`before/${key}`) * 0.35))
  const isDiscounted = happens('discount', 0.26) && before > price
  const prepaid = happens('prepayment', 0.12) && price >= prepaymentFromSums
  return {
    product_id: product.record.id,
    variant_id: variant?.record.id ?? null,
    partner_id: partner.record.id,
    price_tiyin: inTiyin(price),
    old_price_tiyin: isDiscounted ? inTiyin(before) : null,
    quantity: quantityOf(price, chance, key),
    is_visible: !happens('hidden', 0.02),
    is_active: !happens('inactive', 0.02),
    regions: regionsOf(chance.share(`regions/${key}`)),
    loan_condition_ids: price < creditFromSums ? [] : conditionsOf(partner, stock),
    bnpl: {
      has_daily_payment: price >= dailyPaymentFromSums && happens('daily', 0.2),
      prepayment_tiyin: prepaid
        ? inTiyin(labelled(price * chance.oneOf(`part/${key}`, [0.1, 0.2, 0.3])))
        : null,
    },
    reservation_minutes: happens('reserved', 0.12) ? chance.oneOf(`minutes/${key}`, [15, 30, 60]) : null,
  }
}

const conditionsOf = (partner: Partner, { loanConditions }: Stock): number[] =>
  loanConditions.filter((it) => it.partner_id === partner.record.id && it.active).map((it) => it.id)

/** Cheap products have more units in stock; 7 % of the offers are sold out. */
function quantityOf(price: number, chance: SeededRandom, key: string): number {
  if (chance.share(`sold-out/${key}`) < 0.07) return 0
  const most = price < 100_000 ? 400 : price < 1_000_000 ? 80 : 20
  return 1 + Math.floor(chance.share(`quantity/${key}`) ** 2 * most)
}

const regionsOf = (share: number): OfferTerms['regions'] =>
  share < 0.9 ? ['home', 'global'] : share < 0.96 ? ['home'] : ['global']

/** Rounds to a typical retail price in sums: 34 900, 249 000, 3 499 000. */
export function labelled(sums: number): number {
  if (sums < 20_000) return Math.max(500, Math.round(sums / 500) * 500)
  if (sums < 100_000) return Math.round(sums / 1_000) * 1_000 - 100
  if (sums < 1_000_000) return Math.round(sums / 10_000) * 10_000 - 1_000
  if (sums < 10_000_000) return Math.round(sums / 50_000) * 50_000 - 1_000
  return Math.round(sums / 100_000) * 100_000 - 1_000
}

export const inTiyin = (sums: number): number => sums * 100
