// A call of an operation in curl, TypeScript and Python, from its example in the document. Each of them works when pasted.

import { exampleOf, type JsonSchema } from '../http/openapi-example.ts'
import type { Operation, Parameter } from '../http/openapi.ts'

/** How a program of the reader gets its key. In parts, because only `main.ts` reads the environment. */
export const keyVariable = ['process', 'env', 'BOZOR_KEY'].join('.')

export interface Call {
  method: string
  path: string
  operation: Operation
  parameters: Parameter[]
}

export interface Snippet {
  language: 'sh' | 'ts' | 'python'
  title: string
  code: string
}

export const snippetsOf = (call: Call, origin: string): Snippet[] => [
  { language: 'sh', title: 'curl', code: curlCode(call, origin) },
  { language: 'ts', title: 'TypeScript', code: typescriptCode(call, origin) },
  { language: 'python', title: 'Python', code: pythonCode(call, origin) },
]

interface Sent {
  type: string
  /** JSON, or text for streamed bodies. */
  body: unknown
  isText: boolean
}

function sentBody({ operation }: Call): Sent | undefined {
  const [type = '', content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (!content) return undefined
  return { type, body: content.example, isText: typeof content.example === 'string' }
}

/** The credential: the key if the operation accepts one, otherwise the session of a sign-in. */
function credentialOf({ operation }: Call): 'key' | 'session' | 'none' {
  const ways = operation.security.flatMap(Object.keys)
  if (ways.length === 0) return 'none'
  return ways.some((it) => !it.endsWith('Session')) ? 'key' : 'session'
}

const needsIdempotencyKey = ({ parameters }: Call): boolean =>
  parameters.some((it) => it.name === 'Idempotency-Key')

/** Values of required parameters and of those that the example has. */
function valuesOf({ parameters }: Call, place: 'path' | 'query'): [string, unknown][] {
  return parameters
    .filter((it) => it.in === place && (it.required || it.example !== undefined))
    .map((it) => [it.name, it.example ?? exampleOf(it.schema as JsonSchema)])
}

/** The path with the values of its parameters. */
export const filledPath = (call: Call): string =>
  valuesOf(call, 'path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    call.path,
  )

export function addressOf(call: Call): string {
  const query = new URLSearchParams(
    valuesOf(call, 'query').map(([name, it]): [string, string] => [name, String(it)]),
  ).toString()
  return query ? `${filledPath(call)}?${query}` : filledPath(call)
}

function curlCode(call: Call, origin: string): string {
  const sent = sentBody(call)
  const credential = credentialOf(call)
  const isPlain = call.method === 'GET' || (call.method === 'POST' && sent !== undefined)
  const address = quoted(origin + addressOf(call))
  return [
    isPlain ? `curl ${address}` : `curl -X ${call.method} ${address}`,
    ...(credential === 'key' ? ['-H "Authorization: Bearer $BOZOR_KEY"'] : []),
    ...(credential === 'session'
      ? ['-b cookies.txt', ...(call.method === 'GET' ? [] : [`-H 'Origin: ${origin}'`])]
      : []),
    ...(sent ? [`-H 'Content-Type: ${sent.type}'`] : []),
    ...(needsIdempotencyKey(call) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(sent ? [bodyArgument(sent)] : []),
  ].join(' \\\n  ')
}

const bodyArgument = ({ body, isText }: Sent): string =>
  isText ? `--data-binary ${quoted(String(body))}` : `-d ${quoted(JSON.stringify(body, null, 2))}`

/** The arguments of an SDK call: path, query and body in one object. */
function sdkInput(call: Call): Record<string, unknown> {
  const sent = sentBody(call)
  const body = sent?.isText ? { body: sent.body } : ((sent?.body ?? {}) as object)
  const query = valuesOf(call, 'query').map(([name, value]) => [name, typedAsInBody(call, name, value)])
  return { ...Object.fromEntries([...valuesOf(call, 'path'), ...query]), ...body }
}

/** A field that may be sent in the query or in the body has the type of the body in the SDK: numbers, not digits. */
function typedAsInBody({ operation }: Call, name: string, value: unknown): unknown {
  const schema = operation.requestBody?.content['application/json']?.schema.properties?.[name]
  return Array.isArray(value) && schema?.items?.type === 'integer' ? value.map(Number) : value
}

function typescriptCode(call: Call, origin: string): string {
  const credential = credentialOf(call)
  const options = [
    `baseUrl: '${origin}'`,
    ...(credential === 'key' ? [`apiKey: ${keyVariable}`] : []),
    ...(credential === 'session' ? [`credentials: 'include'`] : []),
  ]
  const input = sdkInput(call)
  const argument = [
    ...(Object.keys(input).length > 0 ? [literal(input, 0)] : []),
    ...headerArgument(sentBody(call)),
  ].join(', ')
  return `import { createBozor } from 'bozor/sdk'

const bozor = createBozor({ ${options.join(', ')} })

const reply = await bozor.${call.operation.operationId}(${argument})`
}

/** The client knows JSON and NDJSON; the caller names another type. */
const headerArgument = (sent: Sent | undefined): string[] =>
  sent?.isText && !sent.type.endsWith('json') ? [`{ headers: { 'Content-Type': '${sent.type}' } }`] : []

/** A value as TypeScript or Python writes it, one field per line when it is long. */
function literal(value: unknown, depth: number, python = false): string {
  const pad = '  '.repeat(depth + 1)
  const end = `\n${'  '.repeat(depth)}`
  if (python && (value === null || typeof value === 'boolean'))
    return value === null ? 'None' : value ? 'True' : 'False'
  if (typeof value === 'string') return python ? JSON.stringify(value) : quotedText(value)
  if (value === null || typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((it) => literal(it, depth + 1, python))
    : Object.entries(value).map(
        ([name, it]) => `${fieldName(name, python)}: ${literal(it, depth + 1, python)}`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  const line = `${open} ${parts.join(', ')} ${close}`.replace(/^([[]) | ([\]])$/g, '$1$2')
  const isShort = line.length < 60 && !line.includes('\n')
  return isShort ? line : `${open}\n${parts.map((it) => `${pad}${it},`).join('\n')}${end}${close}`
}

const fieldName = (name: string, python: boolean): string =>
  python || !/^[A-Za-z_]\w*$/.test(name) ? JSON.stringify(name) : name

const quotedText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

function pythonCode(call: Call, origin: string): string {
  const sent = sentBody(call)
  const credential = credentialOf(call)
  const headers: Record<string, string> = {
    ...(sent?.isText && { 'Content-Type': sent.type }),
  }
  const key = credential === 'key' ? ['"Authorization": f"Bearer {os.environ[\'BOZOR_KEY\']}"'] : []
  const idempotency = needsIdempotencyKey(call) ? ['"Idempotency-Key": str(uuid.uuid4())'] : []
  const lines = [...key, ...idempotency, ...Object.entries(headers).map(([name, it]) => `"${name}": "${it}"`)]
  // `requests` would write a flag as `True`.
  const query = Object.fromEntries(
    valuesOf(call, 'query').map(([name, it]) => [name, typeof it === 'number' ? it : String(it)]),
  )
  const parts = [
    `"${origin}${filledPath(call)}"`,
    ...(Object.keys(query).length > 0 ? [`params=${literal(query, 1, true)}`] : []),
    ...(lines.length > 0 ? [`headers={${lines.join(', ')}}`] : []),
    ...(sent
      ? [sent.isText ? `data=${JSON.stringify(sent.body)}.encode()` : `json=${literal(sent.body, 1, true)}`]
      : []),
  ]
  const imports = [...(key.length > 0 ? ['os'] : []), ...(idempotency.length > 0 ? ['uuid'] : [])]
  const client = credential === 'session' ? 'session' : 'requests'
  return `${imports.length > 0 ? `import ${imports.join(', ')}\n` : ''}import requests
${client === 'session' ? '\nsession = requests.Session()  # signed in before\n' : ''}
reply = ${client}.${call.method.toLowerCase()}(
${parts.map((it) => `  ${it},`).join('\n')}
)`
}

const quoted = (text: string): string =>
  /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
