// How queries name models: pieces, glued words, letters of the other script.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isMaterial, sameAmounts } from './lexicon.ts'
import { lookalike } from './word-key.ts'
import { queryWords } from './words.ts'

const indexed = new Set(['x8c', '14c', 'df333', 'flip7', 'zflip7', 'z', 'redmi', '530', 'wh1000xm6', 'xm6'])
const read = (text: string) =>
  queryWords(text, {
    isIndexed: (word) => indexed.has(word),
    isThing: (word) => word === 'nb',
    areTogether: () => true,
  })

// oxfmt-ignore
const cases: [text: string, ...words: string[]][] = [
  ['хонор х8с', 'хонор', 'x8c'],
  ['redmi 14 c', 'redmi', '14c'],
  ['телевизор 14 с подставкой', 'телевизор', '14', 'с', 'подставкой'],
  ['nb530', 'nb', '530'],
  ['wh 1000 xm6', 'wh1000xm6'],
  ['zflip7', 'zflip7'],
]
for (const [text, ...words] of cases)
  test(`the words of "${text}" are ${words.join(', ')}`, () =>
    deepEqual(
      read(text).map((it) => it.word),
      words,
    ))

test('an unknown model falls back to the known one that it begins with', () => {
  deepEqual(read('df333d'), [{ word: 'df333d', fallback: 'df333', typed: 'df333d' }])
})

test('Cyrillic letters of a model are read as the Latin ones that they look like', () => {
  equal(lookalike('х8с'), 'x8c')
})

test('a number of a wheel is also its radius', () => {
  deepEqual(sameAmounts('16'), ['16000', 'r16'])
  deepEqual(sameAmounts('9'), ['ix', '9000'])
})

test('materials are known in three languages', () => {
  for (const word of ['shisha', 'шиша', 'glass', 'стекло']) equal(isMaterial(word), true, word)
  equal(isMaterial('choynak'), false)
})
