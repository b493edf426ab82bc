// Requests that no client should send, made from the OpenAPI document: every operation, with ids, parameters, headers and
// bodies changed at random.

import { readFileSync } from 'node:fs'

type Random = () => number

interface Operation {
  method: string
  path: string
  query: string[]
  contentType: string | undefined
  example: unknown
}

interface Described {
  parameters?: { name?: string; in?: string }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

/** A reply without an end, which the test could not wait for. */
const streams = ['/v1/events/stream']
const methods = ['get', 'post', 'put', 'patch', 'delete']

export function readOperations(): Operation[] {
  const file = new URL('../../docs/openapi.json', import.meta.url)
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(paths)
    .filter(([path]) => !streams.includes(path))
    .flatMap(([path, item]) =>
      methods.filter((it) => item[it]).map((method) => operationOf(method, path, item[method]!)),
    )
}

function operationOf(method: string, path: string, described: Described): Operation {
  const [contentType, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? []
  const query = (described.parameters ?? []).filter((it) => it.in === 'query').map((it) => it.name!)
  return { method: method.toUpperCase(), path, query, contentType, example: content?.example }
}

const long = 'x'.repeat(10_000)
const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '01',
  'null',
  '9223372036854775808',
  '9007199254740993',
  '0.1',
  'NaN',
  '\0',
  'a\0b',
  'a\r\nX-Injected: 1',
  '%',
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  "'; drop table live.orders_orders; --",
  "' or '1'='1",
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '(a+)+$',
  '\\',
  '_%',
  '\u202Eقلب',
  '👩‍👩‍👧‍👦'.repeat(50),
  'A\u0300'.repeat(300),
  '\uD800',
  '__proto__',
  'constructor',
  'toString',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  'http://169.254.169.254/',
  long,
]
const plausible = ['1', '2', '900', '0192f0c1-6a53-7a53-9d1a-000000000011', 'phones', 'live', 'UZS']

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
const values: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.1,
  -0,
  1e21,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  Number.MIN_VALUE,
  [],
  {},
  [[]],
  [null],
  { __proto__: null, constructor: { prototype: { polluted: true } } },
  deep(200),
  Array.from({ length: 10_000 }, (_, at) => at),
  ...texts,
]
const malformed = [
  '',
  '{',
  '[1,]',
  '{"a":1e999}',
  '{"a":01}',
  '\uFEFF{}',
  'nul',
  '"',
  '{"a":"\u0001"}',
  '{}{}',
]
const headerNames = [
  'Accept-Language',
  'X-Currency',
  'X-Timezone',
  'X-Service-Region',
  'X-Client-Name',
  'X-Client-Version',
  'X-API-Version',
  'X-Request-ID',
  'X-Environment',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'traceparent',
  'Cookie',
  'Origin',
  'Accept',
  'Range',
  'Content-Encoding',
]

export interface HostileRequest {
  bytes: Buffer
  /** Bytes that are no HTTP: the sender closes its side, and the server may close without a reply. */
  isGarbage: boolean
}

export function hostileRequest(
  random: Random,
  operations: readonly Operation[],
  keys: string[],
): HostileRequest {
  if (random() < 0.03) return { bytes: garbage(random), isGarbage: true }
  const operation = pick(random, operations)
  const body = operation.contentType
    ? bodyOf(random, operation)
    : random() < 0.05
      ? Buffer.from('{}')
      : undefined
  const method =
    random() < 0.04 ? pick(random, ['HEAD', 'PUT', 'OPTIONS', 'DELETE', 'PURGE']) : operation.method
  const contentType =
    random() < 0.05 ? pick(random, contentTypes) : (operation.contentType ?? 'application/json')
  const head = [
    `${method} ${targetOf(random, operation)} HTTP/1.1`,
    'Host: shop.example',
    'Connection: close',
    ...credential(random, keys),
    ...(body ? [`Content-Type: ${contentType}`, `Content-Length: ${body.length}`] : []),
    ...hostileHeaders(random),
  ]
  return {
    bytes: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...(body ? [body] : [])]),
    isGarbage: false,
  }
}

const contentTypes = [
  'text/plain',
  'application/json; charset=utf-7',
  'multipart/form-data',
  '',
  'a/b;',
  long,
]

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

