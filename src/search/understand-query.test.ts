import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { knownWordsOf } from '../../test/support/known-words.ts'
import { headOfCategory, headOfName, traitsOf } from './head-words.ts'
import { KnownWords } from './known-words.ts'
import type { Language } from './language.ts'
import { sameAmounts } from './lexicon.ts'
import type { StepName } from './query-steps.ts'
import { soundsOf } from './sounds.ts'
import { Synonyms } from './synonyms.ts'
import { TextIndex } from './text-index.ts'
import { scanTokens, tokensOf } from './tokens.ts'
import { understandQuery } from './understand-query.ts'
import { keyOf, keysOf } from './word-key.ts'

// oxfmt-ignore
const rows: [ru: string, uz: string, en: string, brand: string, category: string][] = [
  ['Смартфон Apple iPhone 16 256 ГБ, чёрный', 'Apple iPhone 16 256 GB smartfoni, qora', 'Apple iPhone 16 256 GB smartphone, black', 'Apple', 'Смартфоны'],
  ['Силиконовый чехол Apple iPhone 16', 'Apple iPhone 16 silikon g‘ilofi', 'Apple iPhone 16 silicone case', 'Apple', 'Аксессуары для телефонов'],
  ['Летняя шина Michelin Energy 205/55 R16', 'Michelin Energy 205/55 R16 yozgi shinasi', 'Michelin Energy 205/55 R16 summer tyre', 'Michelin', 'Шины'],
  ['Ноутбук Lenovo IdeaPad', 'Lenovo IdeaPad noutbuki', 'Lenovo IdeaPad laptop', 'Lenovo', 'Ноутбуки'],
  ['Стиральная машина Artel, 6 кг', 'Artel kir yuvish mashinasi, 6 kg', 'Artel washing machine, 6 kg', 'Artel', 'Стиральные машины'],
]
const { index, known } = knownWordsOf(
  rows.map(([ru, uz, en, brand, category]) => ({ name: { ru, uz, en }, brand, category })),
)
const read = (text: string, without: StepName[] = []) =>
  understandQuery(text, known, { mode: 'submitted', without: new Set(without) })
const changes = (text: string) =>
  read(text)
    .steps.filter((it) => it.step !== 'meaning')
    .map((it) => `${it.step}: ${it.from} → ${it.to}`)

// oxfmt-ignore
const cases: [text: string, ...steps: string[]][] = [
  ['yjen,er', 'layout: yjen,er → ноутбук'],
  ['yjen,er lenovo', 'layout: yjen,er lenovo → ноутбук lenovo'],
  ['ноут бук', 'join: ноут бук → ноутбук'],
  ['ноутбукlenovo', 'split: ноутбукlenovo → ноутбук lenovo'],
  ['стиральнаямашина'],
  ['купить ноутбук недорого', 'filler: купить недорого → '],
  ['noutbuk narxi qancha', 'filler: narxi qancha → '],
  ['мишлан шины', 'typo: мишлан → мишлен'],
  ['ноудбук', 'typo: ноудбук → ноутбук'],
]
for (const [text, ...steps] of cases)
  test(`reads "${text}"`, () => {
    deepEqual(changes(text), steps)
  })

test('a known word is never corrected, also when the shop does not sell the thing', () => {
  for (const text of ['машина', 'палатка', 'кольцо', 'гитара', 'лампа', 'dazmol'])
    equal(read(text).corrected, null, text)
})

test('short words and models are not corrected', () => {
  for (const text of ['шиха', 'r17', 'iphone 17', 'кот']) equal(read(text).corrected, null, text)
})

test('one and two letters are no evidence of a wrong keyboard layout', () => {
  equal(read('фт').corrected, null)
  equal(read('b r').corrected, null)
  equal(read('aen').corrected, null)
})

test('a step that is left out changes nothing', () => {
  deepEqual(
    read('yjen,er', ['layout']).steps.filter((it) => it.step === 'layout'),
    [],
  )
  equal(read('ноут бук', ['join']).units[0]!.words.length, 1)
})

test('as typed: nothing is corrected', () => {
  const verbatim = understandQuery('yjen,er', known, { mode: 'submitted', isVerbatim: true })
  equal(verbatim.corrected, null)
  deepEqual(verbatim.steps, [])
})

