import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { withLevels } from '../catalog/categories/category.ts'
import { languages } from '../http/language.ts'
import { brands } from './brands.ts'
import { categories } from './categories.ts'
import { misspelt, mixedWord, slugForm } from '../../test/support/spelling.ts'

const fromOne = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const texts = (language: (typeof languages)[number]) =>
  categories.flatMap((it) => [it.name[language]!, it.description[language]!])

test('there are some sixty categories and two hundred brands, numbered without a gap', () => {
  deepEqual(
    categories.map((it) => it.id),
    fromOne(68),
  )
  deepEqual(
    brands.map((it) => it.id),
    fromOne(200),
  )
})

test('slugs are well formed and unique, and so are the names of brands', () => {
  for (const rows of [categories, brands]) {
    deepEqual(
      rows.filter((it) => !slugForm.test(it.slug)),
      [],
    )
    equal(new Set(rows.map((it) => it.slug)).size, rows.length)
  }
  equal(new Set(brands.map((it) => it.name.toLowerCase())).size, brands.length)
})

test('parents come before their children, on three levels, with a dozen shelves at the top', () => {
  const perLevel = [0, 0, 0]
  for (const { level } of withLevels(categories, [])) perLevel[level]!++
  deepEqual(perLevel, [12, 39, 17])
  for (const { id, parentId } of categories) ok(parentId === null || parentId < id)
})

test('no category has a lonely child', () => {
  const children = Map.groupBy(
    categories.filter((it) => it.parentId !== null),
    (it) => it.parentId,
  )
  for (const [parentId, below] of children) ok(below.length >= 2, `below ${parentId} stands ${below.length}`)
})

test('every category has a name and a description in three languages, and no two share a name', () => {
  for (const language of languages) {
    for (const text of texts(language)) {
      ok(text.length >= 2 && text.length <= 100, text)
      equal(text, text.trim())
    }
    equal(new Set(categories.map((it) => it.name[language])).size, categories.length)
  }
})

test('every text is written in the letters of its language', () => {
  for (const text of texts('ru')) ok(/[а-яё]/i.test(text) && !mixedWord.test(text), text)
  for (const text of [...texts('uz'), ...texts('en')]) ok(/[a-z]/i.test(text) && !/[а-яё]/i.test(text), text)
})

test('Uzbek is written with ‘ in o‘ and g‘, with ’ elsewhere, and with no other apostrophe', () => {
  deepEqual(texts('uz').filter(misspelt), [])
  ok(texts('uz').some((it) => it.includes('o‘')) && texts('uz').some((it) => it.includes('’')))
  deepEqual(
    ["o'yin", 'oʻyin', 'o’yin', 'o`yin', 'ta‘mir', 'taʼmir', 'bog´'].filter((it) => !misspelt(it)),
    [],
  )
  deepEqual(['o‘yin', 'G‘iloflar', 'ta’mir', 'qo‘ng‘iroq'].filter(misspelt), [])
})

test('English and the names of brands have a curly apostrophe too', () => {
  for (const text of [...texts('en'), ...brands.map((it) => it.name)]) ok(!/['`´ʻʼ]/.test(text), text)
})
