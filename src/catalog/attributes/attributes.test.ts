import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { attributeFaults, type Attribute } from './attribute.ts'

const shop = await openPlatform()

const made = async (path: string, body: object) => {
  const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
  equal(reply.status, 201, reply.text)
  return Object.values(reply.body.data)[0] as { id: string; version: number }
}
const shoes = await made('categories', { slug: 'shoes', name: { ru: 'Обувь' } })
const phones = await made('categories', { slug: 'phones', name: { ru: 'Телефоны', en: 'Phones' } })
const smart = await made('categories', {
  slug: 'smartphones',
  name: { ru: 'Смартфоны' },
  parent_id: phones.id,
})
const color = await made('attributes', {
  code: 'color',
  kind: 'enumeration',
  name: { ru: 'Цвет', uz: 'Rang', en: 'Colour' },
  options: [
    { value: 'black', title: { ru: 'чёрный', uz: 'qora', en: 'black' } },
    { value: 'white', title: { ru: 'белый', uz: 'oq', en: 'white' } },
  ],
})
const screen = await made('attributes', {
  code: 'screen',
  kind: 'number',
  category_id: phones.id,
  name: { ru: 'Экран', en: 'Screen' },
  unit: { ru: '″', en: '″' },
  position: 1,
})
await made('attributes', { code: 'nfc', kind: 'boolean', category_id: phones.id, name: { en: 'NFC' } })
await made('attributes', { code: 'chip', kind: 'text', category_id: phones.id, name: { en: 'Chip' } })

const product = (slug: string, attributes: object, categoryId = smart.id) =>
  shop.call('POST', '/v1/catalog/products', {
    body: { slug, category_id: categoryId, name: { ru: `Смартфон ${slug}` }, attributes },
  })
const first = await product('one', { screen: 6.7, color: 'black', nfc: true, chip: 'A18' })
equal(first.status, 201, first.text)
equal((await product('two', { screen: 6.1, color: 'white', nfc: false })).status, 201)
equal((await product('three', { screen: 6.1, color: 'black' })).status, 201)
equal((await product('boot', { color: 'black' }, shoes.id)).status, 201)

const list = async (query: string) => {
  const reply = await shop.call('GET', `/v1/catalog/products?${query}`)
  equal(reply.status, 200, reply.text)
  return reply.body.data
}
const slugs = async (attributes: string) =>
  (await list(`attributes=${encodeURIComponent(attributes)}`)).products.map((it: { slug: string }) => it.slug)

test('a product shows its attributes in the order and the language of the caller', () => {
  deepEqual(
    first.body.data.product.attributes.map((it: { code: string; text: string }) => [it.code, it.text]),
    [
      ['screen', '6,7 ″'],
      ['color', 'чёрный'],
      ['nfc', 'да'],
      ['chip', 'A18'],
    ],
  )
})

test('wrong values are refused with what is allowed', async () => {
  for (const [attributes, categoryId, message] of [
    [{ colour: 'red' }, smart.id, /attributes\.colour.*screen, color, nfc, chip/],
    [{ screen: 6 }, shoes.id, /нет такого атрибута; есть color/],
    [{ color: 'red' }, smart.id, /black, white/],
    [{ screen: '6.7' }, smart.id, /числом/],
    [{ nfc: 'yes' }, smart.id, /true или false/],
    [{ chip: 5 }, smart.id, /строкой/],
  ] as const) {
    const refused = await product('wrong', attributes, categoryId)
    equal(refused.status, 422, refused.text)
    match(refused.text, message)
  }
})