// oxfmt-ignore
const roles: [text: string, roles: string, required: string][] = [
  ['смартфон apple чёрный 256 гб', 'thing brand modifier number', 'смартфон'],
  ['телефон', 'thing', 'телефон'],
  ['apple iphone', 'brand brand', 'apple iphone'],
  ['швейная машина', 'thing', 'швейная машина'],
  ['стиральная машина', 'thing', 'стиральная машина'],
  ['корм для кошек', 'thing', 'корм кошек'],
]
for (const [text, expected, required] of roles)
  test(`"${text}" is ${expected}`, () => {
    const { units } = read(text)
    equal(units.map((it) => it.role).join(' '), expected)
    const kept = units.filter((it) => it.isRequired).map((it) => it.typed)
    equal(kept.join(' '), required)
  })

// oxfmt-ignore
const heads: [language: Language, name: string, ...heads: string[]][] = [
  ['ru', 'Силиконовый чехол Apple iPhone 16, чёрный', 'чехол'],
  ['ru', 'Тушь для ресниц Maybelline', 'тушь'],
  ['ru', 'Набор ключей Stanley, 12 шт.', 'ключей'],
  ['ru', 'Робот-пылесос Xiaomi S20', 'робот', 'пылесос'],
  ['ru', 'Samsung Galaxy A55 смартфон', 'смартфон'],
  ['ru', 'Книга «Между двух дверей», Уткир Хашимов', 'книга'],
  ['uz', 'Artel Ideal kir yuvish mashinasi, 6 kg', 'mashinasi'],
  ['uz', 'Luminarc piyolalar to‘plami, 6 dona', 'piyolalar'],
  ['en', 'Samsung Galaxy S24 smartphone 256 GB', 'smartphone'],
  ['en', 'Silicone case for Samsung Galaxy A55', 'case'],
  ['en', 'Luminarc set of plates, 6 pcs', 'plates'],
]
for (const [language, name, ...expected] of heads)
  test(`the head of "${name}" is ${expected.join(', ')}`, () => {
    const words = tokensOf(name, 40).map((it) => it.text)
    const { count, bits } = scanTokens(name, 40)
    const traits = Uint8Array.from(words, traitsOf)
    deepEqual(words.slice(...headOfName({ count, bits, traits }, language)), expected)
  })

test('a category has the heads of all things it lists, not of what they are for', () => {
  const headsOf = (name: string, language: Language) => {
    const tokens = tokensOf(name, 20)
    return headOfCategory(tokens, language).map((at) => tokens[at]!.text)
  }
  deepEqual(headsOf('Аксессуары для телефонов', 'ru'), ['аксессуары'])
  deepEqual(headsOf('Telefon aksessuarlari', 'uz'), ['aksessuarlari'])
  deepEqual(headsOf('Phones and gadgets', 'en'), ['phones', 'gadgets'])
  deepEqual(headsOf('Рис, масло и крупы', 'ru'), ['рис', 'масло', 'крупы'])
})

test('amounts are equal in any unit', () => {
  deepEqual(sameAmounts('1kg'), ['1000g'])
  deepEqual(sameAmounts('1000g'), ['1kg'])
  deepEqual(sameAmounts('1tb'), ['1024gb', '1000gb'])
  deepEqual(sameAmounts('0.5l'), ['500ml'])
  deepEqual(sameAmounts('r16'), [])
})

test('a name sounds alike in both scripts', () => {
  for (const [one, other] of [
    ['мишлен', 'michelin'],
    ['филипс', 'philips'],
    ['гудвел', 'goodwell'],
  ] as const)
    ok(
      soundsOf(one).some((it) => soundsOf(other).includes(it)),
      one,
    )
})

test('a doubled letter is a typo, a long row of one letter is another word', () => {
  equal(keyOf('sammsung', 'en'), keyOf('samsung', 'en'))
  ok(keyOf('zzzzzzzz', 'en') !== keyOf('z', 'en'))
  for (const row of ['ыыы', 'ъыъыъыъы', 'йййй']) ok(keyOf(row, 'ru') !== keyOf('i', 'en'), row)
})

const rolesOf = (text: string) =>
  read(text)
    .units.filter((it) => !it.isExtra)
    .map((it) => `${it.typed}: ${it.role}${it.isRequired ? '!' : ''}`)

test('what a thing is in or for may be left out beside unknown words too', () => {
  deepEqual(rolesOf('ноутбук в подарочке'), ['ноутбук: thing!', 'подарочке: modifier'])
  deepEqual(rolesOf('чем кромсать бумагу ноутбук').at(-1), 'ноутбук: thing!')
})

