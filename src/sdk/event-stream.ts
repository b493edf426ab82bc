// The stream of events with resume: after a lost connection it continues behind the last event it returned.

import { BozorConnectionError, BozorError } from './errors.ts'
import type { Event } from './schema.ts'
import { backoffMs, type Call, pause, type Transport } from './transport.ts'

export interface StreamOptions {
  /** Event names separated by commas, with `*` for any letters: `Offer*,cart.*`. */
  type?: string
  subject?: string
  /** Continue behind this event. */
  lastEventId?: string
  signal?: AbortSignal
  /** Reconnect when nothing arrives for this long; the server sends something every 15 seconds. 45 000 by default. */
  silenceMs?: number
}

/** A stream is one long response, so the deadline of a request does not apply to it. */
const streamTimeoutMs = 2 ** 31 - 1
const defaultSilenceMs = 45_000
/** Refusals that end by themselves: the server restarts, or has too many requests. */
const passingStatuses = [429, 502, 503, 504]

/** A stream that never opened throws; one that was open reconnects until `signal` is aborted. */
export async function* eventStream(transport: Transport, options: StreamOptions): AsyncGenerator<Event> {
  const { signal, type, subject, silenceMs = defaultSilenceMs } = options
  let { lastEventId } = options
  let wasOpen = false
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      const response = await transport.send(callOf({ signal, type, subject, lastEventId }))
      wasOpen = true
      for await (const { id, data } of blocksOf(response, silenceMs)) {
        failures = 0
        lastEventId = id ?? lastEventId
        if (data) yield JSON.parse(data) as Event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof SyntaxError)
        throw new BozorConnectionError('the stream is not readable', { cause: error })
      const isRefused = error instanceof BozorError && !passingStatuses.includes(error.status)
      if (!wasOpen || isRefused) throw error
    }
    await pause(backoffMs(failures), signal).catch(() => undefined)
  }
}

type Position = { [Name in keyof StreamOptions]: StreamOptions[Name] | undefined }

const callOf = ({ signal, type, subject, lastEventId }: Position): Call => ({
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
})

/** The blocks of server-sent events. A block without data only moves the position. */
async function* blocksOf(
  response: Response,
  silenceMs: number,
): AsyncGenerator<{ id: string | undefined; data: string }> {
  let rest = ''
  for await (const part of partsOf(response, silenceMs)) {
    const blocks = (rest + part).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const values = (name: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart())
      yield { id: values('id').at(-1), data: values('data').join('\n') }
    }
  }
}

/** Not `for await` over the body: Safari cannot. */
async function* partsOf(response: Response, silenceMs: number): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const close = () => reader.cancel().catch(() => undefined)
  try {
    for (;;) {
      // A connection that is lost without a sign, such as after a laptop slept, would be silent forever.
      const timer = setTimeout(() => void close(), silenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    await close()
  }
}
