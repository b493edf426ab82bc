import { deepEqual, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { loadUntilRefused } from '../../test/support/load.ts'
import { elapsedMs } from '../base/clock.ts'
import { watchConnections } from './connections.ts'
import { openDrain } from './drain.ts'

/** A server with the hooks of draining that `server.ts` has. */
async function openServer() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (drain.isDraining && connections.isLast(request, response)) response.setHeader('connection', 'close')
      if (drain.held) void drain.held.then(() => response.end('{}'))
      else response.end('{}')
    })
  })
  const connections = watchConnections(server, { isTls: false })
  const drain = openDrain(server, { connections, onPortClosed: () => undefined })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    drain,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => connections.stop(),
  }
}

/** Neither the server nor its callers run for this time, as on a machine without free processors. */
function starve(forMs: number): void {
  const until = elapsedMs() + forMs
  while (elapsedMs() < until);
}

test('a drain on a machine without free processors loses no call', async () => {
  const { drain, url, stop } = await openServer()
  let answered = 0
  const load = loadUntilRefused(url, { callers: 8, headers: {}, onReply: () => answered++ })
  const starving = setInterval(() => starve(300), 5)
  await drain.run({ forMs: 1_000, endsEarly: true })
  clearInterval(starving)
  deepEqual((await load).lost, [])
  ok(answered > 0)
  stop()
})
