import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { brokenAtOrder, judgeCart } from './order-rules.ts'
import { type PaymentMethod, paymentMethods } from './payment-methods.ts'
import { maxUnits } from './cart.ts'
import { brokenRules } from './rules.ts'
import { bought, client, priced, guest, pricedCart } from '../../../test/support/priced-carts.ts'

const whyClosed = (method: PaymentMethod, cart: Parameters<typeof judgeCart>[0]) =>
  judgeCart(cart).methods.find((it) => it.method === method)!.reason

const [card, instalments, cash, daily] = paymentMethods as [never, never, never, never]

/** Codes of what a cart with these lines breaks, the first of them being the one that has just grown. */
const broken = (them: Parameters<typeof pricedCart>[0], more: Parameters<typeof pricedCart>[1] = {}) => {
  const whole = pricedCart(them, more)
  return brokenRules(whole, { changed: [whole.lines[0]!], grown: [whole.lines[0]!] }).map((it) => it.code)
}

// oxfmt-ignore
const verdicts: [sentence: string, codes: string[], expected: string[]][] = [
  ['a client may hold as many units as are in stock',        broken([priced({ quantity: 5 }, { quantity: 5 })]), []],
  ['one more than the stock is refused',                     broken([priced({ quantity: 6 }, { quantity: 5 })]), ['stock_exceeded']],
  ['ten units of a product may be in one order',             broken([priced({ quantity: 10 })]), []],
  ['the eleventh is refused',                                broken([priced({ quantity: 11 })]), ['product_limit_exceeded']],
  ['two offers of one product count together',               broken([priced({ quantity: 6 }, { productId: 1 }), priced({ offerId: 2, quantity: 5 }, { productId: 1 })]), ['product_limit_exceeded']],
  ['a moderated offer counts with the ordinary ones',        broken([priced({ quantity: 6 }, { productId: 1 }), priced({ isModerated: true, quantity: 5 }, { productId: 1 })]), ['product_limit_exceeded']],
  ['what was bought in thirty days counts',                  broken([priced({ quantity: 6 }, { productId: 1 })], { spent: bought({ units: [[1, 25]] }) }), ['product_limit_exceeded']],
  ['exactly thirty in thirty days pass',                     broken([priced({ quantity: 5 }, { productId: 1 })], { spent: bought({ units: [[1, 25]] }) }), []],
  ['a guest may hold three units of a product',              broken([priced({ quantity: 3 })], { buyer: guest }), []],
  ['a guest is refused the fourth unit',                     broken([priced({ quantity: 4 })], { buyer: guest }), ['guest_limit_exceeded']],
  ['a guest may fill a cart of five million sums',           broken([priced({ quantity: 1 }, { price: 5_000_000 })], { buyer: guest }), []],
  ['one tiyin more is refused',                              broken([priced({ quantity: 1 }, { price: 5_000_000.01 })], { buyer: guest }), ['guest_limit_exceeded']],
  ['a client may spend fifty million sums a day',            broken([priced({ quantity: 10 }, { price: 5_000_000 })]), []],
  ['a tiyin more is refused',                                broken([priced({ quantity: 1 }, { price: 50_000_000.01 })]), ['purchase_limit_exceeded']],
  ['orders of the day count',                                broken([priced({ quantity: 1 }, { price: 10_000_000 })], { spent: bought({ today: 40_000_000.01 }) }), ['purchase_limit_exceeded']],
  ['lines with a loan condition are credit',                 broken([priced({ quantity: 7, loan: 3 }, { price: 5_000_000 })]), ['credit_limit_exceeded']],
  ['without a condition the same is no credit',              broken([priced({ quantity: 7 }, { price: 5_000_000 })]), []],
  ['what is owed counts',                                    broken([priced({ quantity: 1, loan: 3 }, { price: 1_000_000 })], { spent: bought({ credit: 29_500_000 }) }), ['credit_limit_exceeded']],
  ['an amount that no number holds is refused',              broken([priced({ quantity: 9_999 }, { price: 100_000_000_000, quantity: 10_000 })]), ['product_limit_exceeded', 'product_limit_exceeded', 'amount_too_large']],
  ['a condition of another offer is refused',                broken([priced({ quantity: 1, loan: 9 })]), ['loan_condition_unavailable']],
  ['a partner who grants no credit is refused',              broken([priced({ quantity: 1, loan: 3 }, { creditActive: false })]), ['partner_credit_inactive']],
  ['an offer that is hidden cannot be bought',               broken([priced({ quantity: 1 }, { isVisible: false })]), ['offer_unavailable']],
  ['nor one that is not active',                             broken([priced({ quantity: 1 }, { isActive: false })]), ['offer_unavailable']],
  ['a rejected moderated offer cannot be bought',            broken([priced({ quantity: 1, isModerated: true }, { status: 'rejected' })]), ['offer_unavailable']],
  ['nor a draft',                                            broken([priced({ quantity: 1, isModerated: true }, { status: 'draft' })]), ['offer_unavailable']],
  ['a pending one may lie in a cart',                        broken([priced({ quantity: 1, isModerated: true }, { status: 'pending' })]), []],
  ['lines that cannot be bought count in no amount',         broken([priced({ quantity: 1 }, { price: 30_000_000 }), priced({ offerId: 2, quantity: 1 }, { price: 30_000_000, isActive: false })]), []],
  ['nor do lines that are sold out',                         broken([priced({ quantity: 6 }, { productId: 1, price: 4_000_000 }), priced({ offerId: 2, quantity: 6 }, { productId: 1, price: 9_000_000, quantity: 0 })]), []],
  ['a line that waits for moderation counts when it grows',  broken([priced({ quantity: 6, isModerated: true }, { productId: 1, price: 9_000_000, status: 'pending' }), priced({ offerId: 2, quantity: 5 }, { productId: 1 })]), ['product_limit_exceeded', 'purchase_limit_exceeded']],
  ['an operator who gives guests more than clients gives them as much', broken([priced({ quantity: 11 })], { buyer: guest, limits: { guestUnitsPerProduct: 50 } }), ['guest_limit_exceeded']],
  ['everything that is wrong is said at once, in order',     broken([priced({ quantity: 12, loan: 9 }, { price: 9_000_000, quantity: 11, creditActive: false })]),
    ['stock_exceeded', 'product_limit_exceeded', 'purchase_limit_exceeded', 'credit_limit_exceeded', 'loan_condition_unavailable', 'partner_credit_inactive']],
]
for (const [sentence, codes, expected] of verdicts) test(sentence, () => deepEqual(codes, expected))

