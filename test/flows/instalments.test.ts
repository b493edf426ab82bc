import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { testCards } from '../../src/orders/payments/test-acquirer.ts'
import { cardNumbers, installment, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)

/** An order in twelve instalments with a commission of 24 %: 12 400 sums a month for each unit. */
async function newOrder(units = 1) {
  const offer = await shop.stock.offer({ price: 120_000, quantity: 10, loan_condition_ids: [3] })
  const buyer = shop.newClient()
  await shop.put(buyer, offer, units, { LoanConditionId: 3 })
  const [id] = await shop.ordered(buyer, { PaymentMethodId: installment })
  return { id: id!, buyer }
}

async function deliver(id: number) {
  const { fulfilment } = await shop.act(id, 'fulfilments')
  await shop.act(id, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(id, `fulfilments/${fulfilment.id}/deliver`)
}

async function giveBack(id: number, quantity = 1) {
  const asked = await shop.act(id, 'returns', { lines: [{ line: 1, quantity }], reason: 'too small' })
  return (await shop.act(id, `returns/${asked.return.id}/receive`)).return
}

interface Shown {
  reason: string
  amount: { amount: number }
}
const shown = (them: Shown[]) => them.map((it) => `${it.reason} ${it.amount.amount}`)
const openNumbers = (order: { instalments: { number: number; paid: boolean }[] }) =>
  order.instalments.filter((it) => !it.paid).map((it) => it.number)
const { number } = testCards.success

test('a buyer pays instalments by card: the first open one, a chosen one, and all that are left', async () => {
  const { id, buyer } = await newOrder()
  const owed = async () => (await shop.allowance(buyer.ClientId)).credit.used.amount
  deepEqual((await shop.get(id)).total_to_repay.amount, 14_880_000)
  equal((await shop.pay(id, number)).body.data.payment.amount.amount, 1_240_000)
  equal((await shop.pay(id, number, { instalment: 5 })).status, 201)
  const order = await shop.get(id)
  deepEqual(openNumbers(order), [2, 3, 4, 6, 7, 8, 9, 10, 11, 12])
  equal(order.payment_status, 'partially_paid')
  equal(await owed(), 10_000_000)
  const refused = assertRefused('validation_failed', await shop.pay(id, number, { instalment: 5 }))
  equal(refused.fields[0].path, 'instalment')
  equal((await shop.pay(id, number, { instalment: 'all' })).status, 201)
  equal((await shop.get(id)).payment_status, 'paid')
  equal(await owed(), 0)
  assertRefused('invalid_transition', await shop.pay(id, number))
  const events = (await shop.events('InstalmentsPaid')).filter((it) => it.fields['orderId'] === id)
  deepEqual(
    events.map((it) => it.fields['numbers']),
    [[1], [5], [2, 3, 4, 6, 7, 8, 9, 10, 11, 12]],
  )
})

test('the monthly repayment that cart, wishlist and offer show is what an order charges after its down payment', async () => {
  const bnpl = { has_daily_payment: false, prepayment_tiyin: 2_000_000 }
  const offer = await shop.stock.offer({ price: 120_000, quantity: 10, loan_condition_ids: [3], bnpl })
  const buyer = shop.newClient()
  const [line] = (await shop.put(buyer, offer, 2, { LoanConditionId: 3 })).Items
  const wishlist = await shop.post('/api/wishlist/offers', { ...buyer, OfferId: offer })
  const read = await platform.call('GET', `/v1/catalog/offers/${offer}`)
  const [id] = await shop.ordered(buyer, { PaymentMethodId: installment })
  const [down, first] = (await shop.get(id!)).instalments
  deepEqual([down.amount.amount, first.amount.amount], [4_000_000, 2_066_667])
  deepEqual(
    [line.LoanCondition.MonthlyRepayment, line.LoanConditions[0].MonthlyRepayment],
    [20_666.67, 20_666.67],
  )
  equal(wishlist.body.data.Offers[0].LoanCondition.MonthlyRepayment, 10_333.34)
  equal(read.body.data.offer.loan_conditions[0].monthly_repayment.amount, 1_033_334)
})

test('the down payment of a discounted line is never more than the line', async () => {
  const bnpl = { has_daily_payment: false, prepayment_tiyin: 11_000_000 }
  const offer = await shop.stock.offer({ price: 120_000, quantity: 10, loan_condition_ids: [3], bnpl })
  const code = 'DOWN20'
  await shop.post('/v1/admin/coupons', { code, percent: 20 })
  const buyer = shop.newClient()
  await shop.put(buyer, offer, 1, { LoanConditionId: 3 })
  const view = (await shop.post('/api/cart/coupon', { ...buyer, Code: code })).body.data
  deepEqual([view.TotalAmount, view.Items[0].LoanCondition.MonthlyRepayment], [96_000, 0])
  const [id] = await shop.ordered(buyer, { PaymentMethodId: installment, ExpectedTotalAmount: 96_000 })
  deepEqual(
    (await shop.get(id!)).instalments.map((it: { amount: object }) => it.amount),
    [{ amount: 9_600_000, currency: 'UZS' }],
  )
})

test('a card that is declined pays no instalment, and one that is approved later pays it once', async () => {
  const { id } = await newOrder()
  await shop.pay(id, testCards.declined.number)
  equal(openNumbers(await shop.get(id)).length, 12)
  await shop.pay(id, testCards.repeated.number, { instalment: 2 })
  assertRefused('invalid_transition', await shop.pay(id, number))
  await shop.advance('PT2M')
  await shop.advance('PT5M')
  deepEqual(openNumbers(await shop.get(id)).slice(0, 3), [1, 3, 4])
})

test('an instalment that a return has reduced while the card was pending is paid, and the rest is refunded', async () => {
  const { id } = await newOrder()
  await deliver(id)
  await shop.pay(id, testCards.approved.number, { instalment: 1 })
  await giveBack(id)
  await shop.advance('PT2M')
  const order = await shop.get(id)
  deepEqual(shown(order.amounts.kept), [])
  equal(order.payments[0].refunds[0].amount.amount, 1_240_000)
  equal(order.status, 'completed')
})

test('a delivered order in instalments is completed when everything is paid, not before', async () => {
  const { id } = await newOrder()
  await deliver(id)
  equal((await shop.get(id)).status, 'delivered')
  await shop.act(id, 'payments', { kind: 'instalment', count: 11 })
  equal((await shop.get(id)).status, 'delivered')
  await shop.act(id, 'payments', { kind: 'instalment', instalment: 12 })
  equal((await shop.get(id)).status, 'completed')
})

test('a return within fourteen days refunds the commission; a later one keeps it and says so', async () => {
  const [soon, late] = [await newOrder(), await newOrder()]
  for (const { id } of [soon, late]) {
    await deliver(id)
    await shop.act(id, 'payments', { kind: 'instalment', count: 2 })
  }
  deepEqual(shown((await shop.get(soon.id)).amounts.kept), ['commission 480000', 'products 2000000'])
  const { commission } = await giveBack(soon.id)
  deepEqual([commission.amount.amount, commission.refunded], [480_000, true])
  const returned = await shop.get(soon.id)
  deepEqual([returned.status, returned.payment_status], ['completed', 'refunded'])
  deepEqual(returned.amounts, {
    paid: { amount: 2_480_000, currency: 'UZS' },
    refunded: { amount: 2_480_000, currency: 'UZS' },
    kept: [],
    open: [],
  })
  await shop.advance('P15D')
  const kept = (await giveBack(late.id)).commission
  deepEqual([kept.amount.amount, kept.refunded], [480_000, false])
  deepEqual(shown((await shop.get(late.id)).amounts.kept), ['late_return_commission 480000'])
})

test('a return of one of two units leaves the other one with its agreed commission, whatever was paid before', async () => {
  // The other unit costs 120 000 sums and 28 800 of commission. The third figure is the refund of commission.
  for (const [paid, keptCommission, refunded] of [
    [1, 2_880_000, 0],
    [9, 2_880_000, 1_440_000],
    [12, 2_880_000, 2_880_000],
  ] as const) {
    const { id } = await newOrder(2)
    await deliver(id)
    await shop.act(id, 'payments', { kind: 'instalment', count: paid })
    const { commission } = await giveBack(id)
    deepEqual([commission.amount.amount, commission.refunded], [refunded, true])
    if ((await shop.get(id)).amounts.open.length > 0) await shop.pay(id, number, { instalment: 'all' })
    const order = await shop.get(id)
    equal(order.status, 'completed')
    deepEqual(shown(order.amounts.kept), [`commission ${keptCommission}`, 'products 12000000'])
  }
})

test('a return refunds the commission of its own line, not a share of the commission of all lines', async () => {
  const [dear, cheap] = [
    await shop.stock.offer({ price: 120_000, quantity: 10, loan_condition_ids: [3] }),
    await shop.stock.offer({ price: 120_000, quantity: 10, loan_condition_ids: [4] }),
  ]
  const buyer = shop.newClient()
  await shop.put(buyer, dear, 1, { LoanConditionId: 3 })
  await shop.put(buyer, cheap, 1, { LoanConditionId: 4 })
  const [id] = await shop.ordered(buyer, { PaymentMethodId: installment })
  await deliver(id!)
  await shop.act(id!, 'payments', { kind: 'instalment', instalment: 'all' })
  const { lines } = await shop.get(id!)
  const line = lines.find((it: { loan_condition: { id: string } }) => it.loan_condition.id === '4').line
  const asked = await shop.act(id!, 'returns', { lines: [{ line, quantity: 1 }], reason: 'too small' })
  const received = (await shop.act(id!, `returns/${asked.return.id}/receive`)).return
  equal(received.commission.amount.amount, 1_440_000)
  deepEqual(shown((await shop.get(id!)).amounts.kept), ['commission 2880000', 'products 12000000'])
})

test('an instalment whose day has passed is overdue', async () => {
  const { id } = await newOrder()
  await shop.advance('P40D')
  const order = await shop.get(id)
  deepEqual(
    order.instalments.slice(0, 2).map((it: { status: string }) => it.status),
    ['overdue', 'due'],
  )
  deepEqual(shown(order.amounts.open), ['overdue 1240000', 'not_due 13640000'])
})

test('a payment for an instalment of an order that is not paid in instalments is refused', async () => {
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer())
  const [id] = await shop.ordered(buyer, { PaymentMethodId: 1 })
  const body = { kind: 'card', card: cardNumbers(number), instalment: 1 }
  assertRefused('validation_failed', await shop.post(`/v1/orders/${id}/payments`, body))
})