test('lists filter by values and ranges, and refuse what they do not know', async () => {
  deepEqual(await slugs('color:black'), ['one', 'three', 'boot'])
  deepEqual(await slugs('color:black,white;screen:6..6.5'), ['two', 'three'])
  deepEqual(await slugs('screen:6.5..'), ['one'])
  deepEqual(await slugs('screen:6.1'), ['two', 'three'])
  deepEqual(await slugs('nfc:true'), ['one'])
  for (const [attributes, message] of [
    ['weight:5', /screen, color, nfc/],
    ['color:red', /black, white/],
    ['screen:big', /числом/],
    ['color', /screen:6\.\.7/],
    ['color:black;color:white', /повторяться/],
  ] as const) {
    const refused = await shop.call(
      'GET',
      `/v1/catalog/products?attributes=${encodeURIComponent(attributes)}`,
    )
    equal(refused.status, 422, refused.text)
    match(refused.text, message)
  }
})

test('facets count what each value would leave, ignoring their own filter', async () => {
  const filter = `category=smartphones&attributes=${encodeURIComponent('color:black')}`
  equal((await list(filter)).facets, null)
  const { facets } = await list(`${filter}&facets=true`)
  const counts = Object.fromEntries(
    facets.attributes.map((it: { code: string; values: { value: string; count: number }[] }) => [
      it.code,
      it.values.map(({ value, count }) => `${value} ${count}`),
    ]),
  )
  deepEqual(counts, { color: ['black 2', 'white 1'], screen: ['6.1 1', '6.7 1'], nfc: ['true 1'] })
  const searched = await shop.call('GET', '/v1/catalog/products/search?q=смартфон')
  const screens = searched.body.data.facets.attributes.find((it: { code: string }) => it.code === 'screen')
  deepEqual([screens.min, screens.max, screens.unit, screens.values[0].title], [6.1, 6.7, '″', '6,1 ″'])
})

test('a definition keeps what products use', async () => {
  const change = (id: string, body: object) => shop.call('PATCH', `/v1/catalog/attributes/${id}`, { body })
  const narrowed = await change(color.id, { options: [{ value: 'black', title: { en: 'black' } }] })
  equal(narrowed.status, 422, narrowed.text)
  match(narrowed.text, /всего 1/)
  const moved = await change(screen.id, { kind: 'text', unit: null })
  equal(moved.status, 422, moved.text)
  match(moved.text, /всего 3/)
  equal((await shop.call('DELETE', `/v1/catalog/attributes/${color.id}`)).status, 409)
  equal((await shop.call('DELETE', `/v1/catalog/categories/${phones.id}`)).status, 409)

  const hidden = await change(screen.id, { facet: false, name: { ru: 'Диагональ' } })
  equal(hidden.status, 200, hidden.text)
  const { facets } = await list('facets=true')
  deepEqual(
    facets.attributes.map((it: { code: string }) => it.code),
    ['color', 'nfc'],
  )
  const read = await shop.call('GET', `/v1/catalog/products/${first.body.data.product.id}`)
  equal(read.body.data.product.attributes[0].name, 'Диагональ')
})

test('definitions that contradict themselves are refused', async () => {
  for (const body of [
    { code: 'a', kind: 'enumeration', name: { en: 'A' } },
    { code: 'a', kind: 'number', name: { en: 'A' }, options: [{ value: 'x', title: { en: 'X' } }] },
    { code: 'a', kind: 'text', name: { en: 'A' }, unit: { en: 'kg' } },
    { code: 'a b', kind: 'text', name: { en: 'A' } },
  ])
    equal((await shop.call('POST', '/v1/catalog/attributes', { body })).status, 422)
  const taken = { code: 'color', kind: 'text', name: { en: 'A' } }
  equal((await shop.call('POST', '/v1/catalog/attributes', { body: taken })).status, 409)
})

test('an import may define an attribute after the product that uses it; a wrong value is final', () => {
  const known = new Map([['screen', { code: 'screen', kind: 'number', categoryId: null } as Attribute]])
  const faults = attributeFaults({ later: 1, screen: 'big' }, { known, path: [] })
  deepEqual(
    faults.map((it) => [it.fault.path, it.isUnknown]),
    [
      ['attributes.later', true],
      ['attributes.screen', false],
    ],
  )
})
