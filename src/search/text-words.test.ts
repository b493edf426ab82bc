import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../ml/random.ts'
import { languages } from './language.ts'
import { isStopWord } from './lexicon.ts'
import { tokensOf } from './tokens.ts'
import { TextWords } from './text-words.ts'
import { Vocabulary } from './vocabulary.ts'
import { eachIndexedWord } from './words.ts'

// oxfmt-ignore
const pieces = [
  'чайник', 'для', 'O‘zbek', "o'yin", 'и', 'the', 'A', 'A-55', 'wi-fi', 'x', '180x200', '3Х4', '55"', "55''",
  '12', '1,5', '2.5', 'кг', 'GB', '128гб', '5-9 кг', 'iphone15', '3D', 'r16', 'children’s', 'ΣΑΣ', 'İ', '№',
  'e\u0301', '²', '…', '\u00a0', '😀', 'Ё', '«', '»', '(', ',', '-', '—', 'Қора', 'по-русски',
]

test('words of a text are those of its tokens, whether they are known or not', () => {
  const random = seededRandom(8)
  const vocabulary = new Vocabulary()
  const words = new TextWords(vocabulary)
  for (let step = 0; step < 4_000; step++) {
    const language = languages[step % languages.length]!
    const withStopWords = random() < 0.5
    const length = Math.floor(random() * 15)
    const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]!).join(
      random() < 0.7 ? ' ' : '',
    )
    words.read(text, language, { limit: 20, withStopWords })
    const expected: [entry: number, position: number][] = []
    eachIndexedWord(tokensOf(text, 20), (word, position) => {
      if (withStopWords || !isStopWord(word)) expected.push([vocabulary.learn(word, language), position])
    })
    deepEqual(
      Array.from({ length: words.count }, (_, at) => [words.entries[at], words.positions[at]]),
      expected,
      text,
    )
  }
})

test('more distinct words than are kept at once are read right', () => {
  const vocabulary = new Vocabulary()
  const words = new TextWords(vocabulary)
  const read = (number: number) => {
    words.read(`слово${'абвгдежзик'[number % 10]} t${number} ${number} гб`, 'ru', {
      limit: 20,
      withStopWords: true,
    })
    return Array.from(words.entries.subarray(0, words.count), (it) => vocabulary.key(it))
  }
  const first = read(7)
  for (let number = 0; number < 140_000; number++) read(number)
  deepEqual(read(7), first)
  ok(first.includes('7gb'))
})
