// A variant has the generated picture of its own colour wherever it is shown.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest, queryOf } from '../support/carts.ts'
import { openOrdering } from '../support/orders.ts'
import { openPlatform } from '../support/shop.ts'

const shop = await openPlatform()
const orders = await openOrdering(shop)
const { stock } = orders

/** A product with a red and a blue variant, and an offer of each. */
async function twoColours(id: number): Promise<{ red: number; blue: number }> {
  const productId = await stock.product(id)
  const [red, blue] = await Promise.all(
    (['red', 'blue'] as const).map(async (color, at) => {
      await stock.load('variant', {
        id: id * 10 + at,
        product_id: id,
        name: { ru: color },
        attributes: { color },
      })
      return stock.offer({ productId, price: 1_000 + at, variant_id: id * 10 + at })
    }),
  )
  return { red: red!, blue: blue! }
}

const colourIn = (path: string): string => /-(red|blue)\/[a-z]+\.svg$/.exec(path)?.[1] ?? path

test('cart, wishlist and order show the colour of the variant', async () => {
  const { red, blue } = await twoColours(50)
  const guest = newGuest()
  for (const offer of [red, blue]) {
    await orders.put(guest, offer)
    const saved = await shop.call('POST', '/api/wishlist/offers', { body: { ...guest, OfferId: offer } })
    equal(saved.status, 200, saved.text)
  }
  const colours = (lines: { OfferId: number; Images: { SmPath: string }[] }[]) =>
    Object.fromEntries(lines.map((it) => [it.OfferId, colourIn(it.Images[0]!.SmPath)]))
  const expected = { [red]: 'red', [blue]: 'blue' }
  deepEqual(colours((await orders.view(guest)).Items), expected)
  const { body } = await shop.call('GET', `/api/wishlist?${queryOf(guest)}`)
  deepEqual(colours(body.data.Offers), expected)

  const [id] = await orders.ordered(guest)
  const placed = await orders.get(id!)
  deepEqual(
    Object.fromEntries(
      placed.lines.map((it: { offer_id: string; image: { sm_path: string } }) => [
        it.offer_id,
        colourIn(it.image.sm_path),
      ]),
    ),
    expected,
  )
})

test('a deleted offer keeps the colour in the cart', async () => {
  const { blue } = await twoColours(51)
  const guest = newGuest()
  await orders.put(guest, blue)
  const deleted = await shop.call('DELETE', `/v1/catalog/offers/${blue}`)
  equal(deleted.status, 200, deleted.text)
  const [line] = (await orders.view(guest)).Items
  equal(colourIn(line.Images[0].SmPath), 'blue')
})

test('a product has the picture of its best offer, and every variant its own', async () => {
  await twoColours(52)
  const { product } = (await shop.call('GET', '/v1/catalog/products/52')).body.data
  equal(colourIn(product.images[0].md_path), 'red', 'red is cheaper')
  deepEqual(
    product.variants.map((it: { images: { md_path: string }[] }) => colourIn(it.images[0]!.md_path)),
    ['red', 'blue'],
  )
  const drawn = await (await fetch(product.variants[1].images[0].md_path)).text()
  match(drawn, /hsl\(218 62% 48%\)/, 'blue')
})

test('uploaded pictures and values that are no colour stay as they are', async () => {
  const lg_path = 'https://cdn.example/a.webp'
  await stock.load('product', {
    id: 53,
    category_id: 1,
    slug: 'product-53',
    name: { ru: 'Товар' },
    images: [{ lg_path, md_path: lg_path, sm_path: lg_path }],
  })
  await stock.load('variant', { id: 530, product_id: 53, name: { ru: 'red' }, attributes: { color: 'red' } })
  await stock.product(54)
  await stock.load('variant', {
    id: 540,
    product_id: 54,
    name: { ru: 'x' },
    attributes: { color: '../x y' },
  })
  const pictureOf = async (id: number) =>
    (await shop.call('GET', `/v1/catalog/products/${id}`)).body.data.product.variants[0].images[0].lg_path
  equal(await pictureOf(53), lg_path)
  match(await pictureOf(54), /\/product-54\/lg\.svg$/)
})
