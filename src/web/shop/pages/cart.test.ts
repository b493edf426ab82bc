import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Html } from '../../../http/html.ts'
import type { Cart, CartItem } from '../../../sdk/index.ts'
import { formatOf } from '../format.ts'
import { textsOf } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { cartTotals } from './cart.ts'
import { checkoutTotals } from './checkout.ts'
import type { Delivery } from './delivery.ts'
import { orderPlan, planView } from './line-plans.ts'

const visit = { texts: textsOf('en'), format: formatOf('en', 'Asia/Tashkent') } as Visit

/** A line of one unit that is paid in instalments with a commission of 20 %. */
function inMonths(price: number, months: number, prepayment: number | null = null): CartItem {
  const condition = { Duration: months, Commission: 20 }
  return {
    Price: price,
    Quantity: 1,
    DiscountAmount: 0,
    BnplDetails: { HasDailyPayment: false, PrepaymentAmount: prepayment },
    LoanCondition: condition,
    LoanConditions: [condition],
  } as unknown as CartItem
}

function shown(line: CartItem): string {
  const { text } = planView(visit, line) || { text: '' }
  return text
    .replaceAll(/<[^>]+>|\u00a0/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a line in instalments shows what is paid now, each month and in total, which add up', () => {
  equal(shown(inMonths(75_750, 24)), 'Per month 24 × 3 787.50 sum Total 90 900 sum charge 15 150 sum')
  equal(
    shown(inMonths(100_000, 7)),
    'Per month 7 × 17 142.86 sum the last 2: 17 142.85 sum Total 120 000 sum charge 20 000 sum',
  )
  equal(
    shown(inMonths(75_750, 24, 10_000)),
    'Now 10 000 sum Per month 24 × 3 287.50 sum Total 88 900 sum charge 13 150 sum',
  )
})

test('the plan of an order has its delivery among what is paid now, and none if a line has no term', () => {
  const lines = [inMonths(75_750, 24, 10_000), inMonths(100_000, 6)]
  const delivery = { price: 15_000, discount: 0 }
  deepEqual(orderPlan(lines, delivery), {
    prepaid: 2_500_000,
    months: [
      { count: 6, amount: 2_000_000 },
      { count: 24, amount: 328_750 },
    ],
    total: 22_390_000,
  })
  equal(orderPlan([...lines, { ...lines[0]!, LoanCondition: null }], delivery), undefined)
  equal(orderPlan(lines, { ...delivery, discount: 5_000 }), undefined)
})

const bought = (price: number, quantity: number, fields: object = {}): CartItem =>
  ({
    Price: price,
    OldPrice: null,
    Quantity: quantity,
    PurchaseRestrictions: { IsAvailable: true },
    ...fields,
  }) as unknown as CartItem

/** The rows of the totals, each as its name and its value. */
const rows = ({ text }: Html) =>
  [...text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd[^>]*>([^<]*)<\/dd>/g)].map((it) =>
    it.slice(1, 3).map((cell) => cell.replaceAll('\u00a0', ' ')),
  )

const lines = [bought(75_000.1, 2, { OldPrice: 80_000.1 }), bought(100_000, 1)]

test('the products and the coupon of a cart add up to its total; what cannot be ordered is not counted', () => {
  const cart = {
    Items: [...lines, bought(30_000, 1, { PurchaseRestrictions: { IsAvailable: false } })],
    ModeratedItems: [],
    DiscountAmount: 25_000,
    TotalAmount: 225_000.2,
  } as unknown as Cart
  const shown = cartTotals(visit, cart)
  deepEqual(rows(shown), [
    ['Products, 3', '250 000.20 sum'],
    ['Promotion code', '−25 000 sum'],
    ['Delivery', 'at checkout'],
    ['Total', '225 000.20 sum'],
  ])
  // Two units that became 5 000 cheaper, and the coupon.
  equal(/<p class="deal">([^<]*)/.exec(shown.text)?.[1]?.replaceAll('\u00a0', ' '), 'You save: 35 000 sum')
})

test('the products, the delivery and the coupon of a checkout add up to its total', () => {
  const delivery = { price: 15_000, discount: 25_000 } as Delivery
  deepEqual(rows(checkoutTotals(visit, { chosen: lines, delivery, total: 240_000.2 })), [
    ['Products, 3', '250 000.20 sum'],
    ['Delivery', '15 000 sum'],
    ['Promotion code', '−25 000 sum'],
    ['Total', '240 000.20 sum'],
  ])
})
