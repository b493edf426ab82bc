// A subscriber of the event stream, like EventSource in a browser.

import { after } from 'node:test'

export interface StreamClient {
  status: number
  headers: Headers
  /** Events received so far. */
  received: { id: string; event: string; data: string }[]
  /** The text as received, with comments and settings. */
  raw(): string
  ended: Promise<void>
  disconnect(): void
}

export async function follow(
  url: string,
  { key, query = '', lastEventId }: { key: string; query?: string; lastEventId?: string | undefined },
): Promise<StreamClient> {
  const line = new AbortController()
  after(() => line.abort())
  const reply = await fetch(`${url}/v1/events/stream${query}`, {
    signal: line.signal,
    headers: { authorization: `Bearer ${key}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
  })
  const received: StreamClient['received'] = []
  let raw = ''
  let rest = ''
  const read = async () => {
    for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
      raw += piece
      rest += piece
      const blocks = rest.split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split('\n').map((it) => it.split(/: (.*)/s, 2)))
        if (fields['data']) received.push(fields as StreamClient['received'][number])
      }
    }
  }
  const ended = read().catch(() => {})
  return {
    status: reply.status,
    headers: reply.headers,
    received,
    raw: () => raw,
    ended,
    disconnect: () => line.abort(),
  }
}
