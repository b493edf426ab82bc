import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { KnownWords } from './known-words.ts'
import { splitWords } from './split-words.ts'
import { parseSynonyms } from './synonym-lines.ts'
import { Synonyms } from './synonyms.ts'
import { TextIndex } from './text-index.ts'

const index = new TextIndex({ slots: 9, release: () => undefined })
// oxfmt-ignore
const rows: [ru: string, brand: string][] = [
  ['Стиральная машина Artel', 'Artel'],
  ['Кроссовки Nike', 'Nike'],
  ['Крем для лица Nivea', 'Nivea'],
  ['Электрочайник Bosch', 'Bosch'],
  ['Питьевая вода', 'Hydrolife'],
]
for (const [slot, [ru, brand]] of rows.entries())
  index.add(slot, { name: { ru }, brand, description: {}, variants: [], categoryNames: [] })
const parsed = parseSynonyms(
  'стиральная машина, washing machine\nавтомат, стиральный автомат > стиральная машина\nнайк, nike',
)
if ('problem' in parsed) throw new Error(JSON.stringify(parsed.problem))
const known = new KnownWords(index, Synonyms.none().with(parsed.lines))
const split = (text: string) =>
  splitWords(
    text.split(' ').map((word) => ({ word, typed: word, fallback: undefined, isPurpose: false })),
    known,
    () => undefined,
  )
    .map((it) => it.word)
    .join(' ')

// oxfmt-ignore
const cases: [typed: string, read: string][] = [
  ['кроссовкинайк', 'кроссовки найк'],
  ['кроссовкимашинакрем', 'кроссовки машина крем'],
  ['стиральнаямашинаавтомат', 'стиральнаямашина автомат'],
  ['крем длялица', 'крем для лица'],
  ['кремдлялица', 'крем для лица'],
  ['электрочайникстеклянный', 'электрочайник стеклянный'],
  ['намашинки', 'намашинки'],
  ['водонепроницаемая', 'водонепроницаемая'],
  ['абракадабрище', 'абракадабрище'],
]
for (const [typed, read] of cases) test(`splits "${typed}" as "${read}"`, () => equal(split(typed), read))

test('a hostile text costs no more than a fixed number of lookups', () => {
  let lookups = 0
  const counting = new Proxy(known, {
    get: (target, name) => {
      if (name === 'isSold') lookups++
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const word = { typed: '', fallback: undefined, isPurpose: false }
  const words = Array.from({ length: 12 }, (_, at) => ({
    ...word,
    word: 'машинакрем'.repeat(3) + 'ъыщ'.repeat(at % 3),
  }))
  splitWords(words, counting, () => undefined)
  ok(lookups < 1_500, String(lookups))
})
