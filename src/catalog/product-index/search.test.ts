import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { searchProducts } from '../../../test/support/search-products.ts'
import type { IndexedProduct } from './indexed-product.ts'
import type { ProductQueryResult, ProductQuery } from './query.ts'
import { ProductIndex } from './product-index.ts'
import { Synonyms } from '../../search/index.ts'

type Good = keyof typeof searchProducts
const names = Object.keys(searchProducts) as Good[]

const itemOf = (good: Good): IndexedProduct => {
  const id = names.indexOf(good) + 1
  const { name, brand, category, popularity } = searchProducts[good]
  return {
    id,
    categoryPath: [names.findIndex((it) => searchProducts[it].category.en === category.en) + 1],
    brandId: brand ? names.findIndex((it) => searchProducts[it].brand === brand) + 1 : null,
    createdAtMs: id,
    popularity,
    name,
    brand,
    description: { ru: 'Быстрая доставка по Узбекистану и официальная гарантия' },
    categoryNames: [category],
    variants: [],
    offers: [
      {
        id,
        partnerId: 1,
        priceTiyin: 100_00 * id,
        oldPriceTiyin: null,
        quantity: 3,
        rating: 4.5,
        regions: ['home'],
      },
    ],
  }
}

const shop = new ProductIndex()
for (const good of names) shop.put(itemOf(good))

const ask = (text: string, more: Partial<ProductQuery> = {}): ProductQueryResult =>
  shop.find({
    region: 'home',
    language: 'ru',
    text,
    filters: {},
    sort: 'relevance',
    limit: 20,
    wantsFacets: false,
    ...more,
  })
const found = (text: string) => ask(text).ids.map((id) => names[id - 1]!)

// oxfmt-ignore
const answers: [what: string, first: Good, ...asked: string[]][] = [
  ['capitals and word order do not matter', 'phone', 'samsung a55', 'A55 SAMSUNG', 'смартфон самсунг a55'],
  ['a model is found however it is written', 'phone', 'galaxy a-55', 'galaxy a 55', 'galaxy А55', 'GALAXY a55'],
  ['a number and its unit are one', 'phone', 'a55 128gb', 'a55 128 gb', 'a55 128гб', 'а55 128 ГБ', 'a55 128 gigabayt'],
  ['decimals are written with comma or point', 'kettle', '1.7 л', '1,7л', '1.7l', '1,7 litr'],
  ['the root is enough', 'phone', 'чёрные смартфоны', 'смартфоны samsung чёрного цвета', 'black smartphones'],
  ['ё is е', 'phone', 'черный a55', 'чёрный a55'],
  ['Uzbek in Latin letters, whatever the apostrophe', 'toy',
    "o'yinchoq", 'o‘yinchoq', 'oʻyinchoq', 'o’yinchoq', 'o`yinchoq', 'o´yinchoq', 'oyinchoq', 'O‘YINCHOQLAR'],
  ['Uzbek in Cyrillic letters', 'toy', 'ўйинчоқ', 'ўйинчоқлар', 'юмшоқ ўйинчоқ', 'айиқча'],
  ['Uzbek endings', 'kettle', 'choynakni', 'choynaklar', 'choynakning', 'чойнаклар'],
  ['names in both scripts', 'book', 'Qodiriy', 'Қодирий', 'o‘tkan kunlar', 'ўткан кунлар'],
  ['Russian typed in Latin letters', 'headphones', 'naushniki', 'besprovodnye naushniki', 'naushnikov'],
  ['Latin names typed in Cyrillic', 'biggerPhone', 'самсунг s24', 'галакси с24 ультра', 'samsung s24 ultra'],
  ['x is typed as кс', 'iphone', 'iphone 15 про макс', 'iphone 15 pro max'],
  ['a model glued to its number', 'iphone', 'iphone15', 'iphone15 pro max', 'iphone 15pro'],
  ['typos of one letter', 'kettle', 'чайнек', 'чайнк', 'чайниик', 'электрический чйаник', 'chaynek', 'kettel'],
  ['two typos in a long word', 'kettle', 'електричиский чайник'],
  ['a typo in Cyrillic Uzbek and in Latin', 'toy', 'ўйинчок', 'oyinchok', "o'yimchoq", 'уйинчоқ'],
  ['the wrong keyboard', 'kettle', 'xfqybr', 'Xfqybr', 'tktrnhbxtcrbq xfqybr'],
  ['the wrong keyboard, the other way', 'phone', 'ыфьыгтп ф55'],
  ['the beginning of the last word', 'headphones', 'беспров', 'беспроводные науш', 'wireless head'],
  ['words with a hyphen', 'watch', 'смарт-часы', 'смарт часы', 'смартчасы', 'smart watches'],
  ['a brand alone', 'headphones', 'xiaomi', 'XIAOMI'],
  ['accents do not matter', 'coffee', 'cafe creme', 'café crème', 'cafe\u0301 cre\u0300me'],
  ['wide and ligature forms', 'phone', 'Ｓａｍｓｕｎｇ Ａ５５'],
  ['empty words do not matter', 'phoneCase', 'чехол на samsung', 'чехол для самсунг', 'a case for the galaxy'],
  ['as people say it', 'iphone', 'айфон 15', 'эппл айфон', 'Айфон про макс'],
  ['letters that look alike', 'kettle', 'чaйник'],
]

