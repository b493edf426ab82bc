// One try against receivers that behave in every strange way, and names that change their mind.

import { deepEqual, equal, match } from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import type { Resolve } from './addresses.ts'
import { openSender, type Sender } from './post.ts'

const body = '{"a":"я"}'

/** A receiver that answers with bytes of its own choosing; returns its port. */
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

function sender(...options: Parameters<typeof openSender>): Sender {
  const opened = openSender(...options)
  after(() => opened.close())
  return opened
}

test('a receiver that wants to speak another protocol has failed, and holds no place', async () => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const port = await receiver((socket) => socket.write(upgrade))
  const sent = await sender('test').send(at(port), {}, body)
  deepEqual([sent.status, sent.error], [101, null])
})

test('a status counts from when it is there, though the rest of the reply never comes', async () => {
  const port = await receiver((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'))
  const sent = await sender('test', { waitMs: 200 }).send(at(port), {}, body)
  deepEqual([sent.status, sent.error, sent.reply?.body], [200, null, 'abc'])
})

test('what is no reply at all is a failure that says why', async () => {
  const answers = { 'garbage\r\n\r\n': /Parse Error/, 'HTTP/1.1 100 Continue\r\n\r\n': /no reply within/ }
  for (const [answer, reason] of Object.entries(answers)) {
    const port = await receiver((socket) => socket.write(answer))
    const sent = await sender('test', { waitMs: 200 }).send(at(port), {}, body)
    equal(sent.status, null)
    match(sent.error!, reason)
  }
})

test('a line that was cut while it was idle is opened anew, within the time of one try', async () => {
  const good = 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n'
  // The second request goes over the kept line, which is cut when most of the time is over; what comes of it comes late.
  const cutting = await receiver((socket, request) => {
    if (request === 1) socket.write(good)
    else if (request === 2) setTimeout(() => socket.resetAndDestroy(), 500)
    else setTimeout(() => socket.write(good), 500)
  })
  const sending = sender('test', { waitMs: 800 })
  equal((await sending.send(at(cutting), {}, body)).status, 204)
  equal((await sending.send(at(cutting), {}, body)).error, 'no reply within 0.8 s')
})

/** A name server that gives another answer every time. */
const changing =
  (...answers: string[]): Resolve =>
  (_host, _options, done) =>
    setImmediate(() => done(null, [{ address: answers.shift()!, family: 4 }]))

test('a name that leads inside at the moment of the connection is not connected to, whatever it said before', async () => {
  let connections = 0
  const port = await receiver(() => connections++)
  const resolve = changing('127.0.0.1', '169.254.169.254', '10.0.0.1')
  const sending = sender('live', { resolve, waitMs: 500 })
  for (const _turn of [1, 2, 3]) {
    const sent = await sending.send(at(port, 'hooks.example'), {}, body)
    equal(sent.error, 'the address is private')
  }
  equal(connections, 0)
})

test('an address is connected to as it was judged: the name is not asked again in between', async () => {
  const port = await receiver((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  // The first answer may be reached in test; a second question would be answered with an address that may not.
  const sending = sender('test', { resolve: changing('127.0.0.1', '169.254.169.254', '169.254.169.254') })
  equal((await sending.send(at(port, 'hooks.example'), {}, body)).status, 204)
  equal((await sending.send(at(port, 'hooks.example'), {}, body)).error, 'the address is private')
})

test('one private address among several spoils them all', async () => {
  const port = await receiver((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const resolve: Resolve = (_host, _options, done) =>
    done(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ])
  const sent = await sender('test', { resolve }).send(at(port, 'hooks.example'), {}, body)
  equal(sent.error, 'the address is private')
})

test('a name server that keeps silent is asked for a name once, however many wait for it', async () => {
  let asked = 0
  const silent: Resolve = () => void asked++
  const sending = sender('test', { resolve: silent, waitMs: 100 })
  const all = await Promise.all([1, 2, 3].map(() => sending.send('http://hooks.example/', {}, body)))
  deepEqual(
    all.map((it) => it.error),
    ['no reply within 0.1 s', 'no reply within 0.1 s', 'no reply within 0.1 s'],
  )
  equal(asked, 1)
})
