import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { offerDetails } from '../../../test/support/priced-carts.ts'
import { type PricedWishlistItem, wishlistMessages } from './priced-items.ts'
import { mergeItems, maxWishlistItems, unionOf, type WishlistItem } from './wishlist.ts'

const item = (offerId: number, more: Partial<WishlistItem> = {}): WishlistItem => ({
  isModerated: false,
  offerId,
  priceAtAddTiyin: 100_000,
  wasAvailable: true,
  addedAt: new Date(offerId * 1_000),
  ...more,
})
const idsOf = (items: WishlistItem[]) => items.map((it) => it.offerId)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => item(from + at))

test('a union holds every offer once, as the client has it, the latest first', () => {
  const own = [item(3, { priceAtAddTiyin: 5 }), item(1)]
  const { added, dropped } = mergeItems(own, [item(4), item(3), item(2)])
  deepEqual([idsOf(added), dropped], [[4, 2], []])
  const all = unionOf(own, added)
  deepEqual(idsOf(all), [4, 3, 2, 1])
  equal(all[1]!.priceAtAddTiyin, 5)
  deepEqual(mergeItems(all, all), { added: [], dropped: [] })
})

test('an ordinary and a moderated offer with the same id are two items', () => {
  const { added } = mergeItems([item(1)], [item(1, { isModerated: true })])
  deepEqual(
    unionOf([item(1)], added).map((it) => it.isModerated),
    [true, false],
  )
})

test('when there is not room for all, the latest of the guest come', () => {
  const own = range(1, maxWishlistItems - 1)
  const { added, dropped } = mergeItems(own, range(1_000, 1_005).toReversed())
  deepEqual(
    [idsOf(added), idsOf(dropped)],
    [
      [1_004, 1_003],
      [1_002, 1_001, 1_000],
    ],
  )
})

const shown = (it: Partial<PricedWishlistItem>): PricedWishlistItem => ({
  item: item(1),
  offer: offerDetails({ price: 1_000 }),
  availableUnits: 5,
  unavailable: undefined,
  maxUnits: 5,
  ...it,
})

test('an item has messages about changes of its offer', () => {
  const codes = (it: Partial<PricedWishlistItem>) =>
    wishlistMessages(shown(it)).map((message) => message.code)
  deepEqual(codes({}), [])
  deepEqual(codes({ offer: offerDetails({ price: 900 }) }), ['price_lowered'])
  deepEqual(codes({ offer: offerDetails({ price: 1_100 }) }), ['price_raised'])
  deepEqual(codes({ item: item(1, { wasAvailable: false }) }), ['back_in_stock'])
  deepEqual(codes({ unavailable: 'out_of_stock' }), ['out_of_stock'])
  deepEqual(codes({ unavailable: 'out_of_stock', item: item(1, { wasAvailable: false }) }), ['out_of_stock'])
  deepEqual(codes({ offer: offerDetails({ isActive: false }), unavailable: 'offer_unavailable' }), [
    'offer_unavailable',
  ])
  deepEqual(codes({ offer: undefined, unavailable: 'offer_unavailable' }), ['offer_unavailable'])
  deepEqual(codes({ offer: offerDetails({ status: 'pending' }), unavailable: 'moderation_pending' }), [
    'moderation_pending',
  ])
})
