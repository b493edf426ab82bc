import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import type { Region, IndexedProduct, IndexedOffer } from './indexed-product.ts'
import { ProductIndex } from './product-index.ts'
import type { BuyableScope } from './buyable-offers.ts'

const madeItem = (id: number, random: () => number): IndexedProduct => {
  const below = (count: number) => Math.floor(random() * count)
  const category = 1 + below(6)
  const offer = (at: number): IndexedOffer => ({
    id: id * 10 + at,
    partnerId: 1 + below(5),
    priceTiyin: 100 * (1 + below(30)),
    oldPriceTiyin: null,
    quantity: below(3),
    rating: below(5),
    regions: ([['home'], ['global'], ['home', 'global']] satisfies Region[][])[below(3)]!,
    isModerated: random() < 0.4,
  })
  return {
    id,
    categoryPath: category < 3 ? [category] : [category % 2, category],
    brandId: null,
    createdAtMs: 0,
    popularity: below(9),
    name: { ru: `Товар ${below(50)}` },
    description: {},
    brand: '',
    categoryNames: [],
    variants: [],
    offers: Array.from({ length: below(4) }, (_, at) => offer(at)),
  }
}

/** The best offer, found by comparing all offers of the product. */
function plainOffer(item: IndexedProduct, { region, categoryId, withModerated }: BuyableScope) {
  if (categoryId !== null && !item.categoryPath.includes(categoryId)) return undefined
  const [best] = item.offers
    .filter((it) => it.quantity > 0 && it.regions.includes(region) && (withModerated || !it.isModerated))
    .toSorted((a, b) => a.priceTiyin - b.priceTiyin || b.rating - a.rating || a.id - b.id)
  return (
    best && {
      productId: item.id,
      offerId: best.id,
      isModerated: best.isModerated,
      partnerId: best.partnerId,
      categoryId: item.categoryPath.at(-1),
    }
  )
}

test('buyable offers equal those of a full scan after any changes', () => {
  const random = seededRandom(9)
  const index = new ProductIndex()
  const stock = new Map<number, IndexedProduct>()
  let sold = 0
  for (let step = 0; step < 2_000; step++) {
    const id = 1 + Math.floor(random() * 150)
    if (random() < 0.2) {
      index.remove(id)
      stock.delete(id)
    } else {
      const made = madeItem(id, random)
      const known = stock.get(id)
      const put = known && random() < 0.6 ? { ...known, offers: made.offers } : made
      index.put(put)
      stock.set(id, put)
    }
    if (step % 10 > 0) continue
    const scope: BuyableScope = {
      region: random() < 0.5 ? 'home' : 'global',
      categoryId: random() < 0.5 ? null : 1 + Math.floor(random() * 6),
      withModerated: random() < 0.5,
    }
    const buyable = index.buyableOffers(scope)
    for (const [product, item] of stock) {
      const slot = buyable.slotOf(product)
      ok(buyable.isAt(slot, product))
      const offer = plainOffer(item, scope)
      equal(buyable.has(slot), offer !== undefined)
      if (!offer) continue
      sold++
      deepEqual(buyable.offerAt(slot), offer)
    }
  }
  ok(sold > 1_000)
})

test('a slot that was reused is not taken for the old product', () => {
  const random = seededRandom(2)
  const index = new ProductIndex()
  const buyable = index.buyableOffers({ region: 'home', categoryId: null, withModerated: false })
  index.put(madeItem(1, random))
  const slot = buyable.slotOf(1)
  index.remove(1)
  ok(!buyable.isAt(slot, 1))
  equal(buyable.slotOf(1), -1)
  for (let id = 2; id < 3_000; id++) index.put(madeItem(id, random))
  ok(!buyable.isAt(slot, 1))
  ok(!buyable.isAt(-1, 2))
})
