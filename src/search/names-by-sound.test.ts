import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { knownWordsOf } from '../../test/support/known-words.ts'
import { soundsOf } from './sounds.ts'
import { russianRoot } from './stemmers.ts'
import { understandQuery } from './understand-query.ts'

// oxfmt-ignore
const rows: [name: string, brand: string, category: string, description: string][] = [
  ['Ноутбук Lenovo ThinkBook 14', 'Lenovo', 'Ноутбуки', 'Comfortable'],
  ['Парфюмерная вода Versace Bright Crystal, 30 мл', 'Versace', 'Парфюмерия', ''],
  ['Кроссовки Adidas Ultraboost, белые', 'Adidas', 'Кроссовки', ''],
  ['Питьевая вода Hydrolife, 5 л', 'Hydrolife', 'Вода', ''],
  ['Игровые наушники HP HyperX, чёрные', 'HP', 'Наушники', ''],
  ['Джинсы Levi’s Ribcage, синие', 'Levi’s', 'Джинсы', ''],
  ['Чайный сервиз, на 6 персон', 'Karaca', 'Посуда', ''],
  ['Стиральная машина Artel, 6 кг', 'Artel', 'Стиральные машины', ''],
]
const { index, known } = knownWordsOf(
  rows.map(([ru, brand, category, description]) => ({ name: { ru }, brand, category, description })),
)
const read = (text: string) => understandQuery(text, known, { mode: 'submitted' })

test('a series in Cyrillic letters is found by its sound', () => {
  equal(read('леново тинкбук').corrected, 'леново thinkbook')
  equal(read('версаче брайт кристал').corrected, 'версаче bright кристал')
  equal(read('ультрабуст').corrected, 'ultraboost')
  equal(read('хайперикс').corrected, 'hyperx')
  equal(read('рибкейдж').corrected, 'ribcage')
})

test('the h of a brand may be typed as г', () => {
  equal(read('гидролайф').corrected, 'hydrolife')
  deepEqual(soundsOf('hydrolife'), ['hdrlf', 'gdrlf'])
})

test('words that only descriptions have are not found by sound', () => {
  equal(index.sounds.find('комфортабл'), undefined)
})

test('a preposition before a number is no series: на 6 кг', () => {
  const { units } = read('стиральная машина на 6 кг')
  deepEqual(
    units.map((it) => it.words.map(({ word }) => word).join(' ')),
    ['стиральная машина', '6kg'],
  )
})

test('linen is not white', () => {
  ok(russianRoot('белья') === russianRoot('бельё') && russianRoot('белье') === russianRoot('бельём'))
  ok(russianRoot('белое') !== russianRoot('белья'))
})

test('a word of five letters is corrected, also when its key is shorter: плтье', () => {
  equal(read('плтье').corrected, 'платье')
})

test('beside a brand, an unknown word may be left out', () => {
  const { units } = read('версаче абракадабра')
  deepEqual(
    units.map(({ role, isRequired }) => [role, isRequired]),
    [
      ['brand', true],
      ['unknown', false],
    ],
  )
})