for (const [what, first, ...asked] of answers)
  test(`search: ${what}`, () => {
    for (const text of asked) equal(found(text)[0], first, text)
  })

test('a product ranks before its accessories', () => {
  deepEqual(found('samsung galaxy a55'), ['phone', 'phoneCase'])
  deepEqual(found('чехол samsung galaxy a55'), ['phoneCase'])
})

test('all words must match; when no product has all, the thing is found and the rest is left out', () => {
  deepEqual(found('samsung чайник'), ['kettle'])
  deepEqual(ask('samsung чайник').leftOut, ['samsung'])
  deepEqual(found('samsung galaxy чайник'), ['kettle'])
  deepEqual(ask('samsung galaxy чайник').leftOut.toSorted(), ['galaxy', 'samsung'])
  deepEqual(found('электрический чайник бирюзововый'), ['kettle'])
  deepEqual(ask('samsung a55').leftOut, [])
})

test('what the shop does not sell is not found', () => {
  for (const text of [
    'корм для кошек',
    'посудомоечная машина',
    'coffee machine',
    'коврик для мыши',
    'eshik',
    'гитара samsung',
  ])
    deepEqual(found(text), [], text)
})

test('similar model names are not confused', () => {
  deepEqual(found('a54'), [])
  deepEqual(found('s55'), [])
  equal(ask('samsung s25').corrected, null)
})

test('a misspelt query returns the corrected words', () => {
  equal(ask('чайнек').corrected, 'чайник')
  equal(ask('xfqybr').corrected, 'чайник')
  equal(ask('choynok').corrected, 'choynak')
  equal(ask('чайник').corrected, null)
  equal(ask('чайники').corrected, null)
  equal(ask('zzzzzzzz').corrected, null)
})

test('names that change all the time are found only by the last one', () => {
  const index = new ProductIndex()
  const kettle = itemOf('kettle')
  const word = (turn: number) => `слово${String.fromCharCode(1072 + (turn % 29), 1072 + ((turn * 7) % 31))}ж`
  const last = new Map<number, string>()
  for (let turn = 0; turn < 6_000; turn++) {
    const id = 1 + ((turn * 7) % 40)
    if (turn % 11 === 0) {
      index.remove(id)
      last.delete(id)
    } else {
      index.put({ ...kettle, id, name: { ru: word(turn) }, description: {} })
      last.set(id, word(turn))
    }
  }
  equal(index.size, last.size)
  for (const name of new Set(last.values())) {
    const query = {
      region: 'home',
      language: 'ru',
      filters: {},
      sort: 'id',
      limit: 99,
      wantsFacets: false,
    } as const
    const expected = [...last].filter(([, it]) => it === name).map(([id]) => id)
    deepEqual(
      index.find({ ...query, text: name }).ids,
      expected.toSorted((a, b) => a - b),
      name,
    )
  }
})

