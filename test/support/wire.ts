// Raw bytes over a socket, for requests that HTTP clients refuse to send.

import { connect, type Socket } from 'node:net'
import { withDeadline } from './wait-until.ts'

export interface WireReply {
  status: number
  headers: Map<string, string>
  text: string
  // Untyped: tests read the fields they expect, and a wrong name fails the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface RawConnection {
  readonly socket: Socket
  send(bytes: string | Uint8Array): Promise<void>
  /** The next reply. Fails if the server closes the connection before the reply is complete. */
  receive(options?: { withoutBody?: boolean }): Promise<WireReply>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
}

export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  // Half-open: the client side stays open after the server closes, as with a malicious caller.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  await new Promise<void>((done, failed) => socket.once('connect', done).once('error', failed))
  let received = Buffer.alloc(0)
  let over = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const it of waiting) it()
    waiting.clear()
  }
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    wake()
  })
  // A reset counts as a close.
  socket.on('error', () => {})
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      over = true
      wake()
    })
  const something = () =>
    withDeadline(
      new Promise<void>((done) => waiting.add(done)),
      'the server sends bytes or closes the connection',
    )

  return {
    socket,
    send: (bytes) => new Promise((done) => (socket.writable ? socket.write(bytes, () => done()) : done())),
    async receive({ withoutBody = false } = {}) {
      for (;;) {
        const cut = cutReply(received, withoutBody)
        if (cut) {
          received = received.subarray(cut.length)
          return cut.reply
        }
        if (over)
          throw new Error(
            `the connection closed before a complete reply; received ${JSON.stringify(received.toString())}`,
          )
        await something()
      }
    },
    async closed() {
      while (!over) await something()
    },
  }
}

/** Sends bytes, reads one reply and closes the connection. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<WireReply> {
  const connection = await openRawConnection(url)
  try {
    await connection.send(bytes)
    return await connection.receive()
  } finally {
    connection.socket.destroy()
  }
}

/** An HTTP/1.1 request as text. The caller adds Content-Length and Authorization where needed. */
export const requestText = (
  start: string,
  headers: Record<string, string | string[]> = {},
  body = '',
): string => {
  const all = { Host: 'shop.example', ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().map((it) => `${name}: ${it}`))
  return [`${start} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

function cutReply(received: Buffer, withoutBody: boolean): { reply: WireReply; length: number } | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(lines.map((it) => [it.split(':')[0]!.toLowerCase(), it.replace(/^[^:]*:\s*/, '')]))
  const status = Number(first.split(' ')[1])
  const size = withoutBody ? 0 : Number(headers.get('content-length') ?? 0)
  const from = end + 4
  if (received.length < from + size) return undefined
  const text = received.subarray(from, from + size).toString()
  const body =
    text && headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined
  return { reply: { status, headers, text, body }, length: from + size }
}