test('a line that shrinks is held against the stock, and not against limits that it still breaks', () => {
  const whole = pricedCart([priced({ quantity: 20 })])
  deepEqual(brokenRules(whole, { changed: whole.lines, grown: [] }), [])
})

test('the 201st line is refused', () => {
  const whole = pricedCart(
    Array.from({ length: 201 }, (_, at) => priced({ offerId: at + 1 }, { productId: at + 1 })),
  )
  const [first] = brokenRules(whole, { changed: [whole.lines[200]!], grown: [whole.lines[200]!] })
  equal(first?.code, 'cart_full')
})

test('the remedy is the most that would pass, by whatever rule is the tightest', () => {
  // oxfmt-ignore
  const cases: [number, ReturnType<typeof priced>, Parameters<typeof pricedCart>[1]?][] = [
    [5,  priced({ quantity: 1 }, { quantity: 5 })],
    [10, priced({ quantity: 1 })],
    [3,  priced({ quantity: 1 }), { buyer: guest }],
    [2,  priced({ quantity: 1 }, { price: 20_000_000 })],
    [1,  priced({ quantity: 1, loan: 3 }, { price: 20_000_000 })],
    [4,  priced({ quantity: 1 }, { productId: 1 }), { spent: bought({ units: [[1, 26]] }) }],
    [0,  priced({ quantity: 1 }, { isActive: false })],
    [0,  priced({ quantity: 1 }, { price: 60_000_000 })],
  ]
  for (const [most, it, more] of cases) equal(maxUnits(pricedCart([it], more), it), most)
  const whole = pricedCart([priced({ quantity: 9 }, { price: 10_000_000 })])
  const [first] = brokenRules(whole, { changed: whole.lines, grown: whole.lines })
  deepEqual(first, {
    code: 'purchase_limit_exceeded',
    limit: 50_000_000,
    used: 0,
    requested: 90_000_000,
    remedy: { action: 'set_quantity', quantity: 5 },
  })
})

