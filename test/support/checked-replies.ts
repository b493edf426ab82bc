// Holds replies against the OpenAPI document: the operation lists the status and the error code, and the body matches its
// schema. Validators are compiled when their first reply comes.

import { ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Reference {
  $ref: string
}
interface DocumentedReply {
  content?: Record<string, { schema: object }>
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

/** Throws for a reply that the document does not describe. Paths that it does not have pass. */
export type ReplyCheck = (reply: ReplyToCheck) => void

const json = 'application/json'

export function openReplyCheck(): ReplyCheck {
  const file = join(import.meta.dirname, '../../docs/openapi.json')
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
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
  return ({ method, path, status, contentType, body }) => {
    const operation = operationAt(method, path)
    if (!operation || method === 'HEAD' || method === 'OPTIONS') return
    const call = `${method} ${path} (${operation.operationId})`
    const listed = operation.responses[String(status)]
    ok(listed, `${call}: status ${status} is not in the document: ${JSON.stringify(body)?.slice(0, 500)}`)
    const schema = resolved(listed).content?.[json]?.schema
    if (!schema || !contentType?.startsWith(json)) return
    const validate = validator(`${operation.operationId} ${status}`, schema)
    ok(
      validate(body),
      `${call}: ${ajv.errorsText(validate.errors?.slice(0, 5))} in ${JSON.stringify(body).slice(0, 1_000)}`,
    )
  }
}

/** Finds the operation of a path; fixed segments come before parameters, as in the router. */
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
      found.set(
        key,
        rows.find((it) => it.form.test(path) && it.operations[method.toLowerCase()])?.operations[
          method.toLowerCase()
        ],
      )
    return found.get(key)
  }
}
