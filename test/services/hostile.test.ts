// Requests that no client should send, against one server: no reply is a 5xx, and each refusal has the standard format.
// nightly

import { deepEqual, equal } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { seededRandom } from '../../src/ml/random.ts'
import { startServer, temporaryFolder } from '../support/process.ts'
import { callAt } from '../support/shop.ts'
import { withDeadline } from '../support/wait-until.ts'
import { hostileRequest, readOperations } from './hostile-requests.ts'
import { isShort, addUnlimitedStock } from './nodes.ts'

/** The short form ends after its time on a busy machine; the printed number says how many there were. */
const mostRequests = Number(process.env['SERVICES_REQUESTS'] ?? (isShort ? 5_000 : 50_000))
const longestMs = isShort ? 60_000 : Infinity
const seed = Number(process.env['SERVICES_SEED'] ?? Date.now() % 1_000_000)
const connections = 8
const printedFaults = 10
const printedBytes = 600

/** Exports that run one at a time refuse a second one with 503 and Retry-After. */
const oneAtATime = /^\w+ \/v1\/recommendations\/training-data\/features\./

/** What a reply must not reveal. */
const internals =
  /node_modules|\/src\/\w+\/|\n {4}at |SQLSTATE|syntax error at or near|violates \w+ constraint/

/** Sends the bytes and returns everything the server sent until it closed the connection. */
function exchange(port: number, bytes: Buffer, isGarbage: boolean): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk)
      // A stream of events goes on until the client leaves.
      if (received.length === 1 && chunk.includes('text/event-stream')) socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close while a request that it refuses is still being sent.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') failed(error)
    })
    socket.on('close', () => done(Buffer.concat(received).toString()))
    socket.write(bytes)
    if (isGarbage) socket.end()
  })
}

/** What is wrong with a reply, if anything. */
function faultOf(reply: string, bytes: Buffer, isGarbage: boolean): string | undefined {
  if (reply === '') return isGarbage ? undefined : 'no reply'
  const status = statusOf(reply)
  if (status === 503 && /retry-after: \d/i.test(reply) && oneAtATime.test(bytes.toString())) return undefined
  if (status >= 500) return `status ${status}`
  if (internals.test(reply)) return 'internals in a reply'
  if (status < 400) return undefined
  const [head = '', text = ''] = reply.split('\r\n\r\n')
  if (text === '' || !/content-type: application\/json/i.test(head)) return undefined
  const { error } = JSON.parse(text) as { error?: string | { code?: string; message?: string } }
  const isStandard = typeof error === 'string' || (error?.code !== undefined && error.message !== undefined)
  return isStandard ? undefined : 'a refusal without the standard format'
}

const statusOf = (reply: string) => Number(reply.slice(9, 12))

test('no hostile request gets a 5xx, and the server works on', async (t) => {
  t.diagnostic(`SERVICES_SEED=${seed}`)
  const server = await startServer({ DATA_DIR: temporaryFolder(), STOREFRONT: 'off', LOG_LEVEL: 'error' })
  const { live, test: testKey } = server.keys
  await addUnlimitedStock(server, live)
  await addUnlimitedStock(server, testKey)
  const port = Number(new URL(server.url).port)
  const random = seededRandom(seed)
  const operations = readOperations()
  const faults: string[] = []
  const statuses: Record<string, number> = {}
  const startedMs = performance.now()
  let sent = 0
  const sendMany = async () => {
    while (sent < mostRequests && performance.now() - startedMs < longestMs) {
      sent++
      const { bytes, isGarbage } = hostileRequest(random, operations, [live, testKey, testKey])
      const reply = await withDeadline(exchange(port, bytes, isGarbage), `a reply to ${printed(bytes)}`)
      const status = reply === '' ? 'closed' : String(statusOf(reply))
      statuses[status] = (statuses[status] ?? 0) + 1
      const fault = faultOf(reply, bytes, isGarbage)
      if (fault && faults.length < printedFaults)
        faults.push(`${fault}: ${printed(bytes)} => ${reply.slice(-printedBytes)}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendMany))
  deepEqual(faults, [])
  const perSecond = (sent * 1_000) / (performance.now() - startedMs)
  t.diagnostic(`${sent} requests to ${operations.length} operations, ${perSecond.toFixed(0)} per second`)
  t.diagnostic(`replies: ${JSON.stringify(statuses)}`)
  // A list, because a request that was well formed by chance may have deleted any single record.
  for (const key of [live, testKey])
    equal((await callAt(server.url, 'GET', '/v1/catalog/categories?per_page=1', { key })).status, 200)
  equal(server.output().includes('request failed'), false, 'no request failed by a defect')
  equal(await server.end('SIGTERM'), 0)
})

const printed = (bytes: Buffer) => JSON.stringify(bytes.subarray(0, printedBytes).toString())
