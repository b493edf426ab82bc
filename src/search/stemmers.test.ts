import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { editDistance } from './typos.ts'
import { englishStem } from './stemmer-english.ts'
import { russianStem } from './stemmer-russian.ts'
import { russianRoot, stemsOf, uzbekStem } from './stemmers.ts'

const list = (text: string) => text.split(' ')

/** Words as they stand in a shop, and beginnings with all endings, among them ones that no language has. */
const russian = {
  words: list(
    'смартфоны наушниками беспроводных холодильников стиральная машинками чайники электрический ёлочные ёмкость ' +
      'новейшие красивейший прочнейшая подсвеченный включившись работающий моющегося длинный ценность стоимостью ' +
      'детские ребёнка вязаную шерстяное платьев пальто кофе какао гарантийного обслуживания доставляется купить',
  ),
  beginnings: list('телеф игр вод стир одеял ноут я ст быстр'),
  endings: list(
    'а ев ов ие ье е иями ями ами ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я ость остью ' +
      'ейший ейше нный ющий авшись явши ывши ивши ться ся ала ила ешь ить нно ете ующий енный уйте',
  ),
}
const english = {
  words: list(
    'smartphones headphones wireless washing machines refrigerators kettles accessories skies dying news early ' +
      'charging running hopped hoping added egged agreed generously communication arsenal yearly boyish singly ' +
      'happiness usefulness national rational conditional digitizer geology activate sensibility herring proceed',
  ),
  beginnings: list('connect print hop use fit y play agre'),
  endings: list(
    's es ed ing ly edly ingly ational ation ization fulness ousness iveness ative ful ness ment ement er est y ' +
      'ies ied eed eedly logy ical icate ality able ible ably ism ive ize ion',
  ),
}

let client: pg.Client
before(async () => {
  client = new pg.Client(await freshDatabase())
  await client.connect()
})
after(() => client.end())

for (const [language, { words, beginnings, endings }, stem] of [
  ['russian', russian, russianStem],
  ['english', english, englishStem],
] as const)
  test(`${language} stems equal those of PostgreSQL`, async () => {
    const all = [...words, ...beginnings.flatMap((it) => endings.map((ending) => it + ending))]
    ok(all.length > 300)
    const { rows } = await client.query<{ word: string; root: string | null }>(
      `select word, (ts_lexize('${language}_stem', word))[1] as root from unnest($1::text[]) word`,
      [all],
    )
    // PostgreSQL gives no root to the words it leaves out of an index.
    const rooted = rows.filter((it) => it.root !== null)
    deepEqual(
      rooted.map(({ word }) => `${word} ${stem(word)}`),
      rooted.map(({ word, root }) => `${word} ${root}`),
    )
  })

// oxfmt-ignore
const uzbek: [root: string, ...words: string[]][] = [
  ['telefon', 'telefon', 'telefonlar', 'telefonni', 'telefonning', 'telefonga', 'telefondan', 'telefonlarimizda'],
  ['kitob', 'kitob', 'kitobi', 'kitobim', 'kitoblar', 'kitoblarini'],
  ['kafolat', 'kafolat', 'kafolatli', 'kafolatlar'],
  ['suv', 'suv', 'suvga', 'suvni'],
  // Keys have no doubled letters: noutbukka. In tarelka the ending belongs to the stem.
  ['noutbuk', 'noutbuk', 'noutbuka', 'noutbuklar'], ['tarelka', 'tarelka', 'tarelkalar', 'tarelkasi', 'tarelkani'],
  // Too short to lose more.
  ['ana', 'ana'], ['non', 'non'], ['gul', 'gul'],
]
for (const [root, ...words] of uzbek)
  test(`Uzbek: ${words.join(', ')} have the root ${root}`, () => {
    for (const word of words) equal(uzbekStem(word), root, word)
  })

test('an Uzbek ending after its own letter is found, though keys have no doubled letters', () => {
  ok(stemsOf('telefonni', 'telefoni').includes('u telefon'))
  ok(stemsOf('kabellar', 'kabelar').includes('u kabel'))
})

test('counts additions, deletions, changes and swaps of neighbours as one typo each', () => {
  equal(editDistance('kettle', 'kettle', 2), 0)
  equal(editDistance('kettle', 'kettel', 2), 1)
  equal(editDistance('kettle', 'ketle', 2), 1)
  equal(editDistance('kettle', 'kettlle', 2), 1)
  equal(editDistance('kettle', 'kattle', 2), 1)
  equal(editDistance('kettle', 'cattel', 2), 3)
  equal(editDistance('', 'ab', 2), 2)
  equal(editDistance('kettle', 'refrigerator', 2), 3)
})

for (const forms of [
  'диван дивана диваны диванов диваном',
  'одеяло одеяла одеял одеялом',
  'бензопила бензопилы бензопилой',
])
  test(`${forms} have one root`, () => equal(new Set(list(forms).map(russianRoot)).size, 1))
