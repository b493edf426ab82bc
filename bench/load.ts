// A closed loop of requests over kept connections: each sends its next request when the last reply is whole; or a steady
// pace, at which a call that has to wait for its turn counts as under way.

import { connect } from 'node:net'

export interface Load {
  url: string
  connections: number
  seconds: number
  /** The whole request, byte for byte. */
  request(number: number): string
  /** Statuses that are no failure. */
  expect: number
  /** No more requests than this. */
  most?: number
  /** Ends before its time when this says so. */
  until?: () => boolean
  /** A steady pace over all connections; as fast as replies come when left out. */
  perSecond?: number
}

export interface LoadResult {
  requests: number
  perSecond: number
  p50Ms: number
  p90Ms: number
  p99Ms: number
}

/** By so much a timer may be late of itself. */
const timerSlackMs = 2

export async function load(options: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(options.url)
  const began = performance.now()
  const until = began + options.seconds * 1000
  const { most = Infinity, perSecond = Infinity } = options
  const dueOf = (number: number) => began + (number * 1000) / perSecond
  const times: number[] = []
  let sent = 0
  const loop = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(Number(port), hostname)
      socket.setNoDelay(true)
      let started = 0
      let received = ''
      const next = () => {
        const isOver = performance.now() >= until || sent >= most || options.until?.()
        if (isOver) return void socket.end(() => done())
        const lateMs = performance.now() - dueOf(sent)
        if (lateMs < 0) return void setTimeout(next, -lateMs)
        started = performance.now() - (perSecond < Infinity && lateMs > timerSlackMs ? lateMs : 0)
        socket.write(options.request(sent++))
      }
      socket.on('connect', next)
      socket.on('error', fail)
      socket.setEncoding('latin1')
      socket.on('data', (chunk: string) => {
        received += chunk
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
        if (received.length < head + 4 + length) return
        const status = Number(received.slice(9, 12))
        if (status !== options.expect)
          return fail(new Error(`got ${status}: ${received.slice(head + 4, head + 400)}`))
        received = ''
        times.push(performance.now() - started)
        next()
      })
    })
  await Promise.all(Array.from({ length: options.connections }, loop))
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  const quantiles = { p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99) }
  return { requests: times.length, perSecond: times.length / seconds, ...quantiles }
}
