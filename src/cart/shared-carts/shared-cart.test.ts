import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { priced, now, pricedCart } from '../../../test/support/priced-carts.ts'
import type { PricedLine } from '../carts/cart.ts'
import { brokenWhenShared, memberFor, nameOf, type SharedCart } from './shared-cart.ts'

type Args = Parameters<typeof priced>

const lineAt = (place: number, ...args: Args): PricedLine => {
  const it = priced(...args)
  return { ...it, line: Object.assign(it.line, { place }) }
}
const codes = (lines: PricedLine[], grown: { offerId?: number; place: number }[]) =>
  brokenWhenShared(
    pricedCart(lines),
    grown.map((it) => ({ isModerated: false, offerId: 1, ...it })),
  ).map((it) => it.code)

test('the units of all members are held against one stock', () => {
  const lines = [lineAt(0, { quantity: 6 }, { quantity: 10 }), lineAt(1, { quantity: 5 }, { quantity: 10 })]
  const [broken] = brokenWhenShared(pricedCart(lines), [{ isModerated: false, offerId: 1, place: 1 }])
  deepEqual(broken, {
    code: 'stock_exceeded',
    offer_id: 1,
    requested: 11,
    available: 10,
    remedy: { action: 'set_quantity', quantity: 4 },
  })
  deepEqual(codes([lines[0]!, lineAt(1, { quantity: 4 }, { quantity: 10 })], [{ place: 1 }]), [])
})

test('only what has grown is judged', () => {
  const off = lineAt(0, { offerId: 2 }, { isActive: false })
  deepEqual(codes([off, lineAt(1, {})], [{ place: 1 }]), [])
  deepEqual(codes([off], [{ offerId: 2, place: 0 }]), ['offer_unavailable'])
})

test('limits of buyers are checked when the cart is taken, and not before', () => {
  deepEqual(codes([lineAt(0, { quantity: 900 }, { price: 1_000_000, quantity: 1_000 })], [{ place: 0 }]), [])
})

test('lines, units and amounts have an end', () => {
  const full = Array.from({ length: 201 }, (_, at) => lineAt(0, { offerId: at + 1 }))
  deepEqual(codes(full, [{ offerId: 201, place: 0 }]), ['cart_full'])
  deepEqual(codes([lineAt(0, { quantity: 10_000 }, { quantity: 20_000 })], [{ place: 0 }]), [
    'product_limit_exceeded',
  ])
  const dear = lineAt(0, { quantity: 9_999 }, { price: 99_999_999_999, quantity: 9_999 })
  deepEqual(codes([dear], [{ place: 0 }]), ['amount_too_large'])
})

test('members are found by their buyer, and guests are named by their place', () => {
  const members: SharedCart['members'] = [
    { place: 0, buyer: { kind: 'client', clientId: 7 }, joinedAt: now },
    { place: 3, buyer: { kind: 'guest', sessionId: 'session-7' }, joinedAt: now },
  ]
  const cart = { members } as SharedCart
  deepEqual(members.map(nameOf), [7, 'guest-3'])
  equal(memberFor(cart, { kind: 'guest', sessionId: 'session-7' })?.place, 3)
  equal(memberFor(cart, { kind: 'client', clientId: 7 })?.place, 0)
  equal(memberFor(cart, { kind: 'guest', sessionId: '7' }), undefined)
  equal(memberFor(cart, { kind: 'client', clientId: 8 }), undefined)
})
