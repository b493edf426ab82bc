// Compares replies with the OpenAPI document: the operation lists the status, the type of the content and the error
// code, and the body matches its schema. Validators are compiled when their first reply comes.

import { ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Reference {
  $ref: string
}
interface DocumentedReply {
  content?: Record<string, { schema: object; examples?: Record<string, unknown> }>
}
interface DocumentedOperation {
  operationId: string
  responses: Record<string, DocumentedReply | Reference>
}
interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, object>; responses: Record<string, DocumentedReply> }
}

export interface ReplyToCheck {
  method: string
  /** With the query. */
  path: string
  status: number
  contentType: string | null
  body: unknown
}

export interface ReplyCheck {
  /** Throws for a reply that the document does not describe. Paths that it does not have pass. */
  (reply: ReplyToCheck): void
  covers(call: Pick<ReplyToCheck, 'method' | 'path'>): boolean
}

const json = 'application/json'

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
}

export function openReplyCheck(): ReplyCheck {
  const file = join(import.meta.dirname, '../../docs/openapi.json')
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument
  const ajv = new Ajv2020({ strict: false, formats, logger: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new Map<string, ValidateFunction>()
  const validator = (key: string, schema: object): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const absolute = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const made = ajv.compile(JSON.parse(absolute) as object)
    compiled.set(key, made)
    return made
  }
  const operationAt = finderOf(document)
  const resolved = (reply: DocumentedReply | Reference): DocumentedReply =>
    '$ref' in reply ? document.components.responses[reply.$ref.split('/').at(-1)!]! : reply
  const check = ({ method, path, status, contentType, body }: ReplyToCheck) => {
    const operation = operationAt(method, path)
    if (!operation) return
    const call = `${method} ${path} (${operation.operationId})`
    const listed = operation.responses[String(status)]
    ok(listed, `${call}: status ${status} is not in the document: ${JSON.stringify(body)?.slice(0, 500)}`)
    const { content = {} } = resolved(listed)
    const type = contentType?.split(';')[0]
    // Clients do not read the body of a redirect.
    if (status >= 300 && status < 400) return
    ok(
      type === undefined || Object.hasOwn(content, type),
      `${call}: ${status} with ${type} is not in the document, which has ${Object.keys(content).join() || 'no content'}`,
    )
    if (type !== json) return
    const { schema, examples } = content[json]!
    const validate = validator(`${operation.operationId} ${status}`, schema)
    ok(
      validate(body),
      `${call}: ${ajv.errorsText(validate.errors?.slice(0, 5))} in ${JSON.stringify(body).slice(0, 1_000)}`,
    )
    const { code } = (body as { error?: { code?: string } }).error ?? {}
    if (status >= 400 && code !== undefined)
      ok(
        Object.hasOwn(examples ?? {}, code),
        `${call}: ${status} with the code ${code} is not in the document`,
      )
  }
  return Object.assign(check, {
    covers: ({ method, path }: Pick<ReplyToCheck, 'method' | 'path'>) =>
      operationAt(method, path) !== undefined,
  })
}

/** Checks every reply that the server sends, to whatever client. Returns a function that lists what differed. */
export function checkRepliesOf(server: Server, check: ReplyCheck): () => string[] {
  const faults = new Set<string>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '' } = request
    if (!check.covers({ method, path })) return
    const written = capture(response)
    response.once('finish', () => {
      const contentType = written.header('content-type') ?? null
      try {
        check({ method, path, status: response.statusCode, contentType, body: bodyOf(written) })
      } catch (error) {
        faults.add((error as Error).message)
      }
    })
  })
  return () => [...faults]
}

interface Written {
  chunks: Buffer[]
  header(name: string): string | undefined
}

/** Collects what is written to a response. Headers that are given to `writeHead` are not among those of the response. */
function capture(response: ServerResponse): Written {
  const chunks: Buffer[] = []
  const headers = new Map<string, string>()
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  const { writeHead, write, end } = response
  response.writeHead = (...given: unknown[]) => {
    const [last] = given.slice(-1)
    if (last !== null && typeof last === 'object')
      for (const [name, value] of Object.entries(last)) headers.set(name.toLowerCase(), String(value))
    return writeHead.apply(response, given as Parameters<typeof writeHead>)
  }
  response.write = (...given: unknown[]) => {
    keep(given[0])
    return write.apply(response, given as Parameters<typeof write>)
  }
  response.end = (...given: unknown[]) => {
    keep(given[0])
    return end.apply(response, given as unknown as Parameters<typeof end>)
  }
  const header = (name: string) => headers.get(name) ?? response.getHeader(name)?.toString()
  return { chunks, header }
}

function bodyOf({ chunks, header }: Written): unknown {
  if (!header('content-type')?.startsWith(json)) return undefined
  const bytes = Buffer.concat(chunks)
  const encoding = header('content-encoding')
  const text =
    encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
  return text.length > 0 ? JSON.parse(text.toString()) : undefined
}

/**
 * Finds the operation of a path. As in the router, fixed segments come before parameters, whatever the method: a method
 * that the found path does not have gets 405, and the document has no operation for it.
 */
function finderOf({ paths }: OpenApiDocument) {
  const rows = Object.entries(paths)
    .map(([path, operations]) => ({
      operations,
      parameters: path.split('{').length,
      form: new RegExp(
        `^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}$`,
      ),
    }))
    .toSorted((a, b) => a.parameters - b.parameters)
  const found = new Map<string, DocumentedOperation | undefined>()
  return (method: string, address: string): DocumentedOperation | undefined => {
    const [path = ''] = address.replace(/^\/global\//, '/').split('?')
    const key = `${method} ${path}`
    if (!found.has(key))
      found.set(key, rows.find((it) => it.form.test(path))?.operations[method.toLowerCase()])
    return found.get(key)
  }
}
