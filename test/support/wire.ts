// Bytes on a bare socket, for requests that no decent client can be made to send.

import { connect, type Socket } from 'node:net'

export interface WireReply {
  status: number
  headers: Map<string, string>
  text: string
  // A test looks where it expects something; a wrong guess fails it at once.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** A connection on which a test says what it likes and reads what comes back. */
export interface Line {
  readonly socket: Socket
  say(bytes: string | Uint8Array): Promise<void>
  /** The next reply. Fails when the other side hangs up before it is whole. */
  hear(options?: { withoutBody?: boolean }): Promise<WireReply>
  /** Returns when the other side has hung up. */
  hungUp(): Promise<void>
}

export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  // Its own side stays open when the other hangs up, as with a caller who means harm.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  await new Promise<void>((done, failed) => socket.once('connect', done).once('error', failed))
  let heard = Buffer.alloc(0)
  let over = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const it of waiting) it()
    waiting.clear()
  }
  socket.on('data', (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes])
    wake()
  })
  // A reset is one way of hanging up.
  socket.on('error', () => {})
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      over = true
      wake()
    })
  const something = () => new Promise<void>((done) => waiting.add(done))

  return {
    socket,
    say: (bytes) => new Promise((done) => (socket.writable ? socket.write(bytes, () => done()) : done())),
    async hear({ withoutBody = false } = {}) {
      for (;;) {
        const cut = cutReply(heard, withoutBody)
        if (cut) {
          heard = heard.subarray(cut.length)
          return cut.reply
        }
        if (over) throw new Error(`the line went dead after ${JSON.stringify(heard.toString())}`)
        await something()
      }
    },
    async hungUp() {
      while (!over) await something()
    },
  }
}

/** Says one thing, hears one reply, and hangs up. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<WireReply> {
  const line = await openLine(url)
  try {
    await line.say(bytes)
    return await line.hear()
  } finally {
    line.socket.destroy()
  }
}

/** The text of a request with these headers; the bearer's key goes in when given. */
export const requestText = (
  start: string,
  headers: Record<string, string | string[]> = {},
  body = '',
): string => {
  const all = { Host: 'shop.example', ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().map((it) => `${name}: ${it}`))
  return [`${start} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

function cutReply(heard: Buffer, withoutBody: boolean): { reply: WireReply; length: number } | undefined {
  const end = heard.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = heard.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(lines.map((it) => [it.split(':')[0]!.toLowerCase(), it.replace(/^[^:]*:\s*/, '')]))
  const status = Number(first.split(' ')[1])
  const size = withoutBody ? 0 : Number(headers.get('content-length') ?? 0)
  const from = end + 4
  if (heard.length < from + size) return undefined
  const text = heard.subarray(from, from + size).toString()
  const body =
    text && headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined
  return { reply: { status, headers, text, body }, length: from + size }
}
