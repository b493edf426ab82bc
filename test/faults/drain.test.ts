// Draining: the server is not ready, but serves until the port closes.

import { equal, match, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const shop = await openPlatform()

test('a draining server is not ready, serves, ends its connections and then closes the port', async () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  const replies = () => received.split('HTTP/1.1 200').length - 1
  socket.write(request)
  await waitUntil(() => replies() === 1, { what: 'the first reply' })

  const drained = shop.app.drain({ forMs: 900_000, endsEarly: true })
  const probe = await shop.call('GET', '/readyz', { key: null })
  equal(probe.status, 503)
  equal(probe.body.checks.draining, true)
  equal(probe.headers.get('connection'), 'close')
  const reply = await shop.call('GET', '/v1/catalog/brands')
  equal(reply.status, 200)
  equal(reply.headers.get('connection'), 'close')

  // The idle connection is still served; of requests that arrive together only the last reply ends it.
  const closed = once(socket, 'close')
  socket.write(request + request)
  await closed
  equal(replies(), 3)
  equal(received.match(/connection: close/gi)?.length, 1)
  match(received, /connection: close[^]*$/i)
  await drained
  await rejects(shop.call('GET', '/healthz'), 'the port is closed')
})