test('an adjective beside a noun says how the thing is, also when the dictionary has it as a noun', () => {
  ok(rolesOf('сладкий ноутбук').includes('сладкий: modifier'))
})

test('an adjective is not corrected to a noun', () => {
  deepEqual(changes('крепкий ноутбук'), [])
})

test('one typo is likelier than the beginning of what is not sold', () => {
  const own = new KnownWords(index, Synonyms.none().with([{ kind: 'same', forms: ['ноутбакзал', 'foo'] }]))
  const { steps } = understandQuery('ноутбак', own, { mode: 'submitted' })
  deepEqual(
    steps.map((it) => it.to),
    ['ноутбук'],
  )
})

test('purposes are known in all their forms', () => {
  for (const text of ['ноутбук студенту', 'ноутбук племяннику', 'talabaga noutbuk', 'laptop for husbands'])
    ok(
      rolesOf(text).some((it) => it.endsWith(': modifier')),
      text,
    )
})

test('a thing with delivery or installation is the thing', () => {
  deepEqual(rolesOf('стиральная машина с установкой'), ['стиральная машина: thing!'])
})

test('the word for without is not corrected to the word for with', () => {
  deepEqual(changes('tugmasiz noutbuk'), [])
})

test('a word of the dictionary and a number are no model', () => {
  deepEqual(rolesOf('tv 65'), ['tv: thing!', '65: number'])
})

test('a word that is written so in the names of a brand is no form of a thing', () => {
  const own = new TextIndex({ slots: 9, release: () => undefined })
  const rows = [
    ['Конструктор Artel Техник', 'Artel', 'Игрушки'],
    ['Холодильник Artel', 'Artel', 'Бытовая техника'],
  ] as const
  for (const [slot, [ru, brand, category]] of rows.entries())
    own.add(slot, { name: { ru }, brand, description: {}, variants: [], categoryNames: [{ ru: category }] })
  const { units } = understandQuery('artel техник', new KnownWords(own, Synonyms.curated()), {
    mode: 'submitted',
  })
  deepEqual(
    units.map((it) => it.role),
    ['brand', 'brand'],
  )
})

test('a model that some name has is enough, a further number may be left out', () => {
  deepEqual(rolesOf('r16 5g'), ['r16: number!', '5g: number'])
})

test('what a generic noun comes with may be left out, a material says how a thing is', () => {
  deepEqual(rolesOf('машина с открывающимися дверями').at(-1), 'дверями: modifier')
  deepEqual(rolesOf('noutbuk shisha').at(-1), 'shisha: modifier')
})

test('an adjective in the instrumental case stands between a preposition and its noun', () => {
  const [phone] = read('смартфон с большим экраном').units
  equal(phone!.role, 'thing')
  ok(rolesOf('смартфон с большим экраном').includes('экраном: modifier'))
})

test('a wrong vowel is likelier than a wrong consonant', () => {
  const own = new TextIndex({ slots: 9, release: () => undefined })
  for (const [slot, name] of ['Часы Garmin', 'Шланг Garden', 'Шланг Garden 2'].entries())
    own.add(slot, { name: { ru: name }, brand: '', description: {}, variants: [], categoryNames: [] })
  const { corrected } = understandQuery('garmen', new KnownWords(own, Synonyms.none()), { mode: 'submitted' })
  equal(corrected, 'garmin')
})

test('letters that are only Uzbek make a word Uzbek: ёғ is no egg', () => {
  deepEqual(keysOf('ёғ'), ['yog'.replace('y', 'i')])
})

test('what is sold is likelier than a part of a phrase, and is no such part with an Uzbek ending', () => {
  const own = new TextIndex({ slots: 9, release: () => undefined })
  for (const [slot, name] of ['Смартфон Samsung', 'Тональный крем'].entries())
    own.add(slot, { name: { ru: name }, brand: '', description: {}, variants: [], categoryNames: [] })
  const synonyms = Synonyms.none().with([
    { kind: 'same', forms: ['смартфон', 'telefon'] },
    { kind: 'same', forms: ['teflon tova', 'мука для самсы', 'выровнять тона'] },
  ])
  const known = new KnownWords(own, synonyms)
  for (const [typed, meant] of Object.entries({
    telfon: 'telefon',
    samsyng: 'samsung',
    тонаьный: 'тональный',
  }))
    equal(understandQuery(typed, known, { mode: 'submitted' }).corrected, meant)
  equal(understandQuery('самсани', known, { mode: 'submitted' }).corrected, null)
})
