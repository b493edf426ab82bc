import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from './language.ts'
import { stemOf } from './stemmers.ts'
import { Vocabulary } from './vocabulary.ts'
import { isModel, keyOf } from './word-key.ts'

const words =
  'чайники чайник choynagi bright kettles kabellar ковёр джинсы джемпер ёғ a55 128gb қора wi-fi fridge'.split(
    ' ',
  )

for (const order of [languages, languages.toReversed(), ['uz', 'ru', 'en'] as const])
  test(`a word has its key and its stem of every language, learned in the order ${order.join(', ')}`, () => {
    const vocabulary = new Vocabulary()
    const names: string[] = []
    const named = new Vocabulary((word) => names.push(word))
    for (const language of order)
      for (const word of words) {
        const entry = vocabulary.learn(word, language)
        named.learn(word, language)
        const key = keyOf(word, language)
        equal(vocabulary.key(entry), key, word)
        equal(vocabulary.learn(word, language), entry)
        if (!isModel(word)) equal(vocabulary.wordsOf(stemOf(word, key, language)).includes(entry), true, word)
      }
    // Latin words of Russian texts are names, also when another language had them first.
    deepEqual(names.toSorted(), words.filter((it) => /^[a-z-]+$/.test(it)).toSorted())
  })
