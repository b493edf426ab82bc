import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { blockedReason, type CartCoupon, type DiscountableLine, judgeCoupon, normalCode } from './coupon.ts'

const now = new Date('2026-11-16T09:00:00Z')
const later = new Date('2026-11-17T09:00:00Z')

const coupon = (it: Partial<CartCoupon> = {}): CartCoupon => ({
  id: 1,
  code: 'TEN',
  discount: { kind: 'percent', percent: 10, maxTiyin: null },
  minAmountTiyin: 0,
  promotionId: null,
  startsAt: now,
  endsAt: null,
  maxUses: null,
  usesPerBuyer: null,
  isActive: true,
  used: 0,
  blocked: null,
  ...it,
})

const line = (key: string, sums: number, promotionIds: number[] = []): DiscountableLine => ({
  key,
  amountTiyin: sums * 100,
  promotionIds,
})

const discountsOf = (it: CartCoupon, lines: DiscountableLine[]) =>
  Object.fromEntries([...judgeCoupon(it, lines).discounts].map(([key, tiyin]) => [key, tiyin / 100]))

// oxfmt-ignore
const blocked: [string, Partial<CartCoupon>, number | null, string | null][] = [
  ['a running coupon',              {},                                   null, null],
  ['switched off',                  { isActive: false },                  0,    'coupon_inactive'],
  ['not started',                   { startsAt: later },                  0,    'coupon_inactive'],
  ['at its end',                    { endsAt: now },                      0,    'coupon_expired'],
  ['before its end',                { endsAt: later },                    0,    null],
  ['all uses taken',                { maxUses: 2, used: 2 },              0,    'coupon_used_up'],
  ['one use left',                  { maxUses: 2, used: 1 },              0,    null],
  ['used by the client',            { usesPerBuyer: 1 },                  1,    'coupon_already_used'],
  ['not used by the client',        { usesPerBuyer: 1 },                  0,    null],
  ['limited per buyer, for guests', { usesPerBuyer: 1 },                  null, 'coupon_sign_in_required'],
]
for (const [name, terms, usedByBuyer, expected] of blocked)
  test(`who may use a coupon: ${name}`, () =>
    equal(blockedReason(coupon(terms), { usedByBuyer, now }), expected))

test('a percentage is taken off every line, in whole sums', () => {
  deepEqual(discountsOf(coupon(), [line('a', 1_000), line('b', 555)]), { a: 100, b: 55 })
})

test('a percentage ends at its largest discount', () => {
  const capped = coupon({ discount: { kind: 'percent', percent: 50, maxTiyin: 10_000 } })
  deepEqual(discountsOf(capped, [line('a', 300), line('b', 100)]), { a: 75, b: 25 })
})

test('an amount is split without a rest', () => {
  const fixed = coupon({ discount: { kind: 'amount', tiyin: 10_000 } })
  deepEqual(discountsOf(fixed, [line('a', 100), line('b', 100), line('c', 101)]), { a: 33, b: 33, c: 34 })
})

test('an amount never makes an order free', () => {
  const fixed = coupon({ discount: { kind: 'amount', tiyin: 1_000_000 } })
  deepEqual(discountsOf(fixed, [line('a', 100)]), { a: 99 })
})

test('a coupon of a promotion applies to its offers only', () => {
  const bound = coupon({ promotionId: 7 })
  deepEqual(discountsOf(bound, [line('a', 100, [7]), line('b', 100)]), { a: 10 })
  equal(judgeCoupon(bound, [line('b', 100, [8])]).reason, 'coupon_not_applicable')
})

test('what the coupon applies to must cost enough', () => {
  const large = coupon({ minAmountTiyin: 20_000 })
  equal(judgeCoupon(large, [line('a', 199)]).reason, 'coupon_amount_too_low')
  equal(judgeCoupon(large, [line('a', 200)]).reason, undefined)
  equal(judgeCoupon(coupon(), [line('a', 9)]).reason, 'coupon_amount_too_low')
})

test('a blocked coupon gives no discount', () => {
  const { reason, discountTiyin } = judgeCoupon(coupon({ blocked: 'coupon_expired' }), [line('a', 100)])
  deepEqual([reason, discountTiyin], ['coupon_expired', 0])
})

test('codes are compared without case and blanks', () => equal(normalCode(' navruz10 '), 'NAVRUZ10'))
