// The client: one method per operation of the API, built from the generated table.

import { BozorConnectionError } from './errors.ts'
import { eventStream, type StreamOptions } from './event-stream.ts'
import { operations } from './operations.ts'
import { pagedList, type PagedList } from './pages.ts'
import type { Event, Operations, Pagination } from './schema.ts'
import { type BozorOptions, type Call, type Method, type RequestOptions, Transport } from './transport.ts'

type Names = keyof Operations & string
type Resource<Name extends string> = Name extends `${infer R}.${string}` ? R : never
type Verb<R extends string> = Extract<Names, `${R}.${string}`> extends `${R}.${infer V}` ? V : never

type Args<Input> = {} extends Input
  ? [input?: Input, options?: RequestOptions]
  : [input: Input, options?: RequestOptions]

type Reply<Name extends Names> = Operations[Name] extends { item: infer Item }
  ? PagedList<Item, Operations[Name]['reply']>
  : Promise<Operations[Name]['reply']>

export type Operation<Name extends Names> = (...args: Args<Operations[Name]['input']>) => Reply<Name>

type Resources = {
  [R in Resource<Names>]: { [V in Verb<R>]: `${R}.${V}` extends Names ? Operation<`${R}.${V}`> : never }
}

export type Bozor = Omit<Resources, 'events'> & {
  events: Omit<Resources['events'], 'stream'> & {
    /** Follows events as they happen and reconnects by itself. */
    stream(options?: StreamOptions): AsyncGenerator<Event>
  }
}

/** Creates a client. It holds no connection and needs no closing. */
export function createBozor(options: BozorOptions): Bozor {
  if (!/^https?:$/.test(URL.canParse(options.baseUrl) ? new URL(options.baseUrl).protocol : ''))
    throw new TypeError(
      `baseUrl must be the origin of a server, such as https://shop.example, not "${options.baseUrl}"`,
    )
  const transport = new Transport(options)
  const resources: Record<string, Record<string, unknown>> = {}
  for (const row of operations.split('\n')) {
    const [name = '', method = 'GET', path = '', flags = '', query = '', list = ''] = row.split(' ')
    const [resource = '', verb = ''] = name.split('.')
    const operation = { method: method as Method, path, flags, query: query.split(','), list }
    resources[resource] ??= {}
    resources[resource][verb] = (input: Input = {}, request: RequestOptions = {}) =>
      run(transport, operation, { input, request })
  }
  resources['events']!['stream'] = (stream: StreamOptions = {}) => eventStream(transport, stream)
  return resources as unknown as Bozor
}

type Input = Record<string, unknown>

interface Row {
  method: Method
  path: string
  /** `b`: has a JSON body; `e`: the reply has an envelope; `k`: takes an Idempotency-Key; `s`: safe to repeat; `n`: the body is NDJSON. */
  flags: string
  /** Names of query parameters; the other fields of the input are the body. */
  query: string[]
  /** The field of `data` that holds the items of a list. */
  list: string
}

function run(transport: Transport, row: Row, { input, request }: { input: Input; request: RequestOptions }) {
  const call = callOf(row, input, request)
  const load = async (sent: Call) => {
    const body = await transport.json(sent)
    return row.flags.includes('e') ? dataOf(body, sent) : body
  }
  if (!row.list) return load(call)
  return pagedList(async (cursor) => {
    const query = cursor ? { ...call.query, page: undefined, cursor } : { ...call.query }
    const data = (await load({ ...call, query })) as Record<string, unknown> & { pagination: Pagination }
    return { items: data[row.list] as unknown[], pagination: data.pagination, data }
  })
}

/** A reply without the envelope is not of the API: a proxy, a sign-in page of a network, or another server. */
function dataOf(body: unknown, { method, path }: Call): unknown {
  if (typeof body === 'object' && body !== null && 'data' in body) return body.data
  throw new BozorConnectionError(`${method} ${path}: the reply is not one of this API; check baseUrl`)
}

function callOf({ method, path, flags, query }: Row, input: Input, options: RequestOptions): Call {
  const rest = { ...input }
  const take = (name: string): unknown => {
    const value = rest[name]
    delete rest[name]
    return value
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = take(name)
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`)
    return encodeURIComponent(String(value))
  })
  const parameters = Object.fromEntries(query.map((name) => [name, take(name)]))
  const unknown = Object.keys(rest)
  if (!flags.includes('b') && unknown.some((name) => name !== 'body'))
    throw new TypeError(`${method} ${path} has no field ${unknown.join(', ')}`)
  return {
    method,
    path: filled,
    query: parameters,
    ...(flags.includes('b') ? { body: rest } : rest['body'] !== undefined && { body: rest['body'] }),
    options,
    hasKey: flags.includes('k'),
    isSafe: flags.includes('s'),
    ...(flags.includes('n') && { contentType: 'application/x-ndjson' }),
  }
}
