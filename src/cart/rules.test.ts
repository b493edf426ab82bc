import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { brokenAtOrder } from './order-rules.ts'
import { paymentMethods, whyNot } from './payment-methods.ts'
import { mostUnits } from './purchase.ts'
import { brokenRules } from './rules.ts'
import { bought, client, entry, guest, purchase } from '../../test/support/purchases.ts'

const [card, instalments, cash, daily] = paymentMethods as [never, never, never, never]

/** Codes of what a cart with these lines breaks, the first of them being the one that has just grown. */
const broken = (them: Parameters<typeof purchase>[0], more: Parameters<typeof purchase>[1] = {}) => {
  const whole = purchase(them, more)
  return brokenRules(whole, { entries: [whole.entries[0]!], grown: [whole.entries[0]!] }).map((it) => it.code)
}

// oxfmt-ignore
const verdicts: [sentence: string, codes: string[], expected: string[]][] = [
  ['a client may hold as many units as are in stock',        broken([entry({ quantity: 5 }, { quantity: 5 })]), []],
  ['one more than the stock is refused',                     broken([entry({ quantity: 6 }, { quantity: 5 })]), ['stock_exceeded']],
  ['ten units of a product may be in one order',             broken([entry({ quantity: 10 })]), []],
  ['the eleventh is refused',                                broken([entry({ quantity: 11 })]), ['product_limit_exceeded']],
  ['two offers of one product count together',               broken([entry({ quantity: 6 }, { productId: 1 }), entry({ offerId: 2, quantity: 5 }, { productId: 1 })]), ['product_limit_exceeded']],
  ['a moderated offer counts with the ordinary ones',        broken([entry({ quantity: 6 }, { productId: 1 }), entry({ isModerated: true, quantity: 5 }, { productId: 1 })]), ['product_limit_exceeded']],
  ['what was bought in thirty days counts',                  broken([entry({ quantity: 6 }, { productId: 1 })], { spent: bought({ units: [[1, 25]] }) }), ['product_limit_exceeded']],
  ['exactly thirty in thirty days pass',                     broken([entry({ quantity: 5 }, { productId: 1 })], { spent: bought({ units: [[1, 25]] }) }), []],
  ['a guest may hold three units of a product',              broken([entry({ quantity: 3 })], { buyer: guest }), []],
  ['a guest is refused the fourth unit',                     broken([entry({ quantity: 4 })], { buyer: guest }), ['guest_limit_exceeded']],
  ['a guest may fill a cart of five million sums',           broken([entry({ quantity: 1 }, { price: 5_000_000 })], { buyer: guest }), []],
  ['one tiyin more is refused him',                          broken([entry({ quantity: 1 }, { price: 5_000_000.01 })], { buyer: guest }), ['guest_limit_exceeded']],
  ['a client may spend fifty million sums a day',            broken([entry({ quantity: 10 }, { price: 5_000_000 })]), []],
  ['a tiyin more is refused',                                broken([entry({ quantity: 1 }, { price: 50_000_000.01 })]), ['purchase_limit_exceeded']],
  ['orders of the day count',                                broken([entry({ quantity: 1 }, { price: 10_000_000 })], { spent: bought({ today: 40_000_000.01 }) }), ['purchase_limit_exceeded']],
  ['lines with a loan condition are credit',                 broken([entry({ quantity: 7, loan: 3 }, { price: 5_000_000 })]), ['credit_limit_exceeded']],
  ['without a condition the same is no credit',              broken([entry({ quantity: 7 }, { price: 5_000_000 })]), []],
  ['what is owed counts',                                    broken([entry({ quantity: 1, loan: 3 }, { price: 1_000_000 })], { spent: bought({ credit: 29_500_000 }) }), ['credit_limit_exceeded']],
  ['an amount that no number holds is refused',              broken([entry({ quantity: 9_999 }, { price: 100_000_000_000, quantity: 10_000 })]), ['product_limit_exceeded', 'product_limit_exceeded', 'amount_too_large']],
  ['a condition of another offer is refused',                broken([entry({ quantity: 1, loan: 9 })]), ['loan_condition_unavailable']],
  ['a partner who grants no credit is refused',              broken([entry({ quantity: 1, loan: 3 }, { creditActive: false })]), ['partner_credit_inactive']],
  ['an offer that is hidden cannot be bought',               broken([entry({ quantity: 1 }, { isVisible: false })]), ['offer_unavailable']],
  ['nor one that is not active',                             broken([entry({ quantity: 1 }, { isActive: false })]), ['offer_unavailable']],
  ['a rejected moderated offer cannot be bought',            broken([entry({ quantity: 1, isModerated: true }, { status: 'rejected' })]), ['offer_unavailable']],
  ['nor a draft',                                            broken([entry({ quantity: 1, isModerated: true }, { status: 'draft' })]), ['offer_unavailable']],
  ['a pending one may lie in a cart',                        broken([entry({ quantity: 1, isModerated: true }, { status: 'pending' })]), []],
  ['lines that cannot be bought count in no amount',         broken([entry({ quantity: 1 }, { price: 30_000_000 }), entry({ offerId: 2, quantity: 1 }, { price: 30_000_000, isActive: false })]), []],
  ['an operator who gives guests more than clients gives them as much', broken([entry({ quantity: 11 })], { buyer: guest, limits: { guestUnitsPerProduct: 50 } }), ['guest_limit_exceeded']],
  ['everything that is wrong is said at once, in order',     broken([entry({ quantity: 12, loan: 9 }, { price: 9_000_000, quantity: 11, creditActive: false })]),
    ['stock_exceeded', 'product_limit_exceeded', 'purchase_limit_exceeded', 'credit_limit_exceeded', 'loan_condition_unavailable', 'partner_credit_inactive']],
]
for (const [sentence, codes, expected] of verdicts) test(sentence, () => deepEqual(codes, expected))