const hostile: [what: string, text: string][] = [
  ['nothing', ''],
  ['wildcards', '%_\\'.repeat(85)],
  ['a bomb for regular expressions', '(a+)+$'.repeat(42)],
  ['two hundred and fifty-six words', 'а '.repeat(128)],
  ['one very long word', 'чайник'.repeat(42)],
  ['emoji', '👨‍👩‍👧‍👦🛒'.repeat(20)],
  ['halves of characters', '\ud83d\ude00\ud83d'.repeat(80)],
  ['letters from right to left', '\u202eكتاب שלום\u202c'.repeat(15)],
  ['other scripts', '電話 โทรศัพท์ τηλέφωνο ტელეფონი'.repeat(7)],
  ['marks upon marks', `ч${'\u0301'.repeat(250)}`],
  ['a ligature that unfolds', '\ufdfa'.repeat(256)],
  ['points and hyphens', '1.-'.repeat(85)],
]
test('malicious queries neither fail nor find more than exists', () => {
  for (const [what, text] of hostile) {
    const { ids, total } = ask(text, { wantsFacets: true })
    ok(ids.length <= total && total <= names.length, what)
    ok(shop.suggest(text, { language: 'uz', region: 'home', limit: 5 }).length <= 5, what)
  }
})

test('typing is completed with words of products, categories and brands', () => {
  const completed = (typed: string, language: 'ru' | 'uz' | 'en' = 'ru') =>
    shop.suggest(typed, { language, region: 'home', limit: 8 })
  const texts = (typed: string, language: 'ru' | 'uz' | 'en' = 'ru') =>
    completed(typed, language).map((it) => ('text' in it ? it.text : ''))
  ok(texts('самс').includes('samsung galaxy a55'))
  ok(texts('беспр').includes('беспроводные наушники'))
  ok(texts('o‘yin', 'uz').includes('o‘yinchoq'))
  ok(texts('ўйин', 'uz').includes('o‘yinchoq'))
  deepEqual(
    completed('hua').find((it) => it.kind === 'brand'),
    { kind: 'brand', text: 'Huawei', id: 8 },
  )
  deepEqual(
    completed('чайн').find((it) => it.kind === 'category'),
    { kind: 'category', text: 'Чайники', id: 6 },
  )
  deepEqual(
    completed('kettl', 'en').find((it) => it.kind === 'category'),
    { kind: 'category', text: 'Kettles', id: 6 },
  )
  ok(texts('чайнек').includes('чайник'), 'a typo')
  ok(texts('айфон').includes('iphone 15'), 'as people say it')
  ok(texts('choyn', 'ru').includes('choynak'), 'another language than the page')
  deepEqual(completed(''), [])
  equal(completed('s').length, 8)
  deepEqual(texts('s'), texts('s'))
})

test('suggestions of a text that matches many rows follow their changes within a bound', () => {
  const index = new ProductIndex()
  const item = itemOf('kettle')
  const put = (id: number, more: object = {}) => index.put({ ...item, id, ...more })
  for (let id = 1; id <= 1_200; id++) put(id)
  const suggested = () =>
    index
      .suggest('kettl', { language: 'en', region: 'home', limit: 8, withProducts: true })
      .flatMap((it) => (it.kind === 'row' ? [it.id] : []))
  deepEqual(suggested(), [1, 2])
  put(1_000, { popularity: 1_000_000 })
  for (let step = 0; step < 2_000; step++) put(7)
  deepEqual(suggested(), [1_000, 1])
})

test('a beginning is completed also when very many rows have the word', () => {
  const index = new ProductIndex()
  const item = itemOf('phone')
  for (let id = 1; id <= 10_100; id++) index.put({ ...item, id })
  const found = index.suggest('сам', { language: 'ru', region: 'home', limit: 8 })
  ok(found.some((it) => it.kind === 'phrase'))
})

