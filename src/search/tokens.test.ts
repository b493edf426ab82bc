import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { tokensOf } from './tokens.ts'

// oxfmt-ignore
const texts: [text: string, ...tokens: string[]][] = [
  ['Чайник «Ёж», 1,5 Л', 'чайник', 'ёж', '1.5', 'л'],
  ['A-55 wi-fi', 'a', '55', 'wi', 'fi'],
  ["O'zbek g‘ilofi, children’s", 'ozbek', 'gilofi', 'children'],
  ['Матрас 180x200, 3*4 и 12xp', 'матрас', '180', '200', '3', '4', 'и', '12xp'],
  ['TV 55" и 32\'\'', 'tv', '55', 'in', 'и', '32'],
  ['ΣΑΣ İ ² ﬁne', 'σας', 'i', '2', 'fine'],
  ['кофе\u0301 💥 日本', 'кофе', '日本'],
  ['конец.', 'конец'],
  ['5.', '5'],
  ['', ],
]
for (const [text, ...expected] of texts)
  test(`the tokens of "${text}" are ${expected.join(' ')}`, () =>
    deepEqual(
      tokensOf(text, 20).map((it) => it.text),
      expected,
    ))

test('a limit cuts no token, whatever characters follow', () => {
  deepEqual(tokensOf('1.１ ГБ', 1)[0]!.text, '1.1')
  deepEqual(tokensOf('кофе\u0301 чай', 1)[0]!.text, 'кофе')
  deepEqual(tokensOf('180x200 см', 1)[0]!.text, '180')
  deepEqual(tokensOf('чай кофе', 0), [])
})

test('a token knows what stands before it', () => {
  const of = (text: string) =>
    tokensOf(text, 20).map((it) => [it.isJoined, it.startsPart, it.isQuoted].map(Number).join(''))
  deepEqual(of('робот-пылесос, чёрный'), ['000', '100', '010'])
  deepEqual(of('a,b «c d» (e'), ['000', '000', '001', '001', '010'])
})

test('no text depends on the one before it', () => {
  tokensOf('1234567890', 5)
  deepEqual(
    tokensOf('12x', 5).map((it) => it.text),
    ['12x'],
  )
})
