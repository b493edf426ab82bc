// How everyday queries are read: needs in words, joined brands, misspelt short words, the other layout.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { knownWordsOf } from '../../test/support/known-words.ts'
import { isAnimal, modifiersFor } from './lexicon.ts'
import { Synonyms } from './synonyms.ts'
import { understandQuery } from './understand-query.ts'

// oxfmt-ignore
const rows: [ru: string, uz: string, en: string, brand: string, category: string][] = [
  ['Шкаф Akfa Kupe, белый', 'Akfa Kupe shkafi, oq', 'Akfa Kupe wardrobe, white', 'Akfa', 'Шкафы'],
  ['Босоножки Ecco Flowt', 'Ecco Flowt bosonojkasi', 'Ecco Flowt sandals', 'Ecco', 'Обувь'],
  ['Нож Tramontina Century', 'Tramontina Century pichog‘i', 'Tramontina Century knife', 'Tramontina', 'Ножи'],
  ['Газированный напиток Coca-Cola', 'Coca-Cola gazli ichimligi', 'Coca-Cola soft drink', 'Coca-Cola', 'Напитки'],
  ['Газированный напиток Pepsi', 'Pepsi gazli ichimligi', 'Pepsi soft drink', 'Pepsi', 'Напитки'],
  ['Морозильник Artel F', 'Artel F muzlatkichi', 'Artel F freezer', 'Artel', 'Морозильники'],
  ['Встраиваемый духовой шкаф Bosch', 'Bosch duxovkasi', 'Bosch oven', 'Bosch', 'Духовые шкафы'],
  ['Платье Zara Linen', 'Zara Linen ko‘ylagi', 'Zara Linen dress', 'Zara', 'Платья'],
  ['Зелёный чай Lipton', 'Lipton ko‘k choyi', 'Lipton green tea', 'Lipton', 'Чай'],
  ['Шоколад Roshen', 'Roshen shokoladi', 'Roshen chocolate', 'Roshen', 'Сладости'],
]
const { known } = knownWordsOf(
  rows.map(([ru, uz, en, brand, category]) => ({ name: { ru, uz, en }, brand, category })),
)
const read = (text: string) => understandQuery(text, known, { mode: 'submitted' })
const required = (text: string) =>
  read(text)
    .units.filter((it) => it.isRequired)
    .map((it) => it.typed)

test('a word of four letters is corrected to the only thing that is called so but for a letter', () => {
  equal(read('шкав').corrected, 'шкаф')
  equal(read('кожа').corrected, null)
  equal(read('лца').corrected, null)
})

test('a word with wrong vowels is not split', () => equal(read('басаножки').corrected, 'босоножки'))

test('two swapped letters are likelier than a wrong one', () => equal(read('koylka').corrected, 'koylak'))

test('brands that a conjunction joins are wanted alike', () => {
  deepEqual(required('кока кола и пепси'), ['кока кола пепси'])
})

test('what a conjunction joins with a word of a need belongs to it', () => {
  const { units } = read('заморозить ягоды и мясо')
  const [need] = units.filter((it) => it.isRequired)
  ok(need!.meanings.some((it) => it.isNeed))
})

test('pieces around a mark that are one word in the other layout are read so', () => {
  equal(read('le[jdjq irfa').corrected, 'духовой шкаф')
  equal(read('лщэл срщн').corrected, 'kok choy')
})

test('a unit is read in the other layout', () => {
  equal(read('irfa 90 cfynbvtnhjd').corrected, 'шкаф 90cm')
})

test('a short word is no form of a much longer one', () => {
  equal(Synonyms.curated().find(['фит'], 0), undefined)
  ok(Synonyms.curated().find(['соков'], 0))
})

test('fishing is no animal', () => {
  ok(isAnimal('рыбок'))
  equal(isAnimal('рыбалки'), false)
})

test('мужик is a man', () => ok(modifiersFor('мужику').includes('мужской')))

test('nicknames and needs lead to what a shop calls the thing, and a part of a machine is no machine', () => {
  const meant = (text: string) =>
    read(text)
      .units.flatMap((it) => it.meanings)
      .flatMap((it) => it.named ?? it.forms.map((form) => form.join(' ')))
  ok(meant('в дороге зарядить смартфон').includes('внешний аккумулятор'))
  ok(meant('нарезать капусту').includes('нож'))
  ok(meant('открутить прикипевший болт').includes('набор ключей'))
  ok(meant('электровеник').includes('вертикальный пылесос'))
  ok(meant('фильтр для пылесоса').includes('фильтр пылесоса'))
  ok(!meant('фильтр для пылесоса').includes('пылесос'))
  ok(!meant('пылесос с фильтром').includes('фильтр пылесоса'))
})
