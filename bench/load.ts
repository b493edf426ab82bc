// A closed loop of requests over kept connections: each connection sends its next request when the last reply is
// complete. Or a steady pace, at which a call that waits for a free connection counts as in progress.

import { connect } from 'node:net'

export interface Load {
  url: string
  connections: number
  seconds: number
  /** The whole request, byte for byte. */
  request(number: number): string
  /** Statuses that are no failure. */
  expect: number | readonly number[]
  /** Called with the status and the head of every reply. */
  onReply?: (status: number, head: string) => void
  /** No more requests than this. */
  most?: number
  /** Ends early when this returns true. */
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
  p999Ms: number
}

/** How late a timer may be without any load. */
const timerSlackMs = 2

export async function load(options: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(options.url)
  const began = performance.now()
  const until = began + options.seconds * 1000
  const { most = Infinity, perSecond = Infinity } = options
  const dueOf = (number: number) => began + (number * 1000) / perSecond
  const isOver = () => performance.now() >= until || sent >= most || options.until?.()
  const expected = [options.expect].flat()
  const times: number[] = []
  let sent = 0
  /** Connections that wait for the next call of the pace, used in turn so that none is closed as idle; one timer serves all. */
  const idle: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  const wake = () => {
    timer = undefined
    while (idle.length > 0 && (isOver() || performance.now() >= dueOf(sent))) idle.shift()!()
    if (idle.length > 0) timer ??= setTimeout(wake, Math.max(0, dueOf(sent) - performance.now()))
  }
  const loop = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(Number(port), hostname)
      socket.setNoDelay(true)
      let started = 0
      let received = ''
      const next = () => {
        if (isOver()) return void socket.end(() => done())
        const lateMs = performance.now() - dueOf(sent)
        if (lateMs < 0) {
          idle.push(next)
          timer ??= setTimeout(wake, -lateMs)
          return
        }
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
        if (!expected.includes(status))
          return fail(new Error(`got ${status}: ${received.slice(head + 4, head + 400)}`))
        options.onReply?.(status, received.slice(0, head))
        received = ''
        times.push(performance.now() - started)
        next()
      })
    })
  await Promise.all(Array.from({ length: options.connections }, loop))
  return resultOf(times, (performance.now() - began) / 1000)
}

function resultOf(times: number[], seconds: number): LoadResult {
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  const quantiles = { p50Ms: at(0.5), p90Ms: at(0.9), p99Ms: at(0.99), p999Ms: at(0.999) }
  return { requests: times.length, perSecond: times.length / seconds, ...quantiles }
}
