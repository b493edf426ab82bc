import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { asMoney, inSums, inWholeSums, maxPriceTiyin, sumTiyin, timesTiyin } from './money.ts'

test('sums on the wire have at most two decimals', () => {
  equal(inSums(12_345), 123.45)
  equal(inSums(100), 1)
  equal(JSON.stringify(inSums(maxPriceTiyin - 1)), '99999999999.99')
})

test('whole sums are rounded half up', () => {
  equal(inWholeSums(149), 1)
  equal(inWholeSums(150), 2)
  equal(inWholeSums(maxPriceTiyin), 100_000_000_000)
})

test('an amount that a JSON number cannot carry is refused, never rounded', () => {
  equal(timesTiyin(maxPriceTiyin, 900), 9_000_000_000_000_000)
  throws(() => timesTiyin(maxPriceTiyin, 9_999), { code: 'amount_too_large' })
  throws(() => sumTiyin([Number.MAX_SAFE_INTEGER, 1]), { code: 'amount_too_large' })
  equal(sumTiyin([1, 2, 3]), 6)
})

test('the API writes money with its currency', () => {
  deepEqual(asMoney(500), { amount: 500, currency: 'UZS' })
})
