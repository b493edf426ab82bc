import { equal, match, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { pngOf } from '../../../test/support/png.ts'
import { openS3Server } from '../../../test/support/s3.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { readConfig } from '../../base/config.ts'
import { callS3, signedHeaders } from '../../base/s3.ts'

const s3 = await openS3Server()
const { app, call, url } = await openPlatform({
  env: {
    PICTURES_S3_URL: s3.url,
    PICTURES_S3_REGION: s3.region,
    PICTURES_S3_KEY_ID: s3.keyId,
    PICTURES_S3_SECRET: s3.secret,
  },
})
const upload = (raw: Buffer) =>
  call('POST', '/v1/catalog/pictures', { raw, headers: { 'content-type': 'image/png' } })

test('a picture is stored in the bucket, served from it and deleted with its objects', async () => {
  const reply = await upload(pngOf(300, 200))
  equal(reply.status, 200, reply.text)
  const { sm_path } = reply.body.data.picture
  equal(s3.objects.size, 3)
  match([...s3.objects.keys()][0]!, /^\/shop-pictures\/test\/[0-9a-f]{2}\/[0-9a-f]{32}-lg\.webp$/)
  const shown = await fetch(new URL(sm_path, url))
  equal(shown.headers.get('content-type'), 'image/webp')
  equal(
    Buffer.from(await shown.arrayBuffer())
      .subarray(8, 12)
      .toString(),
    'WEBP',
  )
  equal(
    (await fetch(new URL(sm_path.replace('-sm', '-md').replace(/[0-9a-f]{3}-/, 'fff-'), url))).status,
    404,
  )
  await call('POST', '/v1/test/clock', { body: { advance: 'P8D' } })
  await app.shops.test.jobs.runNow('purge-pictures')
  equal(s3.objects.size, 0)
  equal(s3.refused.length, 0)
})

test('a changed request does not fit its signature', async () => {
  const now = new Date('2026-11-16T09:00:00Z')
  const target = new URL(`${s3.url}/test/a.webp`)
  const headers = signedHeaders(s3, { method: 'PUT', url: target, body: 'a' }, now)
  equal((await fetch(target, { method: 'PUT', headers, body: 'a' })).status, 200)
  equal((await fetch(target, { method: 'PUT', headers, body: 'b' })).status, 403)
  equal((await fetch(`${target.href}x`, { method: 'PUT', headers, body: 'a' })).status, 403)
  const other = { ...s3, secret: 'another' }
  await rejects(callS3(other, { method: 'GET', key: 'test/a.webp' }, now), /403.*SignatureDoesNotMatch/)
})

test('an unreachable bucket refuses uploads and breaks nothing else', async () => {
  s3.close()
  const reply = await upload(pngOf(30, 20))
  equal(reply.status, 503, reply.text)
  equal((await call('GET', '/v1/catalog/categories')).status, 200)
})

test('the variables of the bucket are set together', () => {
  let text = ''
  try {
    readConfig({ PICTURES_S3_URL: 'https://s3.example/pictures', PICTURES_S3_KEY_ID: 'a' })
  } catch (error) {
    text = String(error)
  }
  match(text, /PICTURES_S3_URL, PICTURES_S3_KEY_ID and PICTURES_S3_SECRET must be set together/)
})
