// Records what the SDK sends and receives, by operation: the first successful call of each operation becomes its example.

import { elapsedMs } from '../../src/base/clock.ts'
import { type Bozor, type BozorOptions, createBozor } from '../../src/sdk/index.ts'
import { operations } from '../../src/sdk/operations.ts'

/** One call of an operation, as it goes over the wire. */
export interface RecordedCall {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  status: number
  reply: unknown
}

interface Row {
  name: string
  method: string
  form: RegExp
  params: string[]
  /** The body is one JSON value, and not text of an upload. */
  hasJsonBody: boolean
}

const rows: Row[] = operations.split('\n').map((row) => {
  const [name = '', method = '', path = '', flags = ''] = row.split(' ')
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, it]) => it!)
  const form = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
  return { name, method, form, params, hasJsonBody: flags.includes('b') }
})

export class Recorder {
  readonly calls = new Map<string, RecordedCall>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** A client of the SDK whose calls are recorded. Cookies of its replies are sent back, as a browser does. */
  client(options: Omit<BozorOptions, 'baseUrl' | 'fetch'> = {}, cookies = new Map<string, string>()): Bozor {
    return createBozor({
      baseUrl: this.#url,
      language: 'en',
      timeoutMs: 600_000,
      ...options,
      fetch: async (input, init = {}) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const headers = {
          ...(init.headers as Record<string, string>),
          ...(cookie && { cookie, origin: this.#url }),
        }
        const reply = await fetch(input as string, { ...init, headers })
        for (const line of reply.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]!.split('=')
          if (value) cookies.set(name, value)
          else cookies.delete(name)
        }
        // The first event of a stream comes after the caller got the reply.
        if (reply.ok && isEventStream(reply)) void this.#record(new URL(input as string), init, reply.clone())
        else if (reply.ok) await this.#record(new URL(input as string), init, reply.clone())
        return reply
      },
    })
  }

  async #record(url: URL, { method = 'GET', body }: RequestInit, reply: Response): Promise<void> {
    const rank = (it: Row) => it.params.length
    const matching = rows.filter((it) => it.method === method && it.form.test(url.pathname))
    const row = matching.toSorted((a, b) => rank(a) - rank(b))[0]
    if (!row || this.calls.has(row.name)) return
    const values = row.form.exec(url.pathname)!.slice(1).map(decodeURIComponent)
    const query = Object.fromEntries(url.searchParams)
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    const text = await (isEventStream(reply) ? firstEvent(reply) : reply.text())
    this.calls.set(row.name, {
      ...(values.length > 0 && { params: Object.fromEntries(row.params.map((it, at) => [it, values[at]!])) }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(typeof body === 'string' && { body: row.hasJsonBody ? (JSON.parse(body) as unknown) : body }),
      status: reply.status,
      reply: isJson ? dataOf(JSON.parse(text)) : firstLines(text),
    })
  }
}

const isEventStream = (reply: Response): boolean =>
  reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false

/** A stream does not end; its first event is the example. */
async function firstEvent(reply: Response): Promise<string> {
  let text = ''
  for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    const [event] = /(^|\n)id:[^]*?\n\n/.exec(text) ?? []
    if (event !== undefined) return event.trimStart()
  }
  return text
}

/** The envelope is the same for all and is added when the example is shown. */
const dataOf = (reply: unknown): unknown =>
  reply !== null && typeof reply === 'object' && 'success' in reply
    ? (reply as unknown as { data: unknown }).data
    : reply

const shownLines = 4
const firstLines = (text: string): string => text.split('\n').slice(0, shownLines).join('\n')

/** Resolves when `check` does not throw any more; what it returns is returned. */
export async function eventually<T>(what: string, check: () => Promise<T>, withinMs = 60_000): Promise<T> {
  const end = elapsedMs() + withinMs
  for (;;)
    try {
      return await check()
    } catch (error) {
      if (elapsedMs() > end) throw new Error(`waited in vain for ${what}`, { cause: error })
      await new Promise((wait) => setTimeout(wait, 50))
    }
}
