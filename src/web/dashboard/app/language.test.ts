import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { count, day, dayAndYear, fullDate, money, percent, shortMoney } from './language.ts'

const shown = (tiyin: number, language: 'en' | 'ru' | 'uz' = 'en') =>
  money({ amount: tiyin, currency: 'UZS' }, language).replaceAll('\u00a0', ' ')

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

test('a day is the same in every time zone', () => {
  const zone = process.env['TZ']
  try {
    for (const name of ['Pacific/Pago_Pago', 'UTC', 'Asia/Tashkent', 'Pacific/Kiritimati']) {
      process.env['TZ'] = name
      equal(day('2026-11-19', 'en'), '19 Nov', name)
      equal(day('2026-11-19', 'uz'), '19-noy', name)
      equal(fullDate('2026-11-19'), '19.11.2026', name)
    }
    // An instant has the day of the reader.
    process.env['TZ'] = 'Asia/Tashkent'
    equal(fullDate('2026-11-18T20:00:00.000Z'), '19.11.2026')
    equal(dayAndYear('2026-11-19', 'uz'), '19-noy 2026')
    equal(dayAndYear('2026-11-19', 'ru').replaceAll('\u00a0', ' '), '19 нояб. 2026 г.')
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test('short amounts and shares have the decimal sign of the language', () => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ')
  equal(plain(shortMoney(443_000_000, 'en')), '4.4 M')
  equal(plain(shortMoney(443_000_000, 'ru')), '4,4 млн')
  equal(plain(shortMoney(1_234_500_000_00, 'uz')), '1,2 mlrd')
  equal(plain(shortMoney(150_000_00, 'uz')), '150 000')
  equal(plain(percent(0.2, 'en')), '20.0 %')
  equal(plain(percent(0.2, 'ru')), '20,0 %')
  equal(plain(percent(0.2, 'uz', 0)), '20 %')
})
