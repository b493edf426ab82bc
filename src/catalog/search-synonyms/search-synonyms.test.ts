import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { mergeSynonyms } from './records.ts'

const shop = await openPlatform()

const made = async (path: string, body: object): Promise<number> => {
  const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
  equal(reply.status, 201, reply.text)
  return Number((Object.values(reply.body.data)[0] as { id: string }).id)
}
const categoryId = await made('categories', { slug: 'bicycles', name: { ru: 'Велосипеды', en: 'Bicycles' } })
const brandId = await made('brands', { slug: 'giant', name: 'Giant' })
await made('products', {
  category_id: categoryId,
  brand_id: String(brandId),
  slug: 'giant-talon',
  name: { ru: 'Горный велосипед Giant Talon', en: 'Giant Talon mountain bike' },
})

const search = async (q: string, more = '') => {
  const reply = await shop.call('GET', `/v1/catalog/products/search?q=${encodeURIComponent(q)}${more}`)
  equal(reply.status, 200, reply.text)
  return reply.body.data
}
const put = (text: string) => shop.call('PUT', '/v1/admin/search/synonyms', { body: { text } })

test('the next search uses new synonyms of the shop, beside the curated ones', async () => {
  equal((await search('скакун')).products.length, 0)
  const saved = await put('# our words\nскакун, велосипед')
  equal(saved.status, 200, saved.text)
  equal((await search('скакун')).products.length, 1)
  equal((await search('велик')).products.length, 1)
  const read = await shop.call('GET', '/v1/admin/search/synonyms')
  deepEqual(read.body.data.synonyms.text, '# our words\nскакун, велосипед')
})

test('synonyms with a cycle or a contradiction are refused with the line, and the old ones stay', async () => {
  const before = await shop.call('GET', '/v1/admin/search/synonyms')
  for (const [text, place] of [
    ['a, b\nскакун > конь\nконь > скакун', /строка 2/],
    ['a, b\na > b', /строка 2, 1/],
    ['один', /строке 1/],
  ] as const) {
    const refused = await put(text)
    equal(refused.status, 422, refused.text)
    match(refused.text, place)
  }
  deepEqual((await shop.call('GET', '/v1/admin/search/synonyms')).body.data, before.body.data)
})

test('a reply says what was corrected and left out, and explains the steps', async () => {
  const corrected = await search('велосепед', '&explain=true')
  equal(corrected.corrected, 'велосипед')
  equal(corrected.did_you_mean, 'велосипед')
  deepEqual(corrected.explanation[0], { step: 'typo', from: 'велосепед', to: 'велосипед' })
  equal((await search('велосепед', '&exact=true')).products.length, 0)
  const relaxed = await search('красный велосипед')
  deepEqual([relaxed.relaxed, relaxed.left_out, relaxed.explanation], [true, ['красный'], null])
  equal((await search('велосипед')).relaxed, false)
})

test('a search that finds nothing offers categories and popular products', async () => {
  const { products, alternatives } = await search('корм для кошек')
  deepEqual(products, [])
  deepEqual(
    alternatives.categories.map((it: { slug: string }) => it.slug),
    ['bicycles'],
  )
  equal((await search('велосипед')).alternatives, null)
})

test('imported lines are added, and a line with a cycle or a contradiction is refused by its number', async () => {
  await put('# our words\nскакун, велосипед')
  const lines = [
    'скакун, велосипед',
    'фура > грузовик',
    'один',
    'грузовик > фура',
    'скакун > велосипед',
    'конфета, шириналик',
  ]
  const raw = lines.map((line) => JSON.stringify({ record: 'search_synonym', line })).join('\n')
  const reply = await shop.call('POST', '/v1/catalog/import', {
    raw,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  equal(reply.status, 200, reply.text)
  deepEqual(
    reply.body.data.refusals.map((it: { line: number; fields: { rule: string }[] }) => [
      it.line,
      it.fields[0]!.rule,
    ]),
    [
      [3, 'synonyms_too_few_forms'],
      [4, 'synonyms_cycle'],
      [5, 'synonyms_contradiction'],
    ],
  )
  equal(reply.body.data.unchanged, 1)
  const stored = await shop.call('GET', '/v1/admin/search/synonyms')
  equal(stored.body.data.synonyms.text, '# our words\nскакун, велосипед\nфура > грузовик\nконфета, шириналик')
  const exported = await shop.call('GET', '/v1/catalog/export?records=search_synonym')
  match(exported.text, /"line":"фура > грузовик"/)
})

test('merging lines again changes nothing', () => {
  const once = mergeSynonyms('', ['a, b', 'c > d', 'd > c'])
  deepEqual([once.text, once.refused.map((it) => it.at)], ['a, b\nc > d', [2]])
  deepEqual(mergeSynonyms(once.text, ['c > d', 'a, b']), { text: once.text, refused: [], unchanged: 2 })
})
