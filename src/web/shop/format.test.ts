import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { formatOf } from './format.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test('an amount is shown as it is charged: with its tiyin, and without them when there are none', () => {
  const [ru, uz, en] = (['ru', 'uz', 'en'] as const).map((it) => formatOf(it, 'Asia/Tashkent'))
  equal(plain(ru!.sums(1_299_000)), '1 299 000 сум')
  equal(plain(ru!.money({ amount: 100_001 })), '1 000,01 сум')
  equal(plain(uz!.sums(12_345.6)), '12 345,60 so‘m')
  equal(plain(en!.money({ amount: 99 })), '0.99 sum')
  equal(plain(ru!.sums(0.1 + 0.2)), '0,30 сум')
})

test('a calculated monthly payment is shown in whole sums', () => {
  equal(plain(formatOf('ru', 'Asia/Tashkent').about({ amount: 180_833.3 })), '1 808 сум')
})
