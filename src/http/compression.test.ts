import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { openPlatform } from '../../test/support/shop.ts'
import { acceptedEncoding } from './compression.ts'
import { get } from './route.ts'

const text = 'catalog '.repeat(1_000)
const reply = Type.Object({ text: Type.String() })
const run = async () => ({ data: { text } })
const { app, keys } = await openPlatform({
  routes: [
    get('/v1/catalog/large', { summary: 'x', scope: 'catalog:read', reply, run }),
    get('/v1/catalog/small', {
      summary: 'x',
      scope: 'catalog:read',
      reply,
      run: async () => ({ data: { text: 'x' } }),
    }),
    get('/v1/orders/large', { summary: 'x', scope: 'orders:read', reply, run }),
  ],
})

const ask = (url: string, encoding: string, headers = {}) =>
  app.server.fastify.inject({
    url,
    headers: { authorization: `Bearer ${keys.test}`, 'accept-encoding': encoding, ...headers },
  })

test('a large public reply is compressed as the caller accepts it', async () => {
  const plain = await ask('/v1/catalog/large', 'identity')
  equal(plain.headers['content-encoding'], undefined)
  match(String(plain.headers['vary']), /Accept-Encoding/)
  const brotli = await ask('/v1/catalog/large', 'gzip, br')
  equal(brotli.headers['content-encoding'], 'br')
  equal(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString()).data.text, text)
  const gzipped = await ask('/v1/catalog/large', 'gzip')
  equal(JSON.parse(gunzipSync(gzipped.rawPayload).toString()).data.text, text)
  equal(gzipped.headers['etag'], `W/${String(plain.headers['etag'])}`)
  const known = { 'if-none-match': String(gzipped.headers['etag']) }
  equal((await ask('/v1/catalog/large', 'gzip', known)).statusCode, 304)
})

test('small replies, replies that are not public and refusals are not compressed', async () => {
  for (const url of ['/v1/catalog/small', '/v1/orders/large', '/v1/catalog/absent', '/v1/catalog/brands/9'])
    equal((await ask(url, 'br')).headers['content-encoding'], undefined, url)
})

test('an encoding with weight zero is not accepted', () => {
  equal(acceptedEncoding('br;q=0, gzip'), 'gzip')
  equal(acceptedEncoding('identity'), undefined)
  equal(acceptedEncoding(undefined), undefined)
})
