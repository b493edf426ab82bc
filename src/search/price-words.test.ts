import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { readPrice } from './price-words.ts'

const read = (typed: string) => {
  const found = readPrice(typed)
  return found && [found.text, found.limits.min ?? null, found.limits.max ?? null]
}

const cases: [string, ReturnType<typeof read>][] = [
  ['телефон до 3 млн', ['телефон', null, 3_000_000]],
  ['ноутбук не дороже 7 000 000 сум', ['ноутбук', null, 7_000_000]],
  ['до 500 тыс наушники', ['наушники', null, 500_000]],
  ['quloqchin 500 ming so‘mgacha', ['quloqchin', null, 500_000]],
  ['3 млнгача телефон', ['телефон', null, 3_000_000]],
  ['tv under 4 million', ['tv', null, 4_000_000]],
  ['headphones under 500k', ['headphones', null, 500_000]],
  ['телефон от 2 до 3,5 млн', ['телефон', 2_000_000, 3_500_000]],
  ['диван от 5 млн', ['диван', 5_000_000, null]],
  ['духи до миллиона', ['духи', null, 1_000_000]],
  ['телефон до полутора миллионов', ['телефон', null, 1_500_000]],
  ['ikki milliongacha telefon', ['telefon', null, 2_000_000]],
  ['чайник до 2 литров', undefined],
  ['гантели от 5 до 10 кг', undefined],
  ['телевизор до 55', undefined],
  ['до 3 млн', undefined],
  ['1984', undefined],
]

for (const [typed, expected] of cases)
  test(`reads the price in "${typed}"`, () => deepEqual(read(typed), expected))
