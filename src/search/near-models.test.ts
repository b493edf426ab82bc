// Models that are written in another way than the shop has them, or that it does not sell.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { knownWordsOf } from '../../test/support/known-words.ts'
import { rowsOf } from './query-terms.ts'
import { understandQuery } from './understand-query.ts'
import { modelSpellings } from './word-key.ts'

// oxfmt-ignore
const rows: [ru: string, en: string, brand: string, category: string][] = [
  ['Смартфон Redmi Note 14 Pro 8/128 ГБ', 'Redmi Note 14 Pro 8/128 GB smartphone', 'Redmi', 'Смартфоны'],
  ['Смартфон OnePlus 13', 'OnePlus 13 smartphone', 'OnePlus', 'Смартфоны'],
  ['Планшет Samsung Galaxy Tab A9+', 'Samsung Galaxy Tab A9+ tablet', 'Samsung', 'Планшеты'],
  ['Планшет Apple iPad Air 13', 'Apple iPad Air 13 tablet', 'Apple', 'Планшеты'],
  ['Акустика Edifier S1000', 'Edifier S1000 bookshelf speakers', 'Edifier', 'Акустика'],
  ['Портативная колонка JBL Go 4', 'JBL Go 4 portable speaker', 'JBL', 'Акустика'],
]
const { known } = knownWordsOf(
  rows.map(([ru, en, brand, category]) => ({ name: { ru, en }, brand, category })),
)
const { known: knownLaptops } = knownWordsOf(
  [
    ['Apple', 'MacBook Air'],
    ['Apple', 'MacBook Pro'],
    ['Huawei', 'MateBook D'],
  ].map(([brand, series]) => ({
    name: { ru: `Ноутбук ${brand} ${series}` },
    brand: brand!,
    category: 'Ноутбуки',
  })),
)
const read = (text: string) => understandQuery(text, known, { mode: 'submitted' }).units
const wordsOf = (text: string) => read(text).flatMap((it) => it.words.map(({ word }) => word))
const leftOut = (text: string) =>
  read(text)
    .filter((it) => !it.isRequired)
    .map((it) => it.typed)

test('pro and plus may be left out when that model is not sold: redmi note 14 pro plus', () => {
  deepEqual(leftOut('redmi note 14 pro plus'), ['14', 'pro', 'plus'])
  deepEqual(leftOut('pro'), [])
})

test('the kind of memory after a size is no thing of its own: redmi note 14 8 гб озу', () => {
  deepEqual(wordsOf('redmi note 14 8 гб озу'), ['redmi', 'note', '14', '8gb'])
  deepEqual(wordsOf('redmi note 14 8gb ram'), ['redmi', 'note', '14', '8gb'])
  ok(wordsOf('озу 8 гб').includes('озу'))
  ok(wordsOf('8 гб озу').includes('озу'))
})

test('a model in Cyrillic letters is found by how they sound or look: л3250 is L3250, вх1000 is WH1000', () => {
  const indexed = new Set(['l3250', 'wh1000', 'hd316', 'm6500w'])
  const model = (text: string) => modelSpellings(text).find((it) => indexed.has(it))
  equal(model('л3250'), 'l3250')
  equal(model('вх1000'), 'wh1000')
  equal(model('хд316'), 'hd316')
  equal(model('м6500в'), 'm6500w')
  equal(model('ы100'), undefined)
})

test('of two names as near to a misspelt word, the one of the brand beside it is meant: huawei matbook', () => {
  const named = understandQuery('huawei matbook', knownLaptops, { mode: 'submitted' })
  equal(named.corrected, 'huawei matebook')
})

test('beside a model, speakers are also those that another word of the dictionary names', () => {
  const slotsOf = (text: string) => {
    const unit = read(text).find((it) => it.role === 'thing')!
    const { lists } = rowsOf(unit, known, 'submitted')
    return new Set(lists.flatMap((it) => [...it.values].map((value) => value >>> 8)))
  }
  equal(slotsOf('edifier s1000 speakers').has(4), true)
  equal(slotsOf('speakers').has(4), false)
})
