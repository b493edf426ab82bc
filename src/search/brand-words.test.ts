import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { knownWordsOf } from '../../test/support/known-words.ts'
import { rowsOf } from './query-terms.ts'
import { understandQuery } from './understand-query.ts'

// oxfmt-ignore
const rows: [ru: string, en: string, brand: string, category: string][] = [
  ['Мужские ботинки Ecco Track 25, чёрные', 'Ecco Track 25 men’s boots, black', 'Ecco', 'Мужская обувь'],
  ['Трек Hot Wheels Action Loop', 'Hot Wheels Action Loop track', 'Hot Wheels', 'Игрушки'],
  ['Игровые наушники HP HyperX Cloud III', 'HP HyperX Cloud III gaming headset', 'HP', 'Наушники'],
  ['Накладные наушники Marshall Monitor III', 'Marshall Monitor III over-ear headphones', 'Marshall', 'Наушники'],
  ['Портативная колонка Marshall Willen II', 'Marshall Willen II portable speaker', 'Marshall', 'Акустика'],
  ['Монитор Samsung S3 24″', 'Samsung S3 24″ monitor', 'Samsung', 'Мониторы'],
  ['Кондиционер Samsung WindFree', 'Samsung WindFree air conditioner', 'Samsung', 'Кондиционеры'],
  ['Вертикальный пылесос Dyson V15', 'Dyson V15 stick vacuum cleaner', 'Dyson', 'Пылесосы'],
  ['Мультиварка Redmond RMC-M 3 л', 'Redmond RMC-M 3 L multicooker', 'Redmond', 'Мультиварки'],
  ['Холодильник Artel HD345', 'Artel HD345 fridge', 'Artel', 'Холодильники'],
  ['Ковёр SAG Buxoro', 'SAG Buxoro carpet', 'SAG', 'Ковры'],
  ['Шкаф Akfa Kupe', 'Akfa Kupe wardrobe', 'Akfa', 'Мебель'],
  ['Силиконовый чехол Apple iPhone 16', 'Apple iPhone 16 silicone case', 'Apple', 'Чехлы'],
  ['Кухонная вытяжка Bosch DWK', 'Bosch DWK cooker hood', 'Bosch', 'Вытяжки'],
  ['Смартфон Infinix Smart 10', 'Infinix Smart 10 smartphone', 'Infinix', 'Смартфоны'],
  ['Смартфон Infinix Hot 60', 'Infinix Hot 60 smartphone', 'Infinix', 'Смартфоны'],
  ['Детская каша Nestlé', 'Nestlé baby cereal', 'Nestlé', 'Детское питание'],
]
const { known } = knownWordsOf(
  rows.map(([ru, en, brand, category]) => ({ name: { ru, en }, brand, category })),
)
const read = (text: string) => understandQuery(text, known, { mode: 'submitted' })
const wordsOf = (text: string) => read(text).units.map((it) => it.words.map(({ word }) => word).join(' '))
const roleOf = (text: string, typed: string) => read(text).units.find((it) => it.typed === typed)?.role

test('a word beside a brand is read as the word of its names that sounds so', () => {
  deepEqual(wordsOf('экко трек 25').slice(0, 2), ['экко', 'track'])
  deepEqual(wordsOf('хайперикс клауд').slice(0, 2), ['hyperx', 'cloud'])
  equal(wordsOf('хот вилс трек').includes('track'), false)
})

test('the beginning of a thing beside a brand is no word of its names', () => {
  deepEqual(wordsOf('infinix smartf'), ['infinix', 'smartfon'])
})

test('a thing that a brand does not sell is a word of its names', () => {
  equal(roleOf('marshall monitor', 'monitor'), 'brand')
  equal(roleOf('samsung monitor', 'monitor'), 'thing')
})

test('beside a whole name, another form of a word is no thing', () => {
  equal(roleOf('dyson v15 detect', 'detect'), 'modifier')
})

test('a series that is said as two words is one word of a name', () => {
  deepEqual(wordsOf('винд фри кондиционер'), ['windfree', 'кондиционер'])
})

test('a digit finds the Roman numeral of a model, and only that one', () => {
  const found = (text: string) => {
    const unit = read(text).units.find((it) => it.typed === text.split(' ').at(-1))!
    return rowsOf(unit, known, 'submitted').lists.flatMap((it) =>
      Array.from(it.values, (value) => value >>> 8),
    )
  }
  ok(found('cloud 3').includes(2))
  ok(found('willen 2').includes(4))
  equal(found('willen 2').includes(2), false)
})

test('of words as near, the one that is sold with the other words is meant', () => {
  equal(read('редмонт мультиварка').corrected, 'redmond мультиварка')
})

test('a row of one letter is no word in any layout and joins no word', () => {
  deepEqual(wordsOf('холодильник ыыыы'), ['холодильник', 'ыыыы'])
})

test('a short word with a missing vowel is the thing with its consonants', () => {
  equal(read('shkf').corrected, 'shkaf')
  equal(read('вас').corrected, null)
})

test('a Latin word that only shares a stem with what is not sold is corrected', () => {
  equal(read('carpit').corrected, 'carpet')
})

test('a thing between the words of a need does not replace the need', () => {
  const need = read('запах еды убрать с кухни').units.find((it) => it.role === 'thing')
  ok(need?.meanings.some((it) => it.isNeed))
})

test('beside the thing itself, the brand of a need counts', () => {
  equal(roleOf('protective cover for iphone', 'iphone'), 'brand')
})
