import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type IndexedTexts, TextIndex } from './text-index.ts'

const texts: IndexedTexts = {
  name: { ru: 'Чайник Artel', en: 'Kettle Artel' },
  description: { ru: 'Тихий.' },
  brand: 'Artel',
  categoryNames: [{ ru: 'Дом' }, { ru: 'Чайники' }],
  variants: [{ name: { ru: 'белый' }, attributes: { color: 'белый', volume: '2 л' } }],
}

// oxfmt-ignore
const changes: [name: string, change: Partial<IndexedTexts>][] = [
  ['a letter of a name', { name: { ru: 'Чайник Artel', en: 'Kettle Artek' } }],
  ['a name in another language', { name: { ru: 'Чайник Artel', uz: 'Kettle Artel' } }],
  ['a name that moved to the description', { name: { ru: 'Чайник Artel' }, description: { ru: 'Тихий.', en: 'Kettle Artel' } }],
  ['the description', { description: { ru: 'Тихий!' } }],
  ['no description', { description: {} }],
  ['the brand', { brand: 'Artex' }],
  ['no brand', { brand: '' }],
  ['the order of the categories', { categoryNames: [{ ru: 'Чайники' }, { ru: 'Дом' }] }],
  ['an attribute', { variants: [{ name: { ru: 'белый' }, attributes: { color: 'белый', volume: '3 л' } }] }],
  ['no variant', { variants: [] }],
]
for (const [name, change] of changes)
  test(`a row has other texts when this changes: ${name}`, () => {
    const index = new TextIndex({ slots: 1, release() {} })
    index.add(0, texts)
    equal(index.isSame(0, structuredClone(texts)), true)
    equal(index.isSame(0, { ...texts, ...change }), false)
  })
