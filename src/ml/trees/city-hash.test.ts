import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryHash, cityHash64 } from './city-hash.ts'

//      text, CityHash64 v1.0: one text for every way of hashing by length
const known: [string, bigint][] = [
  ['', 11160318154034397263n],
  ['q', 17372780029233160351n],
  ['osh', 2402416259434316729n],
  ['palov', 17357611347912907906n],
  ['samarqand', 6088608327831750902n],
  ['choyxona-choynak', 3352228800308347280n],
  ['the green tea of Samarkand', 1724743857348109982n],
  ['olma, anor, uzum, shaftoli, gilos va o‘rik', 13145492787433168190n],
  [
    'a list of things that nobody in the bazaar would ever write down on one single line',
    7839186728107876168n,
  ],
  ['x'.repeat(64), 6437053381938498259n],
  ['x'.repeat(129), 2138420318052850041n],
]

test('texts of every length hash as CatBoost hashes them', () => {
  for (const [text, hash] of known) assert.equal(cityHash64(new TextEncoder().encode(text)), hash)
})

test('a category keeps the low half of its hash as a signed integer', () => {
  for (const [text, hash] of known) assert.equal(categoryHash(text), Number(BigInt.asIntN(32, hash)))
})

test('long texts hash apart and always the same', () => {
  const texts = Array.from({ length: 200 }, (_, length) => 'ab'.repeat(length))
  assert.equal(new Set(texts.map(categoryHash)).size, texts.length)
  assert.deepEqual(texts.map(categoryHash), texts.map(categoryHash))
})
