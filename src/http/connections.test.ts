import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { waitUntil } from '../../test/support/wait-until.ts'
import { watchConnections } from './connections.ts'

/** A server whose replies are counted as unread; the size of a reply is its path. */
async function openServer({ checkEveryMs = 1_000, stalledAfterChecks = 60, isEnded = false } = {}) {
  /** The sizes of replies whose connection was closed. */
  const cut: number[] = []
  const sockets: Socket[] = []
  const server = createServer((request, response: ServerResponse) => {
    const bytes = Number(request.url!.slice(1))
    response.once('close', () => cut.push(bytes))
    connections.addReply(response, bytes)
    if (isEnded) response.end(Buffer.alloc(bytes))
  })
  const connections = watchConnections(server, { isTls: false, checkEveryMs, stalledAfterChecks })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const it of sockets) it.destroy()
    connections.stop()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  /** Asks for a reply of this size and does not read it. */
  const ask = async (bytes: number, times = 1): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET /${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times))
    return socket
  }
  return { connections, cut, ask }
}

const megabyte = 1024 * 1024

test('a client that stops reading a reply is disconnected', async () => {
  const { connections, ask } = await openServer({ checkEveryMs: 50, stalledAfterChecks: 10, isEnded: true })
  await ask(32 * megabyte)
  await waitUntil(() => connections.count() === 1, { what: 'the connection is open' })
  await waitUntil(() => connections.count() === 0, { what: 'the stalled connection is closed' })
})

test('a client that reads slowly is not disconnected', async () => {
  const { connections, ask } = await openServer({ checkEveryMs: 100, stalledAfterChecks: 15, isEnded: true })
  const socket = await ask(32 * megabyte)
  let received = 0
  for (let turn = 0; turn < 8; turn++) {
    await new Promise((done) => setTimeout(done, 500))
    received += (socket.read(megabyte) as Buffer | null)?.length ?? 0
  }
  ok(received > 0)
  equal(connections.count(), 1)
})

test('a process that gets no processor for a while does not disconnect its clients', async () => {
  const { connections, ask } = await openServer({ checkEveryMs: 50, stalledAfterChecks: 10, isEnded: true })
  await ask(32 * megabyte)
  await waitUntil(() => connections.count() === 1, { what: 'the connection is open' })
  for (let turn = 0; turn < 3; turn++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
    await new Promise((done) => setTimeout(done, 60))
  }
  equal(connections.count(), 1)
})

test('pipelined replies that are not read are limited for each connection', async () => {
  const { connections, cut, ask } = await openServer()
  await ask(megabyte, 3)
  await waitUntil(() => connections.count() === 1, { what: 'the first client is connected' })
  await ask(megabyte + 1, 10)
  await waitUntil(() => cut.length > 0, { what: 'the connection with ten megabytes is closed' })
  deepEqual(new Set(cut), new Set([megabyte + 1]))
  equal(connections.count(), 1)
})

test('unread replies are limited in all: the connection with most of them is closed', async () => {
  const { connections, cut, ask } = await openServer()
  for (const size of [30, 60, 50]) await ask(size * megabyte)
  await waitUntil(() => cut.length > 0, { what: 'one of three is closed' })
  deepEqual(cut, [60 * megabyte])
  equal(connections.count(), 2)
})
