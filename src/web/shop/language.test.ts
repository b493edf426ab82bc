import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { textToCyrillic, toCyrillic } from './language.ts'

test('Uzbek is written in Cyrillic, foreign words stay', () => {
  for (const [latin, cyrillic] of [
    ['O‘zbekiston, e’lon', 'Ўзбекистон, эълон'],
    ['Chegirma va yangi mahsulotlar', 'Чегирма ва янги маҳсулотлар'],
    ['{n} ta sharh', '{n} та шарҳ'],
    ['IMEI ro‘yxati, 5G va Wi-Fi', 'IMEI рўйхати, 5G ва Wi-Fi'],
    ['3-D Secure tasdig‘i', '3-D Secure тасдиғи'],
    ['YouTube uchun', 'YouTube учун'],
  ] as const)
    equal(toCyrillic(latin), cyrillic)
})

test('a text about a product keeps its brand and model', () => {
  const name = 'Samsung Galaxy S24 smartfoni, qora'
  equal(
    textToCyrillic('Samsung Galaxy S24: toza ovoz, Toshkent', name),
    'Samsung Galaxy S24: тоза овоз, Тошкент',
  )
})
