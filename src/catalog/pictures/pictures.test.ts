import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { partnerPicturePath, productPicturePaths } from './pages.ts'
import { type Motif, motifOf, motifs } from './motif.ts'

const { url } = await openPlatform()
const maxBytes = 4_096
const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })

test('every motif is drawn in three sizes of a few kilobytes each', async () => {
  for (const motif of Object.keys(motifs) as Motif[]) {
    const { lgPath, mdPath, smPath } = productPicturePaths('artel-nova-smartphone-black', motif)
    const drawn = await Promise.all([lgPath, mdPath, smPath].map(async (it) => (await get(it)).text()))
    for (const [at, width] of [960, 480, 160].entries()) {
      match(drawn[at]!, new RegExp(`^<svg [^>]*width="${width}"`))
      ok(Buffer.byteLength(drawn[at]!) <= maxBytes, motif)
      ok(!/undefined|NaN|\[object/.test(drawn[at]!), motif)
    }
  }
})

test('a picture is cacheable and answered with 304 when the ETag matches', async () => {
  for (const path of [
    '/pictures/categories/phones.svg',
    partnerPicturePath('registon-market'),
    productPicturePaths('artel-nova-black', 'phone').mdPath,
  ]) {
    const first = await get(path)
    equal(first.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
    equal(first.headers.get('cache-control'), 'public, max-age=86400')
    match(first.headers.get('content-security-policy')!, /default-src 'none'/)
    const again = await get(path, { 'if-none-match': first.headers.get('etag')! })
    equal(again.status, 304)
    equal(await again.text(), '')
  }
})

test('a picture has the colour that the slug names', async () => {
  const drawn = async (slug: string) => (await get(productPicturePaths(slug, 'phone').smPath)).text()
  match(await drawn('artel-nova-smartphone-red'), /hsl\(356 68% 52%\)/)
  notEqual(await drawn('artel-nova-smartphone-red'), await drawn('artel-nova-smartphone-blue'))
})

test('no hostile slug is written into a picture', async () => {
  const hostile = [
    '"><script>alert(1)</script>',
    '<svg onload=x>',
    '&lt;',
    "'--",
    '__proto__',
    'constructor',
    '%00',
  ]
  for (const name of hostile.map(encodeURIComponent))
    for (const path of [
      `/pictures/categories/${name}.svg`,
      `/pictures/partners/${name}.svg`,
      `/pictures/products/${name}/${name}/${name}.svg`,
    ]) {
      const reply = await get(path)
      equal(reply.status, 200, path)
      const drawn = await reply.text()
      match(drawn, /^<svg [^<]+>.*<\/svg>$/)
      ok(!/script|onload|&lt|--|proto|constructor/.test(drawn), path)
      equal(drawn.match(/<svg/g)!.length, 1)
    }
})

test('a picture shows the motif of the slug, else of the category, else a parcel', () => {
  deepEqual(
    [
      'samsung-galaxy-a56-silicone-case-blue',
      'luminarc-diwali-tea-set-for-6',
      'makita-hr2470-800-w-rotary-hammer',
    ].map((slug) => motifOf({ slug })),
    ['case', 'teapot', 'drill'],
  )
  equal(motifOf({ slug: 'x-100', categorySlug: 'refrigerators' }), 'fridge')
  equal(motifOf({ slug: 'washing-machines' }), 'washer')
  equal(motifOf({ slug: 'x-100', categorySlug: 'unheard-of' }), 'gift')
  equal(motifOf({ slug: 'constructor' }), 'gift')
})