function targetOf(random: Random, { path, query }: Operation): string {
  const filled = path.replaceAll(/\{\w+\}/g, () => encoded(pick(random, random() < 0.5 ? plausible : texts)))
  const chosen = query.filter(() => random() < 0.4)
  if (random() < 0.1) chosen.push(pick(random, ['__proto__', 'a[]', 'api_key', 'page', 'per_page', '']))
  if (random() < 0.05 && chosen.length > 0) chosen.push(chosen[0]!)
  const pairs = chosen.map(
    (it) => `${encoded(it)}=${encoded(pick(random, random() < 0.4 ? plausible : texts))}`,
  )
  const tail = random() < 0.02 ? pick(random, ['/', '//', '/..', ';a=b', '%', '#x']) : ''
  return `${filled}${tail}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

function credential(random: Random, keys: string[]): string[] {
  const chance = random()
  if (chance < 0.85) return [`Authorization: Bearer ${pick(random, keys)}`]
  if (chance < 0.9) return []
  return [
    `Authorization: ${pick(random, ['Bearer', 'Bearer x', 'Basic Og==', 'Basic %%%', 'Digest a', `Bearer ${long.slice(0, 4_000)}`])}`,
  ]
}

/** Values as HTTP allows them, so that the request reaches the handler. */
function hostileHeaders(random: Random): string[] {
  const count = random() < 0.5 ? 0 : Math.ceil(random() * 3)
  return Array.from({ length: count }, () => {
    const value = pick(random, texts).replaceAll(/[^\x20-\x7E]/g, '?')
    return `${pick(random, headerNames)}: ${value.slice(0, 3_000)}`
  })
}

function bodyOf(random: Random, { example, contentType }: Operation): Buffer {
  if (random() < 0.08) return Buffer.from(pick(random, malformed))
  if (random() < 0.02) return Buffer.from([0x7b, 0xff, 0xfe, 0x7d])
  if (typeof example === 'string') return Buffer.from(textFrom(random, example))
  if (contentType === 'application/x-www-form-urlencoded') return Buffer.from(formOf(random))
  const body = mutated(random, structuredClone(example ?? {}))
  const text = JSON.stringify(body)
  // A name twice: the parser takes the last.
  return Buffer.from(random() < 0.03 ? text.replace(/^\{("[^"]+"):/, '{$1:null,$1:') : text)
}

/** An import or an upload: lines with some of their characters changed. */
function textFrom(random: Random, text: string): string {
  const at = Math.floor(random() * text.length)
  return (
    text.slice(0, at) + String(pick(random, texts)).slice(0, 200) + text.slice(at + Math.floor(random() * 5))
  )
}

function formOf(random: Random): string {
  const names = [
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
    'client_id',
    'token',
  ]
  const grants = ['authorization_code', 'refresh_token', 'client_credentials', 'password']
  const fields = names.filter(() => random() < 0.6).map((it) => `${it}=${encoded(pick(random, texts))}`)
  return [...(random() < 0.7 ? [`grant_type=${pick(random, grants)}`] : []), ...fields].join('&')
}

/** One to three places of the value are replaced, removed or given a field that no route expects. */
function mutated(random: Random, value: unknown): unknown {
  let result = value
  for (let times = Math.ceil(random() * 3); times > 0; times--) result = changeOne(random, result)
  return result
}

/** A copy, because later changes may go into it. */
const hostileValue = (random: Random): unknown => structuredClone(pick(random, values))

function changeOne(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return hostileValue(random)
  const record = value as Record<string, unknown>
  const names = Object.keys(record)
  if (names.length === 0 || random() < 0.1) {
    if (!Array.isArray(value))
      record[pick(random, ['price', 'created_at', 'extra', '__proto__x', 'id'])] = hostileValue(random)
    return value
  }
  const name = pick(random, names)
  const chance = random()
  if (chance < 0.2) delete record[name]
  else if (chance < 0.6) record[name] = hostileValue(random)
  else record[name] = changeOne(random, record[name])
  return value
}

function garbage(random: Random): Buffer {
  const chance = random()
  if (chance < 0.4)
    return Buffer.from(Array.from({ length: Math.ceil(random() * 300) }, () => Math.floor(random() * 256)))
  if (chance < 0.6) return Buffer.from('GET / HTTP/9.9\r\n\r\n')
  if (chance < 0.8)
    return Buffer.from(
      'POST /v1/cart HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    )
  return Buffer.from(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
}
