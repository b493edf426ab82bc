// A call of an operation in curl, TypeScript and Python, from its example in the document. Each of them works when pasted.

import { exampleOf, type JsonSchema } from '../http/openapi-example.ts'
import type { Operation, Parameter } from '../http/openapi.ts'

export const formType = 'application/x-www-form-urlencoded'

/** How a program of the reader gets a setting. In parts, because only `main.ts` reads the environment. */
const variable = (name: string): string => ['process', 'env', name].join('.')
export const keyVariable = variable('BOZOR_KEY')

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
  /** JSON, the fields of a form, or text for streamed bodies. */
  body: unknown
  isText: boolean
  isForm: boolean
  /** Pictures are sent from a file. */
  file: string | undefined
}

function sentBody({ operation }: Call): Sent | undefined {
  const contents = Object.entries(operation.requestBody?.content ?? {})
  const [type = '', content] = contents.find(([it]) => it === 'image/png') ?? contents[0] ?? []
  if (!content) return undefined
  const file = type.startsWith('image/') ? 'picture.png' : undefined
  const isText = typeof content.example === 'string'
  return { type, body: content.example, isText, isForm: type === formType, file }
}

/** The SDK has no method for the calls of OAuth: it makes them by itself. */
export const isInSdk = ({ operation }: Call): boolean => operation.operationId.includes('.')

/** An address that a browser opens, and not a program. */
export const isForBrowser = ({ operation }: Call): boolean =>
  Object.keys(operation.responses).every((it) => !it.startsWith('2'))

/** The credential: the key if the operation accepts one, otherwise the session of a sign-in. */
function credentialOf({ operation }: Call): 'key' | 'client' | 'member' | 'none' {
  const ways = operation.security.flatMap(Object.keys)
  const recorded = operation['x-example']?.credential
  if (recorded) return recorded
  if (ways.length === 0) return 'none'
  if (ways.some((it) => !it.endsWith('Session'))) return 'key'
  return ways[0] === 'memberSession' ? 'member' : 'client'
}

/** The call that opens a session: its fields are in variables, and a buyer is signed in by an application. */
export interface SignIn {
  operation: string
  path: string
  /** Variables by field. */
  variables: Record<string, string>
  /** Fields with a fixed value. */
  fixed: Record<string, string>
  byApplication: boolean
}

const signIns: Record<'client' | 'member', SignIn> = {
  client: {
    operation: 'auth.login',
    path: '/v1/auth/login',
    variables: { login: 'BOZOR_LOGIN', password: 'BOZOR_PASSWORD' },
    fixed: {},
    byApplication: true,
  },
  member: {
    operation: 'memberSessions.create',
    path: '/v1/admin/sessions',
    variables: { email: 'BOZOR_EMAIL', password: 'BOZOR_PASSWORD' },
    fixed: { environment: 'test' },
    byApplication: false,
  },
}

