// The demo shop as a pure function of a seed: the same seed gives the same bytes.

import { brands } from './brands.ts'
import { categories } from './categories.ts'
import { Chance } from './chance.ts'
import { clients } from './clients.ts'
import { exchangeRates } from './exchange-rates.ts'
import { moderatedOffers, offers } from './offers.ts'
import { loanConditions, partners } from './partners.ts'
import { stockedProducts } from './product.ts'
import { promotedConditions, promotions } from './promotions.ts'
import type {
  BrandLine,
  CategoryLine,
  ClientRecord,
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

/** Whatever a record names stands in a kind before its own. */
export interface DemoRecords {
  category: CategoryLine[]
  brand: BrandLine[]
  partner: PartnerRecord[]
  loan_condition: LoanConditionRecord[]
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
  const chance = new Chance(seed)
  const products = stockedProducts(chance)
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
    product: products.map((it) => it.record),
    variant: products.flatMap((it) => it.variants.map((variant) => variant.record)),
    offer: offered,
    moderated_offer: moderatedOffers(stock),
    promotion: promotions({ chance, offers: offered, conditions }),
    client: clients(chance),
    exchange_rate: exchangeRates,
  }
}
