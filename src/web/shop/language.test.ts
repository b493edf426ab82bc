import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { nameToCyrillic, textToCyrillic, toCyrillic } from './language.ts'

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

test('names keep brands and models; sizes and units are transliterated', () => {
  for (const [latin, cyrillic] of [
    ['Huggies Classic tagliklari, 4-o‘lcham, 8–14 kg', 'Huggies Classic тагликлари, 4-ўлчам, 8–14 кг'],
    ['Ronix RH-1 ombiri, 160 mm', 'Ronix RH-1 омбири, 160 мм'],
    ['Korzinka Paxta o‘simlik moyi, 1 l', 'Korzinka Paxta ўсимлик мойи, 1 л'],
    ['Borofone BX82 USB-C kabeli, 1 m', 'Borofone BX82 USB-C кабели, 1 м'],
  ] as const)
    equal(nameToCyrillic(latin), cyrillic)
})

test('a text about a product keeps its brand and model', () => {
  const name = 'Samsung Galaxy S24 smartfoni, qora'
  equal(
    textToCyrillic('Samsung Galaxy S24: toza ovoz, Toshkent', name),
    'Samsung Galaxy S24: тоза овоз, Тошкент',
  )
})
