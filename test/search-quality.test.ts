// A part of the visible judged queries, so that a change that makes search worse is noticed. All: npm run evaluate:search.

import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { shopProducts } from '../bench/search-quality/demo-products.ts'
import { judgedQueries } from '../bench/search-quality/judged-queries.ts'
import { measure } from '../bench/search-quality/measure.ts'
import { ProductIndex } from '../src/catalog/product-index/product-index.ts'

const everyNth = 4
const least = { precision: 0.95, firstHit: 0.97, kind: 0.9 }

const products = shopProducts()
const byId = new Map(products.map((it) => [it.product.id, it]))
const index = new ProductIndex()
for (const it of products) index.put(it.product)
const find = (text: string, limit: number) =>
  index.find({
    region: 'home',
    language: 'ru',
    text,
    filters: {},
    sort: 'relevance',
    limit,
    wantsFacets: false,
  }).ids

test('judged queries over the demo shop are answered as a shopper expects', async () => {
  const queries = (['first', 'second', 'fifth'] as const)
    .flatMap((set) => judgedQueries(set, products))
    .filter((it, at) => !it.isHeldOut && at % everyNth === 0)
  ok(queries.length > 300)
  const figures = await measure(find, queries)
  const all = figures.get('all')!
  ok(all.precision >= least.precision && all.firstHit >= least.firstHit, JSON.stringify(all))
  for (const [kind, { precision, queries: count }] of figures)
    ok(precision >= least.kind || count < leastOfKind, `${kind}: ${precision}`)
})

/** For kinds with fewer queries, one wrong answer changes the figure too much. */
const leastOfKind = 10

/** What each of the first five results is: its category, and a pattern of its Russian name. */
const examples: [text: string, category: string, name?: RegExp][] = [
  ['телефон', 'smartphones'],
  ['часы', 'smart-watches'],
  ['apple telefon', 'smartphones', /iPhone/],
  ['лёгкий ноутбук', 'laptops'],
  ['женская обувь', 'womens-shoes'],
  ['мужская одежда', 'mens-clothes'],
  ['туфли для женщин', 'womens-shoes', /Женские туфли/],
  ['резина на зиму', 'tyres', /Зимняя/],
  ['резина 16 радиус', 'tyres', /R16/],
  ['подгузники 5 размер', 'diapers', /размер 5/],
  ['вытяжка над плитой', 'stoves-and-ovens', /вытяжка/],
  ['кондиционер с установкой', 'air-conditioners'],
  ['plate', 'tableware', /тарелок/],
  ['бензопилой', 'garden', /Бензопила/],
  ['samsung tv 65', 'televisions', /Samsung.*65/],
  ['mobile phone', 'smartphones'],
  ['купить телефон', 'smartphones'],
  ['павербанк', 'phone-accessories', /Внешний аккумулятор/],
  ['ноут бук', 'laptops'],
  ['hairdryer', 'hair-care', /^Фен/],
  ['айфон', 'smartphones', /iPhone/],
  ['мишлен', 'tyres', /Michelin/],
  ['нивея крем', 'skin-care', /Nivea/],
  ['шины r16', 'tyres', /R16/],
  ['шины р16', 'tyres', /R16/],
  ['телевизор 55″', 'televisions', /55″/],
  ['телевизор 55 дюймов', 'televisions', /55″/],
  ['кофе 1 кг', 'tea-and-coffee', /1000 г/],
  ['ssd 1 тб', 'computer-parts', /1000 ГБ/],
  ['ковёр 3x4', 'carpets', /3×4/],
  ['choynagi', 'kettles'],
  ['tarelkalar', 'tableware', /тарелок/],
  ['лэптопчик', 'laptops'],
  ['television set', 'televisions'],
  ['how much is a tv', 'televisions'],
]
for (const [text, category, name = /./] of examples)
  test(`"${text}" finds ${category} ${name.source}`, () => {
    const found = find(text, 5).map((id) => byId.get(id)!)
    ok(found.length > 0)
    for (const it of found) {
      deepEqual(it.category, category, it.product.name.ru)
      ok(name.test(it.product.name.ru!), it.product.name.ru)
    }
  })

for (const text of ['корм для кошек', 'палатка', 'доставка еды', 'hotel booking', 'микроволновка'])
  test(`"${text}" is not sold: nothing unrelated is found`, () => deepEqual(find(text, 5), []))
