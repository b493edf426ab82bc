import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { fields, headFields } from './fields.ts'
import { TextIndex } from './text-index.ts'
import { tokensOf } from './tokens.ts'
import { keyOf } from './word-key.ts'

const indexOf = (name: { ru: string; en?: string }) => {
  const index = new TextIndex({ slots: 1, release: () => undefined })
  index.add(0, { name, brand: '', description: {}, variants: [], categoryNames: [] })
  return index
}
const texts = (text: string) => tokensOf(text, 20).map((it) => it.text)

test('the plus at the end of a model is a word: S25+', () => {
  deepEqual(texts('Galaxy S25+ 512 ГБ'), ['galaxy', 's25', 'plus', '512', 'гб'])
  deepEqual(texts('Tab A9+'), ['tab', 'a9', 'plus'])
  deepEqual(texts('чехол + стекло'), ['чехол', 'стекло'])
  deepEqual(texts('a+b'), ['a', 'b'])
})

test('both sizes of memory have the unit: 32/1024 GB', () => {
  const { vocabulary } = indexOf({ ru: 'Ноутбук Asus 32/1024 ГБ' })
  for (const word of ['32', '32gb', '1024gb']) notEqual(vocabulary.find(keyOf(word, 'en')), undefined, word)
})

test('of a washing machine of 8/5 kg only the last number has the unit', () => {
  const { vocabulary } = indexOf({ ru: 'Стирально-сушильная машина, 8/5 кг' })
  equal(vocabulary.find(keyOf('8kg', 'en')), undefined)
  notEqual(vocabulary.find(keyOf('5kg', 'en')), undefined)
})

test('after a number "in" is a unit and no preposition: the head of a 24″ gaming monitor is monitor', () => {
  const index = indexOf({ ru: 'Игровой монитор Xiaomi G Pro 24″', en: 'Xiaomi G Pro 24″ gaming monitor' })
  const fieldsOf = (word: string) => index.fieldsOf(index.vocabulary.find(keyOf(word, 'en'))!)
  equal(fieldsOf('pro') & headFields, 0)
  equal(fieldsOf('monitor') & headFields, fields.head)
})
