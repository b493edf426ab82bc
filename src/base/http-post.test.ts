// Single attempts against receivers that violate the protocol, and host names whose addresses change.

import { deepEqual, equal, match } from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import type { Resolve } from './outbound-address.ts'
import { openHttpSender, type HttpSender } from './http-post.ts'

const body = '{"a":"я"}'

/** A receiver that replies with the given raw bytes. Returns its port. */
async function receiver(answer: (socket: Socket, request: number) => void): Promise<number> {
  let requests = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => answer(socket, ++requests))
    after(() => socket.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => server.close())
  return (server.address() as AddressInfo).port
}

const at = (port: number, host = '127.0.0.1') => `http://${host}:${port}/`

const publicOnly = { requiresHttps: true, allowsLoopback: false }
const withLoopback = { requiresHttps: false, allowsLoopback: true }

function sender(...options: Parameters<typeof openHttpSender>): HttpSender {
  const opened = openHttpSender(...options)
  after(() => opened.close())
  return opened
}

test('a receiver that answers with a protocol upgrade counts as failed and keeps no connection open', async () => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const port = await receiver((socket) => socket.write(upgrade))
  const sent = await sender(withLoopback).send(at(port), {}, body)
  deepEqual([sent.status, sent.error], [101, null])
})

test('a status counts as soon as it arrives, even if the rest of the reply never does', async () => {
  const port = await receiver((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'))
  const sent = await sender(withLoopback, { waitMs: 200 }).send(at(port), {}, body)
  deepEqual([sent.status, sent.error, sent.reply?.body], [200, null, 'abc'])
})

test('an invalid reply is a failure with a reason', async () => {
  const answers = { 'garbage\r\n\r\n': /Parse Error/, 'HTTP/1.1 100 Continue\r\n\r\n': /no reply within/ }
  for (const [answer, reason] of Object.entries(answers)) {
    const port = await receiver((socket) => socket.write(answer))
    const sent = await sender(withLoopback, { waitMs: 200 }).send(at(port), {}, body)
    equal(sent.status, null)
    match(sent.error!, reason)
  }
})

test('a connection that was closed while idle is opened again within the timeout of one attempt', async () => {
  const good = 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n'
  // The second request reuses the open connection, which is closed when most of the timeout has passed.
  const cutting = await receiver((socket, request) => {
    if (request === 1) socket.write(good)
    else if (request === 2) setTimeout(() => socket.resetAndDestroy(), 500)
    else setTimeout(() => socket.write(good), 500)
  })
  const sending = sender(withLoopback, { waitMs: 800 })
  equal((await sending.send(at(cutting), {}, body)).status, 204)
  equal((await sending.send(at(cutting), {}, body)).error, 'no reply within 0.8 s')
})

/** A name server that returns another address at each query. */
const changing =
  (...answers: string[]): Resolve =>
  (_host, _options, done) =>
    setImmediate(() => done(null, [{ address: answers.shift()!, family: 4 }]))

test('a name that resolves to a private address when the connection opens is refused, whatever it resolved to before', async () => {
  let connections = 0
  const port = await receiver(() => connections++)
  const resolve = changing('127.0.0.1', '169.254.169.254', '10.0.0.1')
  const sending = sender(publicOnly, { resolve, waitMs: 500 })
  for (const _turn of [1, 2, 3]) {
    const sent = await sending.send(at(port, 'hooks.example'), {}, body)
    equal(sent.error, 'the address is private')
  }
  equal(connections, 0)
})

test('the connection goes to the address that was checked: the name is not resolved again', async () => {
  const port = await receiver((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  // The first address is allowed in test; a second query would return one that is not.
  const sending = sender(withLoopback, {
    resolve: changing('127.0.0.1', '169.254.169.254', '169.254.169.254'),
  })
  equal((await sending.send(at(port, 'hooks.example'), {}, body)).status, 204)
  equal((await sending.send(at(port, 'hooks.example'), {}, body)).error, 'the address is private')
})

test('a name with one private address among several is refused', async () => {
  const port = await receiver((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const resolve: Resolve = (_host, _options, done) =>
    done(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ])
  const sent = await sender(withLoopback, { resolve }).send(at(port, 'hooks.example'), {}, body)
  equal(sent.error, 'the address is private')
})

test('a name server that does not answer is queried once per name, however many requests wait for it', async () => {
  let asked = 0
  const silent: Resolve = () => void asked++
  const sending = sender(withLoopback, { resolve: silent, waitMs: 100 })
  const all = await Promise.all([1, 2, 3].map(() => sending.send('http://hooks.example/', {}, body)))
  deepEqual(
    all.map((it) => it.error),
    ['no reply within 0.1 s', 'no reply within 0.1 s', 'no reply within 0.1 s'],
  )
  equal(asked, 1)
})
