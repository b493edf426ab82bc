import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { count, money } from './language.ts'

const shown = (tiyin: number, language: 'en' | 'ru' | 'uz' = 'en') =>
  money({ amount: tiyin, currency: 'UZS' }, language).replaceAll('\u202f', ' ')

test('money is whole, or has both digits of the tiyin, with the decimal sign of the language', () => {
  equal(shown(28_092_200), '280 922 sum')
  equal(shown(28_092_250), '280 922.50 sum')
  equal(shown(28_092_250, 'ru'), '280 922,50 сум')
  equal(shown(10_431_667, 'uz'), '104 316,67 so‘m')
})

test('a negative figure has a minus sign, not a hyphen', () => {
  equal(shown(-5_000_000), '−50 000 sum')
  equal(count(-3), '−3')
})
