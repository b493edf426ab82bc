// Catalog data for tests, stored through the import.

import type { Environment } from '../../src/base/database.ts'
import { recordKinds } from '../../src/catalog/index.ts'
import type { TestPlatform } from './shop.ts'

export interface OfferInput {
  id?: number
  productId?: number
  partnerId?: number
  /** In sums. */
  price?: number
  quantity?: number
  [field: string]: unknown
}

/** Adds a category and two partners with loan conditions; creates offers on demand. Offer ids start at 1000. */
export async function openStock({ app }: Pick<TestPlatform, 'app'>, environment: Environment = 'test') {
  const { db } = app.shops[environment]
  let next = 1_000
  const load = async (record: string, fields: Record<string, unknown>): Promise<void> => {
    const kind = recordKinds.find((it) => it.name === record)!
    const refused = await db.transaction((tx) => kind.load(tx, [fields]))
    if (refused.length > 0) throw new Error(`${record}: ${JSON.stringify(refused)}`)
  }
  await load('category', { id: 1, slug: 'phones', name: { ru: 'Телефоны', en: 'Phones' } })
  for (const [id, slug] of [
    [1, 'texnomart'],
    [2, 'asaxiy'],
  ] as const)
    await load('partner', { id, slug, name: slug, rating: 4, credit_active: true })
  await load('loan_condition', { id: 3, partner_id: 1, duration: 12, commission: 24 })
  await load('loan_condition', { id: 4, partner_id: 1, duration: 6, commission: 12 })
  await load('loan_condition', { id: 5, partner_id: 2, duration: 12, commission: 20 })

  const product = async (id: number): Promise<number> => {
    const name = { ru: `Товар ${id}`, uz: `Mahsulot ${id}`, en: `Product ${id}` }
    await load('product', { id, category_id: 1, slug: `product-${id}`, name })
    return id
  }
  const terms = async (input: OfferInput) => {
    const { id = next++, productId, partnerId = 1, price = 10_000, quantity = 100, ...rest } = input
    return {
      id,
      product_id: productId ?? (await product(id)),
      partner_id: partnerId,
      price_tiyin: Math.round(price * 100),
      quantity,
      ...rest,
    }
  }
  return {
    load,
    product,
    /** Creates an offer, by default of a new product. */
    offer: async (input: OfferInput = {}): Promise<number> => {
      const record = await terms(input)
      await load('offer', record)
      return record.id
    },
    moderatedOffer: async (input: OfferInput = {}): Promise<number> => {
      const record = await terms(input)
      await load('moderated_offer', { status: 'approved', ...record })
      return record.id
    },
  }
}
