import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { NameColumns } from './name-columns.ts'
import { nameKey } from './name-key.ts'

const sign = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
const languages = ['ru', 'uz', 'en'] as const

/** Names of frequent letters, of rare ones, and of both. */
function madeName(random: () => number): string {
  const code = () => {
    const kind = random()
    if (kind < 0.5) return 0x20 + Math.floor(random() * 0x60)
    return kind < 0.9 ? 0x400 + Math.floor(random() * 0x100) : Math.floor(random() * 0xffff)
  }
  return Array.from({ length: Math.floor(random() * 80) }, () => String.fromCharCode(code())).join('')
}

test('keys, their order and their words equal those of strings, also when names are replaced and dropped', () => {
  const random = seededRandom(4)
  const columns = new NameColumns()
  const kept = new Map<number, string>()
  for (let step = 0; step < 5_000; step++) {
    const slot = Math.floor(random() * 300)
    const name = { ru: madeName(random), ...(random() < 0.5 && { uz: madeName(random) }), en: 'Tea' }
    if (random() < 0.2) {
      columns.drop(slot)
      kept.delete(slot)
      continue
    }
    columns.write(slot, name)
    kept.set(slot, nameKey(name.ru))
    for (const language of languages) equal(columns.at(slot, language), nameKey(name[language] ?? name.ru))
    equal(columns.countWords(slot), nameKey(name.ru).split(' ').length)
  }
  for (const [one, key] of kept) {
    equal(columns.at(one, 'ru'), key)
    for (const [other, beside] of kept) equal(Math.sign(columns.compare(one, other, 'ru')), sign(key, beside))
  }
})

test('a name of any single character has its key', () => {
  const columns = new NameColumns()
  for (let code = 0; code <= 0xffff; code++) {
    const name = `А${String.fromCharCode(code)} b`
    columns.write(0, { ru: name })
    equal(columns.at(0, 'ru'), nameKey(name))
  }
})
