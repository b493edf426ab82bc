import { deepEqual, doesNotThrow, match, throws } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { checkRepliesOf, openReplyCheck } from './checked-replies.ts'

const check = openReplyCheck()
const id = '0192f0c1-6a53-7a53-9d1a-000000000001'
const reply = { success: true, data: { session_id: id }, meta: {} }

async function serverThat(answer: Parameters<typeof createServer>[1]) {
  const server = createServer(answer as never)
  const faults = checkRepliesOf(server, check)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  after(() => server.close())
  return { faults, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const call = { method: 'GET', path: '/v1/catalog/brands/7', contentType: 'application/json' }

test('a reply with an unlisted status, type, field type or error code differs from the document', () => {
  throws(() => check({ ...call, status: 418, body: {} }), /status 418 is not in the document/)
  throws(() => check({ ...call, status: 200, contentType: 'text/html', body: undefined }), /with text\/html/)
  throws(() => check({ ...call, status: 200, body: { ...reply, data: { brand: { id: 7 } } } }), /brand/)
  throws(() => check({ ...call, status: 404, body: { success: false, error: { code: 'lost' } } }), /code/)
  const refused = {
    code: 'internal_error',
    message: 'x',
    type: 'service_error',
    details: {},
  }
  const meta = { request_id: id, timestamp: '2026-11-01T09:00:00.000Z', api_version: 'v1' }
  throws(
    () => check({ ...call, status: 404, body: { error: refused, meta } }),
    /404 with the code internal_error/,
  )
  doesNotThrow(() => check({ ...call, path: '/no/such/path', status: 418, body: {} }))
})

test('replies to any client are checked, compressed ones too', async () => {
  const wrong = await serverThat((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync(JSON.stringify({ success: true, data: { brand: { id: 7 } } })))
  })
  deepEqual(wrong.faults(), [])
  await (await fetch(`${wrong.url}/v1/catalog/brands/7`)).text()
  match(wrong.faults().join(), /GET \/v1\/catalog\/brands\/7 \(brands\.get\): .*brand/)
})
