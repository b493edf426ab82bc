import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { sheet } from '../../../test/support/purchases.ts'
import { type ShownWish, wishMessages } from './shown-wishes.ts'
import { comingOver, maxWishes, union, type WishedOffer } from './wishlist.ts'

const wish = (offerId: number, more: Partial<WishedOffer> = {}): WishedOffer => ({
  isModerated: false,
  offerId,
  priceAtAddTiyin: 100_000,
  wasAvailable: true,
  addedAt: new Date(offerId * 1_000),
  ...more,
})
const idsOf = (wishes: WishedOffer[]) => wishes.map((it) => it.offerId)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => wish(from + at))

test('a union holds every offer once, as the client has it, the latest first', () => {
  const own = [wish(3, { priceAtAddTiyin: 5 }), wish(1)]
  const { added, dropped } = comingOver(own, [wish(4), wish(3), wish(2)])
  deepEqual([idsOf(added), dropped], [[4, 2], []])
  const all = union(own, added)
  deepEqual(idsOf(all), [4, 3, 2, 1])
  equal(all[1]!.priceAtAddTiyin, 5)
  deepEqual(comingOver(all, all), { added: [], dropped: [] })
})

test('an ordinary and a moderated offer of one number are two wishes', () => {
  const { added } = comingOver([wish(1)], [wish(1, { isModerated: true })])
  deepEqual(
    union([wish(1)], added).map((it) => it.isModerated),
    [true, false],
  )
})

test('when there is not room for all, the latest of the guest come', () => {
  const own = range(1, maxWishes - 1)
  const { added, dropped } = comingOver(own, range(1_000, 1_005).toReversed())
  deepEqual(
    [idsOf(added), idsOf(dropped)],
    [
      [1_004, 1_003],
      [1_002, 1_001, 1_000],
    ],
  )
})

const shown = (it: Partial<ShownWish>): ShownWish => ({
  wish: wish(1),
  offer: sheet({ price: 1_000 }),
  availableUnits: 5,
  isAvailable: true,
  mostUnits: 5,
  ...it,
})

test('a wish says what has happened to its offer since', () => {
  const codes = (it: Partial<ShownWish>) => wishMessages(shown(it)).map((message) => message.code)
  deepEqual(codes({}), [])
  deepEqual(codes({ offer: sheet({ price: 900 }) }), ['price_lowered'])
  deepEqual(codes({ offer: sheet({ price: 1_100 }) }), ['price_raised'])
  deepEqual(codes({ wish: wish(1, { wasAvailable: false }) }), ['back_in_stock'])
  deepEqual(codes({ isAvailable: false }), ['out_of_stock'])
  deepEqual(codes({ isAvailable: false, wish: wish(1, { wasAvailable: false }) }), ['out_of_stock'])
  deepEqual(codes({ offer: sheet({ isActive: false }) }), ['offer_unavailable'])
  deepEqual(codes({ offer: undefined }), ['offer_unavailable'])
  deepEqual(codes({ offer: sheet({ status: 'pending' }) }), ['moderation_pending'])
})
