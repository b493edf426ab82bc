// What a recommendation costs, beside a bare server that sends as many bytes.

import { bareServer } from './bare.ts'
import { post } from './busy-shop.ts'
import { load } from './load.ts'
import { measure, type Measured } from './measure.ts'

export const recommendPath = '/offers/recommended/v3'

/** A new process is slower until its code is compiled. */
const warmUpSeconds = 20

interface Calls {
  ours: Measured
  floor: Measured
  /** Of one reply. */
  bytes: number
}

/** Two connections without pause. */
export async function measureCalls(
  url: string,
  pids: () => number[],
  request: (number: number) => string,
): Promise<Calls> {
  const call = { request, expect: 200, connections: 2 }
  await load({ url, ...call, seconds: warmUpSeconds })
  const ours = await measure(url, pids, call)
  const bytes = (await replyTo(url, request(1))).length
  const floor = await bareServer('fastify', bytes, { request: post('/', '{}'), connections: 2 })
  return { ours, floor, bytes }
}

/** The body of the reply to a request as it is sent on a connection. */
export async function replyTo(url: string, request: string): Promise<Buffer> {
  const body = request.slice(request.indexOf('\r\n\r\n') + 4)
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url + recommendPath, { method: 'POST', headers, body })
  return Buffer.from(await reply.arrayBuffer())
}