test('products out of stock rank after those in stock', () => {
  const index = new ProductIndex()
  const item = itemOf('kettle')
  index.put({ ...item, id: 1, offers: item.offers.map((it) => ({ ...it, quantity: 0 })) })
  index.put({ ...item, id: 2, offers: [] })
  index.put({ ...item, id: 3 })
  const query = {
    text: 'чайник',
    language: 'ru',
    filters: {},
    sort: 'relevance',
    limit: 9,
    wantsFacets: true,
  } as const
  deepEqual(index.find({ ...query, region: 'home' }).ids, [3, 1, 2])
  deepEqual(index.find({ ...query, region: 'global' }).ids, [1, 2, 3])
})

const plainQuery = (text: string) =>
  ({
    text,
    region: 'home',
    language: 'ru',
    filters: {},
    sort: 'relevance',
    limit: 9,
    wantsFacets: true,
  }) as const

test('a repeated search sees every change since', () => {
  const index = new ProductIndex()
  const item = itemOf('kettle')
  const offers = (more: object) => item.offers.map((it) => ({ ...it, ...more }))
  const seek = (text = 'чайник') => index.find(plainQuery(text))
  for (const id of [1, 2]) index.put({ ...item, id })
  deepEqual(
    [seek().ids, seek().ids],
    [
      [1, 2],
      [1, 2],
    ],
  )
  index.put({ ...item, id: 1, offers: offers({ quantity: 0 }) })
  deepEqual(seek().ids, [2, 1])
  equal(seek().facets!.inStock.yes, 1)
  index.put({ ...item, id: 1 })
  index.setPopularity(new Map([[2, 1_000]]))
  deepEqual(seek().ids, [2, 1])
  const soldOut = (it: (typeof item.offers)[number]) => ({ ...it, quantity: it.id === 7 ? 0 : it.quantity })
  index.put({ ...item, id: 3, offers: offers({ id: 7 }), popularity: 2_000 })
  deepEqual(seek().ids, [3, 2, 1])
  const scope = { productIds: [3], categoryIds: [], brandIds: [], partnerIds: [] }
  for (const step of index.reprice(soldOut, scope)) equal(step, undefined)
  deepEqual(seek().ids, [2, 1, 3])
  deepEqual(seek('бурбулятор').ids, [])
  index.synonyms = Synonyms.curated().with([{ kind: 'same', forms: ['бурбулятор', 'чайник'] }])
  deepEqual(seek('бурбулятор').ids, [2, 1, 3])
  index.remove(2)
  deepEqual(seek().ids, [1, 3])
})

test('a search is filtered, counted, sorted and paged like a list', () => {
  const all = ask('samsung', { wantsFacets: true })
  equal(all.total, 3)
  deepEqual(all.facets!.brands, [
    { id: 1, count: 2 },
    { id: 2, count: 1 },
  ])
  const own = ask('samsung', { filters: { brandIds: [1] }, wantsFacets: true })
  equal(own.total, 2)
  deepEqual(own.facets!.brands, all.facets!.brands)
  equal(own.facets!.inStock.yes, 2)
  deepEqual(ask('samsung', { sort: 'id' }).ids, [1, 3])
  const first = ask('samsung', { limit: 1 })
  const second = ask('samsung', { limit: 1, after: first.next! })
  const third = ask('samsung', { limit: 1, after: second.next! })
  deepEqual([...first.ids, ...second.ids, ...third.ids], ask('samsung').ids)
  equal(third.next, null)
})

test('sorted by price, a search lists what matches as well as the best; accessories only when asked for', () => {
  deepEqual(ask('samsung').ids.toSorted(), [1, 2, 3])
  const byPrice = ask('samsung', { sort: '-price' })
  deepEqual([byPrice.ids, byPrice.total], [[3, 1], 2])
  deepEqual(ask('samsung', { sort: 'price', filters: { brandIds: [2] } }).ids, [2])
  deepEqual(ask('чехол samsung', { sort: 'price' }).ids, [2])
})

test('a changed name is found only by its new words', () => {
  const index = new ProductIndex()
  const kettle = itemOf('kettle')
  const seek = (text: string) => index.find(plainQuery(text)).ids
  index.put(kettle)
  index.put({ ...kettle, name: { ru: 'Самовар' } })
  deepEqual(seek('самовар'), [kettle.id])
  deepEqual(seek('электрический'), [])
  index.remove(kettle.id)
  deepEqual(seek('самовар'), [])
})
