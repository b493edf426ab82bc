// The products of the demo shop as the product index holds them.

import type { IndexedProduct } from '../../src/catalog/product-index/indexed-product.ts'
import { demoRecords, demoSeed } from '../../src/demo/index.ts'
import { demoProducts } from '../../src/demo/product.ts'
import { SeededRandom } from '../../src/demo/seeded-random.ts'

export interface ShopProduct {
  product: IndexedProduct
  /** The slug of its own category. */
  category: string
  brandSlug: string
}

export function shopProducts(): ShopProduct[] {
  const records = demoRecords(demoSeed)
  const categories = new Map(records.category.map((it) => [it.id, it]))
  const brands = new Map(records.brand.map((it) => [it.id, it]))
  const popularity = new Map(
    demoProducts(new SeededRandom(demoSeed)).map((it) => [it.record.id, it.popularity]),
  )
  const pathOf = (id: number | null): number[] =>
    id === null ? [] : [...pathOf(categories.get(id)!.parent_id), id]
  const variants = Map.groupBy(records.variant, (it) => it.product_id)
  const offers = Map.groupBy(records.offer, (it) => it.product_id)
  return records.product.map((it) => {
    const path = pathOf(it.category_id)
    const brand = brands.get(it.brand_id!)!
    return {
      category: categories.get(it.category_id)!.slug,
      brandSlug: brand.slug,
      product: {
        id: it.id,
        categoryPath: path,
        categoryNames: path.map((id) => categories.get(id)!.name),
        brandId: brand.id,
        brand: brand.name,
        createdAtMs: it.id,
        popularity: popularity.get(it.id)!,
        name: it.name,
        description: it.description,
        variants: (variants.get(it.id) ?? []).map(({ name, attributes }) => ({ name, attributes })),
        offers: (offers.get(it.id) ?? []).map((offer) => ({
          id: offer.id,
          partnerId: offer.partner_id,
          priceTiyin: offer.price_tiyin,
          oldPriceTiyin: offer.old_price_tiyin,
          quantity: offer.quantity,
          rating: 4.5,
          regions: ['home'],
        })),
      },
    }
  })
}
