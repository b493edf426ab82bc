import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pngOf } from '../../../test/support/png.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { pictureTypeOf } from './resize-picture.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-pictures-'))
after(() => rmSync(dataDir, { recursive: true }))
const { app, call, url, keys, makeKey } = await openPlatform({ env: { DATA_DIR: dataDir } })

const send = (raw: Buffer, options: { type?: string; key?: string } = {}) =>
  call('POST', '/v1/catalog/pictures', {
    raw,
    headers: { 'content-type': options.type ?? 'image/png' },
    ...(options.key && { key: options.key }),
  })
const fetched = (path: string) => fetch(new URL(path, url))
const filesIn = (environment: string) =>
  readdirSync(join(dataDir, 'pictures', environment), { recursive: true }).filter((it) =>
    String(it).endsWith('.webp'),
  ).length

test('the first bytes decide what a picture is', () => {
  equal(pictureTypeOf(pngOf(1, 1)), 'image/png')
  equal(pictureTypeOf(Buffer.from('\xff\xd8\xff\xe0', 'latin1')), 'image/jpeg')
  equal(pictureTypeOf(Buffer.from('RIFF....WEBPVP8 ')), 'image/webp')
  for (const other of ['', '<svg onload="x()"/>', 'GIF89a', 'RIFF....WAVE', '\x89PNG'])
    equal(pictureTypeOf(Buffer.from(other, 'latin1')), undefined, other)
})

test('an uploaded picture is served in three sizes and shown by a product', async () => {
  const reply = await send(pngOf(1_200, 600))
  equal(reply.status, 200, reply.text)
  const { lg_path, md_path, sm_path, ...rest } = reply.body.data.picture
  deepEqual(rest, { width: 1_200, height: 600 })
  for (const [path, width] of [
    [lg_path, 960],
    [md_path, 480],
    [sm_path, 160],
  ] as const) {
    const shown = await fetched(path)
    equal(shown.headers.get('content-type'), 'image/webp')
    match(shown.headers.get('cache-control')!, /immutable/)
    const bytes = Buffer.from(await shown.arrayBuffer())
    equal(bytes.subarray(8, 15).toString(), 'WEBPVP8')
    // The width in the header of lossy WebP.
    equal(bytes.readUInt16LE(26) & 0x3fff, width)
  }
  const category = await call('POST', '/v1/catalog/categories', {
    body: { slug: 'p', name: { en: 'P' }, image_url: new URL(md_path, url).href },
  })
  equal(category.status, 201, category.text)
  const product = await call('POST', '/v1/catalog/products', {
    body: {
      category_id: category.body.data.category.id,
      slug: 'p',
      name: { en: 'P' },
      images: [{ lg_path, md_path, sm_path }],
    },
  })
  equal(product.status, 201, product.text)
  const found = await call('GET', `/v1/catalog/products/${product.body.data.product.id}`)
  equal(found.body.data.product.images[0].sm_path, url + sm_path)
})

test('the same file gives the same paths, and each environment has its own', async () => {
  const file = pngOf(20, 20)
  const [one, two] = [await send(file), await send(file)]
  deepEqual(one.body.data, two.body.data)
  const live = await send(file, { key: keys.live })
  ok(live.body.data.picture.sm_path.includes('/live/'))
})

test('refuses what is not a picture, is damaged, too large or not allowed', async () => {
  const disguised = await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'))
  equal(disguised.status, 415, disguised.text)
  equal((await send(pngOf(4, 4), { type: 'image/svg+xml' })).status, 415)
  const damaged = await send(pngOf(400, 400).subarray(0, 200))
  equal(damaged.status, 422, damaged.text)
  equal(damaged.body.error.details.fields[0].rule, 'unreadable_picture')
  const huge = pngOf(1, 1)
  huge.writeUInt32BE(100_000, 16)
  huge.writeUInt32BE(100_000, 20)
  equal((await send(huge)).status, 422)
  const large = await send(Buffer.concat([pngOf(1, 1), Buffer.alloc(11 * 1024 * 1024)]))
  equal(large.status, 413, large.text)
  const reader = await makeKey({ scopes: ['catalog:read'] })
  equal((await send(pngOf(4, 4), { key: reader })).status, 403)
  for (const path of [
    'test/..%2f..%2fsecret.key',
    `test/${'0'.repeat(32)}-lg.webp`,
    `none/${'0'.repeat(32)}-lg.webp`,
  ])
    equal((await fetched(`/pictures/uploads/${path}`)).status, 404, path)
})

test('the job deletes pictures that nothing shows, with their files', async () => {
  const { sm_path } = (await send(pngOf(30, 30, [1, 2, 3]))).body.data.picture
  equal(filesIn('test'), 9)
  await call('POST', '/v1/test/clock', { body: { advance: 'P8D' } })
  ok(await app.shops.test.jobs.runNow('purge-pictures'))
  equal((await fetched(sm_path)).status, 404)
  equal(filesIn('test'), 3, 'the picture of the product and the category stays')
  equal(filesIn('live'), 3)
})