test('instalments that were not paid on their day are published once each', async () => {
  const { id } = await newOrder()
  equal((await shop.pay(id, number, { instalment: 2 })).status, 201)
  const overdue = async () =>
    (await shop.events('InstalmentsOverdue'))
      .filter((it) => it.fields['orderId'] === id)
      .map((it) => it.fields['numbers'])
  await shop.advance('P40D')
  deepEqual(await overdue(), [[1]])
  await shop.advance('P60D')
  // Older events are purged by then.
  deepEqual((await overdue()).at(-1), [3])
})

test('repaying everything early costs the share of the commission that the condition names', async () => {
  await shop.stock.load('loan_condition', {
    id: 40,
    partner_id: 1,
    duration: 12,
    commission: 24,
    early_commission_percent: 25,
  })
  const buyer = shop.newClient()
  const offer = await shop.stock.offer({ price: 120_000, loan_condition_ids: [40] })
  const cart = await shop.put(buyer, offer, 1, { LoanConditionId: 40 })
  equal(cart.Items[0].LoanCondition.EarlyCommissionPercent, 25)
  const [id] = await shop.ordered(buyer, { PaymentMethodId: installment })
  const order = await shop.get(id!)
  // 12 parts of 12 400: 10 000 and a commission of 2 400, of which 600 are charged early.
  deepEqual([order.total_to_repay.amount, order.early_repayment.amount], [14_880_000, 12_720_000])
  equal((await shop.pay(id!, number)).body.data.payment.amount.amount, 1_240_000)
  const { payment } = (await shop.pay(id!, number, { instalment: 'all' })).body.data
  equal(payment.amount.amount, 11 * 1_060_000)
  const paid = await shop.get(id!)
  deepEqual([paid.payment_status, paid.early_repayment], ['paid', null])
  equal(paid.amounts.paid.amount, 1_240_000 + 11 * 1_060_000)
  deepEqual(paid.amounts.open, [])
  equal(
    paid.amounts.kept.find((it: { reason: string }) => it.reason === 'excess'),
    undefined,
  )
  equal((await shop.allowance(buyer.ClientId)).credit.used.amount, 0)
})