// oxfmt-ignore
const orders: [sentence: string, codes: string[], expected: string[]][] = [
  ['a card asks for no loan condition',                   at(card, [priced({ quantity: 1 })]), []],
  ['paid by card, a loan condition does not apply',       at(card, [priced({ quantity: 1, loan: 9 }, { creditActive: false })]), []],
  ['instalments need a condition on every line',          at(instalments, [priced({ quantity: 1, loan: 3 }), priced({ offerId: 2, quantity: 1 }, { productId: 2 })]), ['loan_condition_required']],
  ['a condition that is gone is refused in instalments',  at(instalments, [priced({ quantity: 1, loan: 9 })]), ['loan_condition_unavailable']],
  ['a partner without credit too',                        at(instalments, [priced({ quantity: 1, loan: 3 }, { creditActive: false })]), ['partner_credit_inactive']],
  ['guests may not pay in instalments',                   at(instalments, [priced({ quantity: 1, loan: 3 })], { buyer: guest }), ['payment_method_not_allowed']],
  ['daily payment is for offers that have it',            at(daily, [priced({ quantity: 1, loan: 3 })]), ['payment_method_not_allowed']],
  ['and is open to them',                                 at(daily, [priced({ quantity: 1, loan: 3 }, { hasDailyPayment: true })]), []],
  ['a guest signs in for more than two million sums',     at(cash, [priced({ quantity: 1 }, { price: 2_000_000.01 })], { buyer: guest }), ['authorization_required']],
  ['what is pending cannot be ordered',                   at(card, [priced({ quantity: 1, isModerated: true }, { status: 'pending' })]), ['nothing_orderable', 'moderation_pending']],
  ['nor what is sold out or no longer sold',              at(card, [priced({ quantity: 1 }, { quantity: 0 }), priced({ offerId: 2 }, { isActive: false })]), ['nothing_orderable', 'offer_unavailable', 'stock_exceeded']],
  ['lines that are left out do not hold up the others',   at(card, [priced({ quantity: 1 }), priced({ offerId: 2 }, { quantity: 0 }), priced({ offerId: 3, isModerated: true }, { status: 'pending' })]), []],
  ['nor do they count against limits',                    at(card, [priced({ quantity: 6 }, { productId: 1, price: 4_000_000 }), priced({ offerId: 2, quantity: 6 }, { productId: 1, price: 9_000_000, quantity: 0 })]), []],
  ['credit above the limit is refused in instalments',    at(instalments, [priced({ quantity: 7, loan: 3 }, { price: 5_000_000 })]), ['credit_limit_exceeded']],
  ['and none of it matters to a card',                    at(card, [priced({ quantity: 7, loan: 3 }, { price: 5_000_000 })]), []],
  ['nothing cannot be ordered',                           at(card, []), ['cart_empty']],
]
function at(method: never, them: Parameters<typeof pricedCart>[0], more = {}) {
  return brokenAtOrder(pricedCart(them, more), method).map((it) => it.code)
}
for (const [sentence, codes, expected] of orders) test(sentence, () => deepEqual(codes, expected))

test('an order of nothing has the remedy to add a line, or to remove those that cannot be ordered', () => {
  const remedies = (them: Parameters<typeof pricedCart>[0]) =>
    brokenAtOrder(pricedCart(them), card).map((it) => it.remedy)
  deepEqual(remedies([]), [{ action: 'add' }])
  deepEqual(remedies([priced({ quantity: 1 }, { isVisible: false })]), [
    { action: 'remove' },
    { action: 'remove' },
  ])
})

test('where the shop takes no cards, a card cannot be chosen, and the others can', () => {
  const closed = pricedCart([priced({ quantity: 1 })], { takesCards: false })
  deepEqual(
    paymentMethods.filter((it) => !it.isInstallment).map((it) => whyClosed(it, closed) ?? 'open'),
    ['payment_method_not_allowed', 'open'],
  )
  deepEqual(brokenAtOrder(closed, card), [
    {
      code: 'payment_method_not_allowed',
      remedy: { action: 'choose_payment_method', payment_method_ids: [3] },
    },
  ])
})

test('every way of paying says why it is closed', () => {
  const reasons = (them: Parameters<typeof pricedCart>[0], buyer = client) =>
    paymentMethods.map((it) => whyClosed(it, pricedCart(them, { buyer })) ?? 'open')
  deepEqual(reasons([]), ['cart_empty', 'cart_empty', 'cart_empty', 'cart_empty'])
  deepEqual(reasons([priced({ quantity: 1, loan: 3 })]), [
    'open',
    'open',
    'open',
    'payment_method_not_allowed',
  ])
  deepEqual(reasons([priced({ quantity: 1 })], guest as never), [
    'open',
    'payment_method_not_allowed',
    'open',
    'payment_method_not_allowed',
  ])
})
