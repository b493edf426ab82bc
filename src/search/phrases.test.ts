import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  isAboutOther,
  isForm,
  isShortBrand,
  isTurned,
  type Meaning,
  type Phrase,
  positionsOf,
} from './phrases.ts'
import { keysOf } from './word-key.ts'

const meaning = (kind: Meaning['kind'], isNeed = false): Meaning => ({
  kind,
  forms: [],
  narrower: [],
  isNeed,
})
const phrase = (text: string, of: Meaning = meaning('thing')): Phrase => {
  const words = text.split(' ')
  return { words, roots: words.map(keysOf), meaning: of }
}
const find = (own: Phrase, text: string, at: number) =>
  positionsOf(own, { words: text.split(' '), at, rootSets: new Map(), roots: keysOf })

test('the words of a phrase stand in any order, with at most one word between them', () => {
  deepEqual(find(phrase('washing machine'), 'washing machine', 0), [0, 1])
  deepEqual(find(phrase('washing machine'), 'machine for washing', 2), [2, 0])
  equal(find(phrase('washing machine'), 'washing a b machine', 0), undefined)
})

test('three words may stand between the words of a need, and each has its root as it is written', () => {
  const need = phrase('drill wall', meaning('thing', true))
  deepEqual(find(need, 'drill a large hole wall', 0), [0, 4])
  equal(find(need, 'drill a b c d wall', 0), undefined)
})

test('an adjective is no form of a noun', () => {
  ok(!isForm(phrase('чернила'), 'чёрный'))
  ok(isForm(phrase('бензопила'), 'бензопилой'))
  ok(isForm(phrase('чёрный'), 'чёрная'))
})

test('a short name of a brand has only the cases of the singular', () => {
  const bosch = phrase('бош', meaning('brand'))
  for (const word of ['боша', 'бошу', 'бошем']) ok(!isShortBrand(bosch, word), word)
  ok(isShortBrand(phrase('нот', meaning('brand')), 'ноты'))
  ok(!isShortBrand(phrase('самсунг', meaning('brand')), 'самсунги'))
})

test('what a Russian phrase is about comes first, unless it only says what another thing has', () => {
  const words = ['плита', 'вытяжкой']
  const query = { words, positions: [1, 0], isFor: (at: number) => at === 1 }
  ok(isAboutOther(phrase('вытяжка плита'), query))
  ok(!isAboutOther(phrase('вытяжка плита'), { ...query, isFor: () => false }))
})

test('a phrase is turned when its thing does not stand where the language has it', () => {
  ok(isTurned(phrase('phone screen'), ['screen', 'phone'], [1, 0]))
  ok(!isTurned(phrase('phone screen'), ['phone', 'screen'], [0, 1]))
})
