// N20, N21: clients that do not read their replies, pipeline without end, or open connections and send nothing.

import { equal, ok } from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { elapsedMs } from '../../src/base/clock.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const platform = await openPlatform()

const openSocket = async (): Promise<Socket> => {
  const { hostname, port } = new URL(platform.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await new Promise<void>((done) => socket.once('connect', done))
  // The client never reads.
  socket.pause()
  return socket
}

test('a hundred clients that pipeline large pages and never read cost little memory, and others are served', async () => {
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: shop.example\r\n\r\n'
  // The page is computed before memory is measured.
  await platform.call('GET', '/openapi.json', { headers: { host: 'shop.example' } })
  const before = process.memoryUsage().rss
  const sockets = await Promise.all(Array.from({ length: 100 }, openSocket))
  for (const socket of sockets) socket.write(request.repeat(8))
  const took: number[] = []
  for (let at = 0; at < 20; at++) {
    const startedMs = elapsedMs()
    equal((await platform.call('GET', '/healthz')).status, 200)
    took.push(elapsedMs() - startedMs)
  }
  const grownMb = (process.memoryUsage().rss - before) / 1e6
  for (const socket of sockets) socket.destroy()
  ok(grownMb < 250, `memory grew by ${Math.round(grownMb)} MB`)
  ok(took.toSorted((a, b) => a - b)[10]! < 5_000, `others waited ${took.map(Math.round).join(', ')} ms`)
})

test('a client that pipelines more than 64 requests is disconnected', async () => {
  const socket = await openSocket()
  let isClosed = false
  socket.once('close', () => (isClosed = true)).resume()
  socket.write('GET /v1/test/clock HTTP/1.1\r\nHost: shop.example\r\n\r\n'.repeat(500))
  await waitUntil(() => isClosed)
})

test('closing the server does not wait for a connection that has sent nothing', async () => {
  const other = await openPlatform()
  const { hostname, port } = new URL(other.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await new Promise<void>((done) => socket.once('connect', done))
  const startedMs = elapsedMs()
  await other.app.server.close()
  ok(elapsedMs() - startedMs < 9_000, 'it waited for the timeout of the headers')
  socket.destroy()
})
