// The stream of events with resume: after a lost connection it continues behind the last event it returned.

import { BozorConnectionError } from './errors.ts'
import type { Event } from './schema.ts'
import type { Call, Transport } from './transport.ts'

export interface StreamOptions {
  /** Event names separated by commas, with `*` for any letters: `Offer*,cart.*`. */
  type?: string
  subject?: string
  /** Continue behind this event. */
  lastEventId?: string
  signal?: AbortSignal
}

const reconnectPauseMs = 1_000
/** A stream is one long response, so the deadline of a request does not apply to it. */
const streamTimeoutMs = 2 ** 31 - 1

export async function* eventStream(transport: Transport, options: StreamOptions): AsyncGenerator<Event> {
  let lastEventId = options.lastEventId
  const { signal, type, subject } = options
  while (!signal?.aborted) {
    const call: Call = {
      method: 'GET',
      path: '/v1/events/stream',
      query: { type, subject },
      options: {
        timeoutMs: streamTimeoutMs,
        ...(signal && { signal }),
        headers: { Accept: 'text/event-stream', ...(lastEventId && { 'Last-Event-ID': lastEventId }) },
      },
      hasKey: false,
      isSafe: true,
    }
    const response = await transport.send(call)
    try {
      for await (const event of eventsOf(response)) {
        lastEventId = event.id
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof SyntaxError)
        throw new BozorConnectionError('the stream is not readable', { cause: error })
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectPauseMs))
  }
}

async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let rest = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n')
      if (data) yield JSON.parse(data) as Event
    }
  }
}
