import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { parseSynonyms } from './synonym-lines.ts'
import { Synonyms } from './synonyms.ts'

const lines = (text: string) => {
  const parsed = parseSynonyms(text)
  if ('problem' in parsed) throw new Error(JSON.stringify(parsed.problem))
  return parsed.lines
}

// oxfmt-ignore
const problems: [text: string, problem: object][] = [
  ['телефон', { line: 1, reason: 'too_few_forms' }],
  ['# note\n\nтелефон, смартфон, телефон', { line: 3, reason: 'repeated_form', form: 'телефон' }],
  ['вода > вода', { line: 1, reason: 'cycle', form: 'вода' }],
  ['a > b\nb > c\nc > a', { line: 1, reason: 'cycle', form: 'a' }],
  ['a, b, c\na > b', { line: 2, reason: 'contradiction', form: 'b', otherLine: 1 }],
  [`a, ${'b'.repeat(61)}`, { line: 1, reason: 'too_long' }],
]
for (const [text, problem] of problems)
  test(`refuses ${JSON.stringify(text).slice(0, 60)} with the line`, () => {
    deepEqual(parseSynonyms(text), { problem })
  })

test('the curated dictionary has several thousand forms and no problem', () => {
  const found = Synonyms.curated().find(['телефон'], 0)!
  ok(found.meanings[0]!.forms.some((it) => it.join(' ') === 'cell phone'))
})

test('a shop’s own synonyms come before the curated ones, and its words are known', () => {
  const own = Synonyms.curated().with(lines('шайтан-машинка, велосипед'))
  const forms = own
    .find(['шайтан', 'машинка'], 0)!
    .meanings.flatMap((it) => it.forms.map((form) => form.join(' ')))
  ok(forms.includes('велосипед'))
  ok(own.has('велик'))
  equal(Synonyms.none().find(['телефон'], 0), undefined)
})

test('words of a phrase are found in any order and inflection', () => {
  const curated = Synonyms.curated()
  deepEqual(curated.find(['стиральную', 'машину'], 0)!.positions, [0, 1])
  deepEqual(curated.find(['машина', 'стиральная'], 1)!.positions, [1, 0])
})

test('a phrase that only shares a word with a meaning is no kind of it', () => {
  const curated = Synonyms.curated()
  const friendsOf = (word: string) =>
    curated.falseFriends(word, curated.find([word], 0)!.meanings).map((it) => it.join(' '))
  ok(friendsOf('bike').includes('exercise bike'))
  ok(!friendsOf('bike').includes('mountain bike'))
  ok(friendsOf('шкаф').includes('духовой шкаф'))
})

test('words for colours and materials are no things', () => {
  const curated = Synonyms.curated()
  const words =
    'чёрный черный белый красный синий зелёный зеленый жёлтый серый розовый qora oq qizil yashil sariq'
  for (const word of `${words} black white red blue green yellow grey pink кожаный стеклянный`.split(' '))
    equal(curated.find([word], 0), undefined, word)
})

test('several wider words in one line mean the same', () => {
  const own = Synonyms.none().with(lines('фен, soch quritgich\nсушить волосы, dry hair > фен'))
  for (const words of [
    ['сушить', 'волосы'],
    ['dry', 'hair'],
  ])
    deepEqual(
      own.find(words, 0)!.meanings.flatMap((it) => it.narrower.map((form) => form.join(' '))),
      ['фен', 'soch quritgich'],
    )
})

test('a wider phrase drops no rows of what it means: rice for plov is rice', () => {
  const own = Synonyms.none().with(lines('рис, guruch, rice\nplov rice > рис'))
  deepEqual(own.falseFriends('rice', own.find(['rice'], 0)!.meanings), [])
})

test('an English word in Cyrillic letters is found by its sound', () => {
  const curated = Synonyms.curated()
  equal(curated.soundAlike('бэкпэк'), 'backpack')
  equal(curated.soundAlike('кеттл'), 'kettle')
  equal(curated.soundAlike('ъъъъ'), undefined)
})

test('an adjective is no form of a noun that shares its stem', () => {
  const own = Synonyms.none().with(lines('чернила, ink'))
  equal(own.find(['чёрный'], 0), undefined)
  ok(own.find(['чернила'], 0))
})

test('of words with one key, the one in the script of the query is meant', () => {
  const own = Synonyms.none().with(lines('платье, dress\nтарелка, plate'))
  deepEqual(own.find(['платье'], 0)!.meanings[0]!.forms[0], ['платье'])
  equal(own.find(['платье'], 0)!.meanings.length, 1)
})
