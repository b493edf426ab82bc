import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../recommendations/ml/random.ts'
import type { Region, ShelfItem, ShelfOffer } from './item.ts'
import { Shelf } from './shelf.ts'
import type { Buying } from './stalls.ts'

const madeItem = (id: number, random: () => number): ShelfItem => {
  const below = (count: number) => Math.floor(random() * count)
  const category = 1 + below(6)
  const offer = (at: number): ShelfOffer => ({
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

/** The offer that a plain look at a product finds. */
function plainOffer(item: ShelfItem, { region, categoryId, withModerated }: Buying) {
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

test('what can be bought is what a plain look at every offer says, whatever comes and goes', () => {
  const random = seededRandom(9)
  const shelf = new Shelf()
  const stock = new Map<number, ShelfItem>()
  let sold = 0
  for (let step = 0; step < 2_000; step++) {
    const id = 1 + Math.floor(random() * 150)
    if (random() < 0.2) {
      shelf.remove(id)
      stock.delete(id)
    } else {
      const made = madeItem(id, random)
      const known = stock.get(id)
      const put = known && random() < 0.6 ? { ...known, offers: made.offers } : made
      shelf.put(put)
      stock.set(id, put)
    }
    if (step % 10 > 0) continue
    const buying: Buying = {
      region: random() < 0.5 ? 'home' : 'global',
      categoryId: random() < 0.5 ? null : 1 + Math.floor(random() * 6),
      withModerated: random() < 0.5,
    }
    const stalls = shelf.stalls(buying)
    for (const [product, item] of stock) {
      const slot = stalls.slotOf(product)
      ok(stalls.isAt(slot, product))
      const offer = plainOffer(item, buying)
      equal(stalls.sells(slot), offer !== undefined)
      if (!offer) continue
      sold++
      deepEqual(stalls.offerAt(slot), offer)
    }
  }
  ok(sold > 1_000)
})

test('a slot that became another product’s is not taken for the old one', () => {
  const random = seededRandom(2)
  const shelf = new Shelf()
  const stalls = shelf.stalls({ region: 'home', categoryId: null, withModerated: false })
  shelf.put(madeItem(1, random))
  const slot = stalls.slotOf(1)
  shelf.remove(1)
  ok(!stalls.isAt(slot, 1))
  equal(stalls.slotOf(1), -1)
  for (let id = 2; id < 3_000; id++) shelf.put(madeItem(id, random))
  ok(!stalls.isAt(slot, 1))
  ok(!stalls.isAt(-1, 2))
})
