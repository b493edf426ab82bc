// Records what the SDK sends and receives, by operation: the first successful call of each operation becomes its example.

import { elapsedMs } from '../../src/base/clock.ts'
import { type Bozor, type BozorOptions, createBozor } from '../../src/sdk/index.ts'
import { operations } from '../../src/sdk/operations.ts'
import { type ExampleNeed, type RecordedCall } from '../../src/http/openapi.ts'
import { prerequisites } from './prerequisites.ts'
import { Provenance } from './provenance.ts'

interface Row {
  name: string
  method: string
  path: string
  form: RegExp
  params: string[]
  /** The body is one JSON value, and not text of an upload. */
  hasJsonBody: boolean
}

const rows: Row[] = operations.split('\n').map((row) => {
  const [name = '', method = '', path = '', flags = ''] = row.split(' ')
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, it]) => it!)
  const form = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
  return { name, method, path, form, params, hasJsonBody: flags.includes('b') }
})

/** A call that was just recorded, with the credentials it was sent with. */
export interface Executed {
  name: string
  call: RecordedCall
  headers: Record<string, string>
  cookies: ReadonlyMap<string, string>
  /** Who has the session of the cookies. */
  signedIn: SignedIn | undefined
}

export interface SignedIn {
  login: string
  password: string
}

/** The sign-in after a call: what opened a session, or changed the password of it. */
function signedInBy(path: string, body: unknown, before: SignedIn | undefined): SignedIn | undefined {
  if (
    typeof body !== 'string' ||
    !/^\/v1\/(auth\/(register|login|password)|admin\/(sessions|me\/password))$/.test(path)
  )
    return before
  const { login, email, phone, password, new_password } = JSON.parse(body) as Record<string, string>
  return { login: login ?? email ?? phone ?? before!.login, password: new_password ?? password! }
}

export class Recorder {
  readonly calls = new Map<string, RecordedCall>()
  readonly #url: string
  readonly #provenance = new Provenance()
  readonly #signedIn = new WeakMap<ReadonlyMap<string, string>, SignedIn>()
  readonly #executed: ((it: Executed) => Promise<void>) | undefined

  /** `executed` is awaited after the first successful call of each operation. */
  constructor(url: string, executed?: (it: Executed) => Promise<void>) {
    this.#url = url
    this.#executed = executed
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
        const sentCookies = new Map(cookies)
        const reply = await fetch(input as string, { ...init, headers })
        for (const line of reply.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]!.split('=')
          if (value) cookies.set(name, value)
          else cookies.delete(name)
        }
        if (!reply.ok) return reply
        const { pathname } = new URL(input as string)
        const signedIn = signedInBy(pathname, init.body, this.#signedIn.get(cookies))
        if (signedIn) this.#signedIn.set(cookies, signedIn)
        const recorded = this.#record(new URL(input as string), { ...init, headers }, reply.clone())
        // The first event of a stream comes after the caller got the reply.
        if (isEventStream(reply)) return reply
        const name = await recorded
        const call = name && this.calls.get(name)
        if (call) await this.#executed?.({ name, call, headers, cookies: sentCookies, signedIn })
        return reply
      },
    })
  }

  /** The name of the operation if this is its first call. */
  async #record(
    url: URL,
    { method = 'GET', body, headers }: RequestInit,
    reply: Response,
  ): Promise<string | undefined> {
    const rank = (it: Row) => it.params.length
    const matching = rows.filter((it) => it.method === method && it.form.test(url.pathname))
    const row = matching.toSorted((a, b) => rank(a) - rank(b))[0]
    if (!row) return undefined
    const values = row.form.exec(url.pathname)!.slice(1).map(decodeURIComponent)
    const query = Object.fromEntries(url.searchParams)
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    const text = await (isEventStream(reply) ? firstEvent(reply) : reply.text())
    const data = isJson ? dataOf(JSON.parse(text)) : firstLines(text)
    const params = Object.fromEntries(row.params.map((it, at) => [it, values[at]!]))
    const given = typeof body === 'string' && row.hasJsonBody ? (JSON.parse(body) as unknown) : body
    const sent = { params, query, body: given }
    const isFirst = !this.calls.has(row.name)
    const credential = credentialOf(headers as Record<string, string>)
    const own = ownHeaders(headers as Record<string, string>)
    const needs = isFirst ? needsOf(row, credential, this.#provenance.needsOf(row.path, sent)) : []
    this.#provenance.learn(row, sent, data)
    if (!isFirst) return undefined
    this.calls.set(row.name, {
      ...(values.length > 0 && { params }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(typeof body === 'string' && { body: given }),
      status: reply.status,
      reply: data,
      ...(credential && { credential }),
      ...(own && { headers: own }),
      ...(needs.length > 0 && { needs }),
    })
    return row.name
  }
}

/** Without a key, the cookie decides. */
function credentialOf(headers: Record<string, string>): RecordedCall['credential'] {
  if (headers['Authorization']) return 'key'
  if (!headers['cookie']) return undefined
  return headers['cookie'].includes('bozor_member') ? 'member' : 'client'
}

/** Headers by which an acquirer signs. */
function ownHeaders(headers: Record<string, string>): Record<string, string> | undefined {
  const own = Object.entries(headers).filter(([name]) => name.endsWith('-Signature'))
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

const signIns = { key: [], client: ['auth.login'], member: ['memberSessions.create'] }

/** Signing in, states, then objects; each operation once. */
function needsOf(
  { name }: Row,
  credential: RecordedCall['credential'],
  objects: ExampleNeed[],
): ExampleNeed[] {
  const states = [...signIns[credential ?? 'key'], ...(prerequisites[name] ?? [])]
  const others = states
    .map((it): ExampleNeed => (typeof it === 'string' ? { operation: it } : it))
    .filter((it) => objects.every(({ operation }) => operation !== it.operation))
  const firstOfField = objects.filter((it, at) => objects.findIndex(({ field }) => field === it.field) === at)
  return [...others, ...firstOfField]
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
