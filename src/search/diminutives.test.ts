import { ok } from 'node:assert/strict'
import { test } from 'node:test'
import { basesOf } from './diminutives.ts'

const diminutives: [word: string, base: string][] = [
  ['лэптопчик', 'лэптоп'],
  ['футболочка', 'футболка'],
  ['лампочка', 'лампа'],
  ['майчонка', 'майка'],
  ['платьице', 'платье'],
  ['рюкзачок', 'рюкзак'],
  ['велосипедик', 'велосипед'],
  ['ножичек', 'ножик'],
  ['диванище', 'диван'],
  ['куртец', 'куртка'],
  ['telefoncha', 'telefon'],
  ['китобчалар', 'китоб'],
]
for (const [word, base] of diminutives)
  test(`${word} may be a diminutive of ${base}`, () => ok(basesOf(word).includes(base)))

test('a word without such an ending has no bases', () => {
  for (const word of ['laptop', 'чай', 'матрас']) ok(basesOf(word).length === 0, word)
})