/** The sign-in that the example begins with; undefined for calls without a session. */
export function signInOf(call: Call): SignIn | undefined {
  const credential = credentialOf(call)
  return credential === 'client' || credential === 'member' ? signIns[credential] : undefined
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

const ownHeaders = ({ operation }: Call): [string, string][] =>
  Object.entries(operation['x-example']?.headers ?? {})

/** A signature covers the bytes, so the body is sent as it was signed. */
const isSigned = (call: Call): boolean => ownHeaders(call).length > 0

/** A stream of events has no end: its examples print events as they arrive. */
export const isStream = ({ path }: Call): boolean => path.endsWith('/stream')

/** Writes the cookie of the session to a file. */
function curlSignIn({ path, variables, fixed, byApplication }: SignIn, origin: string): string {
  const fields = [
    ...Object.entries(variables).map(([name, it]) => `\\"${name}\\": \\"$${it}\\"`),
    ...Object.entries(fixed).map(([name, it]) => `\\"${name}\\": \\"${it}\\"`),
  ]
  const lines = [
    `curl ${origin}${path} -c cookies.txt`,
    ...(byApplication ? ['-H "Authorization: Bearer $BOZOR_KEY"'] : []),
    `-H 'Content-Type: application/json'`,
    `-d "{\n    ${fields.join(',\n    ')}\n  }"`,
  ]
  return `${lines.join(' \\\n  ')}\n\n`
}

function curlCode(call: Call, origin: string): string {
  const sent = sentBody(call)
  const credential = credentialOf(call)
  const signIn = signInOf(call)
  const isPlain = call.method === 'GET' || (call.method === 'POST' && sent !== undefined)
  const address = quoted(origin + addressOf(call))
  const program = isStream(call) ? 'curl -N' : 'curl'
  const lines = [
    isPlain ? `${program} ${address}` : `${program} -X ${call.method} ${address}`,
    ...(credential === 'key' ? ['-H "Authorization: Bearer $BOZOR_KEY"'] : []),
    ...(signIn ? ['-b cookies.txt', ...(call.method === 'GET' ? [] : [`-H 'Origin: ${origin}'`])] : []),
    ...(sent && !sent.isForm ? [`-H 'Content-Type: ${sent.type}'`] : []),
    ...ownHeaders(call).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(needsIdempotencyKey(call) ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(sent ? [bodyArgument(sent, isSigned(call))] : []),
  ]
  return `${signIn ? curlSignIn(signIn, origin) : ''}${lines.join(' \\\n  ')}`
}

const formFields = (body: unknown): [string, string][] =>
  Object.entries(body as object).map(([name, value]) => [name, String(value)])

function bodyArgument({ body, isText, isForm, file }: Sent, isCompact: boolean): string {
  if (isForm)
    return formFields(body)
      .map(([name, value]) => `-d ${quoted(`${name}=${value}`)}`)
      .join(' \\\n  ')
  if (file) return `--data-binary @${file}`
  if (isText) return `--data-binary ${quoted(String(body))}`
  return `-d ${quoted(JSON.stringify(body, null, isCompact ? 0 : 2))}`
}

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

/** Without the SDK. */
function fetchCode(call: Call, origin: string): string {
  const address = quotedText(origin + addressOf(call))
  const sent = sentBody(call)
  if (isForBrowser(call)) return `// Open it in the buyer's browser.\nconst address = ${address}`
  if (!sent) return `const reply = await fetch(${address})`
  return `const reply = await fetch(${address}, {
  method: '${call.method}',
  body: new URLSearchParams(${literal(sent.body, 1)}),
})`
}

/** Outside browsers the client of the SDK keeps the cookie of the session. */
function typescriptSignIn({ operation, variables, fixed, byApplication }: SignIn): string {
  const fields = [
    ...Object.entries(variables).map(([name, it]) => `${name}: ${variable(it)}!`),
    ...Object.entries(fixed).map(([name, it]) => `${name}: '${it}'`),
  ]
  const input = `{ ${fields.join(', ')} }`
  const header = '{ headers: { Authorization: `Bearer ${' + keyVariable + '}` } }'
  return byApplication
    ? `await bozor.${operation}(\n  ${input},\n  ${header},\n)\n`
    : `await bozor.${operation}(${input})\n`
}

function typescriptCode(call: Call, origin: string): string {
  if (!isInSdk(call)) return fetchCode(call, origin)
  const credential = credentialOf(call)
  const signIn = signInOf(call)
  const options = [
    `baseUrl: '${origin}'`,
    ...(credential === 'key' ? [`apiKey: ${keyVariable}`] : []),
    ...(signIn ? [`credentials: 'include'`] : []),
  ]
  const { file } = sentBody(call) ?? {}
  const input = sdkInput(call)
  const argument = [
    ...(file ? ['{ body: picture }'] : Object.keys(input).length > 0 ? [literal(input, 0)] : []),
    ...headerArgument(call),
  ].join(', ')
  const sending = `bozor.${call.operation.operationId}(${argument})`
  return `${file ? "import { readFile } from 'node:fs/promises'\n" : ''}import { createBozor } from 'bozor/sdk'

${file ? `const picture = await readFile('${file}')\n` : ''}const bozor = createBozor({ ${options.join(', ')} })
${signIn ? typescriptSignIn(signIn) : ''}
${isStream(call) ? `for await (const event of ${sending}) console.log(event)` : `const reply = await ${sending}`}`
}

/** The client detects JSON and NDJSON; the caller names another type. */
function headerArgument(call: Call): string[] {
  const sent = sentBody(call)
  const type = sent?.isText && !sent.type.endsWith('json') ? [['Content-Type', sent.type]] : []
  const headers = Object.fromEntries([...type, ...ownHeaders(call)]) as Record<string, string>
  return Object.keys(headers).length > 0 ? [`{ headers: ${literal(headers, 0)} }`] : []
}

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

function pythonSignIn({ path, variables, fixed, byApplication }: SignIn, origin: string): string {
  const fields = [
    ...Object.entries(variables).map(([name, it]) => `"${name}": os.environ["${it}"]`),
    ...Object.entries(fixed).map(([name, it]) => `"${name}": "${it}"`),
  ]
  const lines = [
    `"${origin}${path}"`,
    ...(byApplication ? [`headers={${pythonKey}}`] : []),
    `json={${fields.join(', ')}}`,
  ]
  return `\nsession = requests.Session()\nsession.post(\n${lines.map((it) => `  ${it},`).join('\n')}\n)\n`
}

const pythonKey = '"Authorization": f"Bearer {os.environ[\'BOZOR_KEY\']}"'

function pythonCode(call: Call, origin: string): string {
  if (isForBrowser(call))
    return `# Open it in the buyer's browser.\naddress = ${JSON.stringify(origin + addressOf(call))}`
  const sent = sentBody(call)
  const credential = credentialOf(call)
  const signIn = signInOf(call)
  const isVerbatim = sent !== undefined && (sent.isText || isSigned(call))
  const headers: Record<string, string> = {
    ...(isVerbatim && { 'Content-Type': sent.type }),
    ...(signIn && call.method !== 'GET' && { Origin: origin }),
    ...Object.fromEntries(ownHeaders(call)),
  }
  const key = credential === 'key' ? [pythonKey] : []
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
    ...(isStream(call) ? ['stream=True'] : []),
    ...(sent ? [pythonBody(sent, isVerbatim)] : []),
  ]
  const imports = [...(key.length > 0 || signIn ? ['os'] : []), ...(idempotency.length > 0 ? ['uuid'] : [])]
  const client = signIn ? 'session' : 'requests'
  return `${imports.length > 0 ? `import ${imports.join(', ')}\n` : ''}import requests
${signIn ? pythonSignIn(signIn, origin) : ''}
reply = ${client}.${call.method.toLowerCase()}(
${parts.map((it) => `  ${it},`).join('\n')}
)${isStream(call) ? '\nfor line in reply.iter_lines():\n  print(line.decode())' : ''}`
}

function pythonBody({ body, file, isForm }: Sent, isVerbatim: boolean): string {
  if (isForm) return `data=${literal(body, 1, true)}`
  if (file) return `data=open("${file}", "rb")`
  if (!isVerbatim) return `json=${literal(body, 1, true)}`
  return `data=${JSON.stringify(typeof body === 'string' ? body : JSON.stringify(body))}.encode()`
}

const quoted = (text: string): string =>
  /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
