import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { completeWord } from './complete-words.ts'
import { KnownWords } from './known-words.ts'
import { parseSynonyms } from './synonym-lines.ts'
import { Synonyms } from './synonyms.ts'
import { TextIndex } from './text-index.ts'

const index = new TextIndex({ slots: 20, release: () => undefined })
// oxfmt-ignore
const rows: [ru: string, en: string, brand: string][] = [
  ['Электрический чайник Bosch', 'Bosch electric kettle', 'Bosch'],
  ['Электрический чайник Braun', 'Braun electric kettle', 'Braun'],
  ['Чайный сервиз Karaca', 'Karaca tea set', 'Karaca'],
  ['Кроссовки Nike', 'Nike sneakers', 'Nike'],
  ['Накладные наушники Sony', 'Sony headphones', 'Sony'],
  ['Стационарный блендер Kenwood Blend-X', 'Kenwood Blend-X jug blender', 'Kenwood'],
  ['Одеяло Tac', 'Tac blanket', 'Tac'],
  ['Туалетная вода Lacoste Blanc', 'Lacoste Blanc eau de toilette', 'Lacoste'],
  ['Машинка Chicco', 'Chicco toy car', 'Chicco'],
  ['Машинка Barbie', 'Barbie toy car', 'Barbie'],
  ['Футбольный мяч Puma', 'Puma football', 'Puma'],
]
for (const [slot, [ru, en, brand]] of rows.entries())
  index.add(slot, { name: { ru, en }, brand, description: {}, variants: [], categoryNames: [] })

const parsed = parseSynonyms(
  'электрический чайник, electric kettle\nкет, кеты\nмашина, car\nпила, arra\nfrying pan, сковорода\nsneak peek, анонс',
)
if ('problem' in parsed) throw new Error(JSON.stringify(parsed.problem))
const known = new KnownWords(index, Synonyms.none().with(parsed.lines))
const completed = (text: string) =>
  completeWord(
    text.split(' ').map((word) => ({ word, typed: word, fallback: undefined, isPurpose: false })),
    known,
    () => undefined,
  )
    .map((it) => it.word)
    .join(' ')

// oxfmt-ignore
const cases: [typed: string, read: string, why: string][] = [
  ['kettl', 'kettle', 'and no кеты, of which it would be a form in Russian'],
  ['чайн', 'чайник', 'and no form of the adjective чайный'],
  ['кро', 'кроссовки', 'three letters are enough'],
  ['sneak', 'sneakers', 'and no part of a phrase, which is no thing'],
  ['кр', 'кр', 'two letters alone are not'],
  ['headp', 'headphones', 'half of a digraph'],
  ['bosc', 'bosch', 'half of a digraph, a brand'],
  ['blend', 'blender', 'the word of a series begins a thing'],
  ['blank', 'blanket', 'and not Blanc, which has an equal key'],
  ['машин', 'машина', 'a form of машина is no beginning of машинка'],
  ['пила', 'пила', 'a word of the dictionary is whole'],
  ['футбольный м', 'футбольный мяч', 'an adjective and one letter'],
  ['чайник бл', 'чайник бл', 'after a Russian noun no thing begins'],
  ['модные кросс', 'модные кроссовки', 'after a modifier that no product has'],
  ['чайник кросс', 'чайник кросс', 'but not after another thing'],
  ['electric k', 'electric kettle', 'the end of a phrase'],
  ['frying p', 'frying p', 'the end of a phrase that is not sold'],
]
for (const [typed, read, why] of cases)
  test(`completes "${typed}" to "${read}": ${why}`, () => equal(completed(typed), read))
