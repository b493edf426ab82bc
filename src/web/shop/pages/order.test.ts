import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { Html } from '../../../http/html.ts'
import type { Order } from '../../../sdk/index.ts'
import { formatOf } from '../format.ts'
import { textsOf } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { returnsList } from './order-returns.ts'
import { leftToPay, lines, schedule, steps } from './order.ts'

const visit = {
  texts: textsOf('en'),
  format: formatOf('en', 'Asia/Tashkent'),
  form: {},
  options: { environment: 'live' },
  at: (path: string) => path,
  picture: (path: string) => path,
  nameOf: (name: string) => name,
} as unknown as Visit

const sums = (amount: number) => ({ amount: amount * 100, currency: 'UZS' })
const bought = (line: number, quantity: number, price: number, discount = 0) => ({
  line,
  product_id: String(line),
  title: `Item ${line}`,
  quantity,
  unit_price: sums(price),
  discount: sums(discount),
  total: sums(price * quantity - discount),
  image: null,
})
const units = (line: number, quantity: number) => ({ line, quantity })

const order = (fields: object) =>
  ({
    id: '7',
    discount: sums(0),
    delivery: null,
    fulfilments: [],
    returns: [],
    allowed: ['return'],
    ...fields,
  }) as unknown as Order

const boldAmounts = ({ text }: Html) =>
  [...text.matchAll(/<b>(−?)([\d\u00a0]+)/g)].map(
    (it) => Number(it[1] ? -1 : 1) * Number(it[2]!.replaceAll('\u00a0', '')),
  )

test('products, discount and delivery of an order add up to its total', () => {
  const shown = boldAmounts(
    lines(
      visit,
      order({
        lines: [bought(1, 2, 75_000, 15_000), bought(2, 1, 100_000, 10_000)],
        discount: sums(25_000),
        coupon_code: 'TEN',
        delivery: { name: 'Courier', price: sums(15_000), promised_on: null },
        total: sums(240_000),
      }),
    ),
  )
  deepEqual(shown, [150_000, 100_000, -25_000, 15_000, 240_000])
})

test('a schedule shows what instalments cost, which one is next, and what early repayment charges', () => {
  const instalment = (number: number) => ({
    number,
    due_on: '2026-12-01',
    amount: sums(12_000),
    commission: sums(1_000),
    status: 'due',
    paid: false,
  })
  const shown = schedule(
    visit,
    order({
      status: 'confirmed',
      payments: [],
      allowed: ['pay'],
      instalments: [instalment(1), instalment(2)],
      total_to_repay: sums(24_000),
      early_repayment: sums(22_000),
    }),
    undefined,
  )
  const text = (shown || { text: '' }).text.replaceAll('\u00a0', ' ')
  match(text, /22 000 sum\s*<\/button>/)
  match(text, /Total to repay: 24 000 sum\. Charge: 2 000 sum/)
  match(text, /Pay instalment 1/)
})

/** What the form of a return offers: the value and the maximum of each line. */
const offered = ({ text }: Html) =>
  [...text.matchAll(/name="line-(\d)"\s+value="(\d+)"\s+min="0"\s+max="(\d+)"/g)].map((it) =>
    it.slice(1, 4).map(Number),
  )

test('the form of a return offers the units that were delivered and are in no return yet', () => {
  const fields = {
    lines: [bought(1, 3, 100), bought(2, 1, 100), bought(3, 2, 100)],
    fulfilments: [
      { status: 'delivered', lines: [units(1, 3), units(2, 1)] },
      { status: 'shipped', lines: [units(3, 2)] },
    ],
  }
  deepEqual(offered(steps(visit, order(fields))), [
    [1, 0, 3],
    [2, 0, 1],
  ])
  const returns = [
    { status: 'requested', lines: [units(1, 1)] },
    { status: 'rejected', lines: [units(1, 1)] },
    { status: 'received', lines: [units(2, 1)] },
  ]
  deepEqual(offered(steps(visit, order({ ...fields, returns }))), [[1, 2, 2]])
  match(steps(visit, order({ ...fields, returns })).text, /Item 1/)
})

const plain = ({ text }: Html) =>
  text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('a return is shown with its units, its amount and its reason', () => {
  const returns = [{ status: 'received', lines: [units(2, 1)], amount: sums(90_000), reason: 'Too small' }]
  const shown = returnsList(visit, order({ lines: [bought(1, 1, 1), bought(2, 2, 90_000)], returns }))
  equal(plain(shown || { text: '' }), 'Returns Return received 90 000 sum 1 × Item 2 Too small')
  equal(returnsList(visit, order({ returns: [] })), false)
})

test('money that is due later is shown; what the card form charges and what a cancelled order left open is not', () => {
  const amounts = { open: [{ reason: 'not_due', amount: sums(12_000) }] }
  const shown = (fields: object) => plain(leftToPay(visit, order({ amounts, ...fields })) || { text: '' })
  equal(shown({ status: 'confirmed', allowed: ['pay'] }), 'Left to pay: 12 000 sum')
  equal(shown({ status: 'confirmed', allowed: [] }), 'Left to pay: 12 000 sum')
  equal(shown({ status: 'awaiting_payment', allowed: ['pay'] }), '')
  equal(shown({ status: 'cancelled', allowed: [] }), '')
  equal(shown({ status: 'confirmed', allowed: [], amounts: { open: [] } }), '')
})
