import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { CartItem } from '../../../sdk/index.ts'
import { formatOf } from '../format.ts'
import { textsOf } from '../texts/index.ts'
import type { Visit } from '../visit.ts'
import { repayment } from './cart.ts'

const visit = { texts: textsOf('en'), format: formatOf('en', 'Asia/Tashkent') } as Visit

/** The text about a line of one unit that is paid in instalments with a commission of 20 %. */
function shown(price: number, months: number, prepayment: number | null = null): string {
  const condition = { Duration: months, Commission: 20 }
  const line = {
    Price: price,
    Quantity: 1,
    DiscountAmount: 0,
    BnplDetails: { HasDailyPayment: false, PrepaymentAmount: prepayment },
    LoanCondition: condition,
    LoanConditions: [condition],
  } as unknown as CartItem
  const { text } = repayment(visit, line) || { text: '' }
  return text.replace(/<[^>]+>/g, '').replaceAll('\u00a0', ' ')
}

test('the instalments of a line add up to the total that is shown beside them', () => {
  equal(shown(75_750, 24), 'In instalments: 24 × 3 787.50 sum = 90 900 sum')
  equal(shown(100_000, 7), 'In instalments: 5 × 17 142.86 sum + 2 × 17 142.85 sum = 120 000 sum')
  equal(shown(75_750, 24, 10_000), '10 000 sum now, then 24 × 3 287.50 sum. 88 900 sum in total')
})