test('a line that shrinks is held against the stock, and not against limits that it still breaks', () => {
  const whole = purchase([entry({ quantity: 20 })])
  deepEqual(brokenRules(whole, { entries: whole.entries, grown: [] }), [])
})

test('the 201st line is refused', () => {
  const whole = purchase(
    Array.from({ length: 201 }, (_, at) => entry({ offerId: at + 1 }, { productId: at + 1 })),
  )
  const [first] = brokenRules(whole, { entries: [whole.entries[200]!], grown: [whole.entries[200]!] })
  equal(first?.code, 'cart_full')
})

test('the remedy is the most that would pass, by whatever rule is the tightest', () => {
  // oxfmt-ignore
  const cases: [number, ReturnType<typeof entry>, Parameters<typeof purchase>[1]?][] = [
    [5,  entry({ quantity: 1 }, { quantity: 5 })],
    [10, entry({ quantity: 1 })],
    [3,  entry({ quantity: 1 }), { buyer: guest }],
    [2,  entry({ quantity: 1 }, { price: 20_000_000 })],
    [1,  entry({ quantity: 1, loan: 3 }, { price: 20_000_000 })],
    [4,  entry({ quantity: 1 }, { productId: 1 }), { spent: bought({ units: [[1, 26]] }) }],
    [0,  entry({ quantity: 1 }, { isActive: false })],
    [0,  entry({ quantity: 1 }, { price: 60_000_000 })],
  ]
  for (const [most, it, more] of cases) equal(mostUnits(purchase([it], more), it), most)
  const whole = purchase([entry({ quantity: 9 }, { price: 10_000_000 })])
  const [first] = brokenRules(whole, { entries: whole.entries, grown: whole.entries })
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
  ['a card asks for no loan condition',                   at(card, [entry({ quantity: 1 })]), []],
  ['paid by card, a loan condition does not apply',       at(card, [entry({ quantity: 1, loan: 9 }, { creditActive: false })]), []],
  ['instalments need a condition on every line',          at(instalments, [entry({ quantity: 1, loan: 3 }), entry({ offerId: 2, quantity: 1 }, { productId: 2 })]), ['loan_condition_required']],
  ['a condition that is gone is refused in instalments',  at(instalments, [entry({ quantity: 1, loan: 9 })]), ['loan_condition_unavailable']],
  ['a partner without credit too',                        at(instalments, [entry({ quantity: 1, loan: 3 }, { creditActive: false })]), ['partner_credit_inactive']],
  ['guests may not pay in instalments',                   at(instalments, [entry({ quantity: 1, loan: 3 })], { buyer: guest }), ['payment_method_not_allowed']],
  ['daily payment is for offers that have it',            at(daily, [entry({ quantity: 1, loan: 3 })]), ['payment_method_not_allowed']],
  ['and is open to them',                                 at(daily, [entry({ quantity: 1, loan: 3 }, { hasDailyPayment: true })]), []],
  ['a guest signs in for more than two million sums',     at(cash, [entry({ quantity: 1 }, { price: 2_000_000.01 })], { buyer: guest }), ['authorization_required']],
  ['what is pending cannot be ordered',                   at(card, [entry({ quantity: 1, isModerated: true }, { status: 'pending' })]), ['moderation_pending']],
  ['credit above the limit is refused in instalments',    at(instalments, [entry({ quantity: 7, loan: 3 }, { price: 5_000_000 })]), ['credit_limit_exceeded']],
  ['and none of it matters to a card',                    at(card, [entry({ quantity: 7, loan: 3 }, { price: 5_000_000 })]), []],
  ['nothing cannot be ordered',                           at(card, []), ['cart_empty']],
]
function at(method: never, them: Parameters<typeof purchase>[0], more = {}) {
  return brokenAtOrder(purchase(them, more), method).map((it) => it.code)
}
for (const [sentence, codes, expected] of orders) test(sentence, () => deepEqual(codes, expected))

test('whoever orders nothing is told to add something, or to take out what cannot be had', () => {
  const remedies = (them: Parameters<typeof purchase>[0]) =>
    brokenAtOrder(purchase(them), card).map((it) => it.remedy)
  deepEqual(remedies([]), [{ action: 'add' }])
  deepEqual(remedies([entry({ quantity: 1 }, { isVisible: false })]), [{ action: 'remove' }])
})

test('where the shop takes no cards, a card cannot be chosen, and the others can', () => {
  const closed = purchase([entry({ quantity: 1 })], { takesCards: false })
  deepEqual(
    paymentMethods.filter((it) => !it.isInstallment).map((it) => whyNot(it, closed) ?? 'open'),
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
  const reasons = (them: Parameters<typeof purchase>[0], buyer = client) =>
    paymentMethods.map((it) => whyNot(it, purchase(them, { buyer })) ?? 'open')
  deepEqual(reasons([]), ['cart_empty', 'cart_empty', 'cart_empty', 'cart_empty'])
  deepEqual(reasons([entry({ quantity: 1, loan: 3 })]), [
    'open',
    'open',
    'open',
    'payment_method_not_allowed',
  ])
  deepEqual(reasons([entry({ quantity: 1 })], guest as never), [
    'open',
    'payment_method_not_allowed',
    'open',
    'payment_method_not_allowed',
  ])
})
