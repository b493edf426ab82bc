// The demo shop as a pure function of a seed: the same seed gives the same bytes.

import { attributes } from './attributes.ts'
import { brands } from './brands.ts'
import { categories } from './categories.ts'
import { clients } from './clients.ts'
import { deliveryMethods } from './delivery.ts'
import { moderatedOffers, offers } from './offers.ts'
import { loanConditions, partners } from './partners.ts'
import { demoProducts } from './product.ts'
import { promotedConditions, promotions } from './promotions.ts'
import type {
  AttributeRecord,
  BrandLine,
  CategoryLine,
  ClientRecord,
  DeliveryMethodRecord,
  ExchangeRateRecord,
  InThree,
  LoanConditionRecord,
  ModeratedOfferRecord,
  OfferRecord,
  PartnerRecord,
  ProductRecord,
  PromotionRecord,
  VariantRecord,
} from './record.ts'
import { SeededRandom } from './seeded-random.ts'

/** Ordered by dependency: a record refers only to kinds listed before its own. */
export interface DemoRecords {
  category: CategoryLine[]
  brand: BrandLine[]
  partner: PartnerRecord[]
  loan_condition: LoanConditionRecord[]
  delivery_method: DeliveryMethodRecord[]
  attribute: AttributeRecord[]
  product: ProductRecord[]
  variant: VariantRecord[]
  offer: OfferRecord[]
  moderated_offer: ModeratedOfferRecord[]
  promotion: PromotionRecord[]
  client: ClientRecord[]
  exchange_rate: ExchangeRateRecord[]
}

export const demoSeed = 'bozor'

export function demoRecords(seed: string): DemoRecords {
  const chance = new SeededRandom(seed)
  const products = demoProducts(chance)
  const stock = { chance, products, loanConditions: loanConditions(chance) }
  const offered = offers(stock)
  const conditions = promotedConditions(stock.loanConditions)
  return {
    category: categories.map((it) => ({
      record: 'category',
      id: it.id,
      parent_id: it.parentId,
      slug: it.slug,
      name: it.name as InThree,
      description: it.description as InThree,
    })),
    brand: brands,
    partner: partners.map((it) => it.record),
    loan_condition: [...stock.loanConditions, ...conditions],
    delivery_method: deliveryMethods(chance),
    attribute: attributes,
    product: products.map((it) => it.record),
    variant: products.flatMap((it) => it.variants.map((variant) => variant.record)),
    offer: offered,
    moderated_offer: moderatedOffers(stock),
    promotion: promotions({ chance, offers: offered, conditions }),
    client: clients(chance),
    exchange_rate: exchangeRates,
  }
}

// Sums per unit of foreign currency. Sample values; an operator sets the real rates.
// oxfmt-ignore
const sums: Record<string, number> = {
  USD: 12_650, EUR: 13_740, GBP: 16_380, RUB: 141, KZT: 24.4, CNY: 1_745, TRY: 352, AED: 3_444, KGS: 144.6, TJS: 1_160, KRW: 8.9, JPY: 84.3,
}

export const exchangeRates: ExchangeRateRecord[] = Object.entries(sums).map(([currency, it]) => ({
  record: 'exchange_rate',
  currency,
  tiyin: Math.round(it * 100),
}))
